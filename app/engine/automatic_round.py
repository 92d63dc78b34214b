"""What the automatic policy is told of a round, and what it says."""

from enum import StrEnum

from msgspec import Struct

from app.core.drafting_state import Pause
from app.core.stats import DraftSource


class Experience(StrEnum):
    """What came of drafts of this pair in earlier answers."""

    NONE = "none"  # or too little to tell
    LIKELY = "likely"  # none yet, but the draft is the target itself with fewer bits, which is mostly right
    GAINED = "gained"  # in nearly all of them
    MIXED = "mixed"  # in more than half
    DID_NOT_GAIN = "did_not_gain"


class Opening(Struct, frozen=True):
    """How a round begins: with the draft model, with so many tokens of a lookup, or with nothing."""

    source: DraftSource
    looked_up: int = 0
    pause: Pause | None = None


class Fate(Struct, frozen=True):
    """What became of tokens: of the first `known` of them, the first `right` are what the answer has there.

    At most one that is known is wrong, the last: what would have followed it cannot be known.
    """

    known: int = 0
    right: int = 0


class Outcome(Struct, frozen=True):
    """A round that was made: the time it took, the tokens it gave, and what became of all that was proposed.

    Also of what was not verified: the answer goes on as it does, so that a plain step judges the first token.
    """

    seconds: float
    emitted: int
    drafted: Fate = Fate()
    looked_up: Fate = Fate()  # what `open` was told
    extended: Fate = Fate()  # what `close` was told


class Outlook(Struct, frozen=True):
    """The draft that would gain most if it were right: its check in tokens, its cost in plain steps."""

    checked: int
    steps: float
    acceptance: float  # the chance of a first token
    needed: float | None  # the acceptance from which it gains; None: it never does
