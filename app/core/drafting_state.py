"""What a round came to; with an automatic draft length, what was decided, and why."""

from enum import StrEnum

from msgspec import Struct

from app.core.stats import DraftSource


class Pause(StrEnum):
    """Why nothing was drafted in a round."""

    TOO_DEAR = "too_dear"  # it would lose even if every guess were right
    TOO_OFTEN_WRONG = "too_often_wrong"  # it would gain if more guesses were right
    NOTHING_FOUND = "nothing_found"  # prompt lookup has seen nothing like it before
    CATCHING_UP = "catching_up"  # the draft would have to read too much first
    OUT_OF_REACH = "out_of_reach"  # the draft's window is full, or it does not know a token of the text
    NO_ROOM = "no_room"  # the answer or the context is about to end


class DraftingState(Struct, frozen=True):
    """One round. A fixed length decides nothing: it has no pause and believes nothing of acceptance.

    While it drafts, `checked` and `steps` are those of the round that was made; while it pauses, those of the
    round that promised most. `needed` is the acceptance from which such a round gains, where it can.
    """

    source: DraftSource  # NONE while it pauses
    drafted: int  # tokens
    pause: Pause | None
    checked: int  # tokens in the target's pass: those drafted and one more
    steps: float  # what the whole round costs, drafts included, in plain steps
    acceptance: float  # the chance that the first drafted token is kept, as believed
    needed: float | None
    speedup: float | None  # of the answer so far against plain generation, by estimate
