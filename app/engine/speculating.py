"""What an answer needs of speculation: drafts round by round, whatever decides how long they are."""

from typing import Protocol

from msgspec import Struct

from app.core.drafting_state import DraftingState
from app.core.options import SpeculationOptions
from app.core.stats import DraftSource
from app.engine.acceptance import Draft, Verdict
from app.engine.tokens import Tokens

NO_DRAFT = Draft(DraftSource.NONE)


class Room(Struct, frozen=True):
    """What a round may give: tokens that may still be emitted, free positions of the target's context."""

    tokens_left: int
    context_left: int

    @property
    def longest_draft(self) -> int:
        """A round emits a token more than it keeps of its draft; its first one needs a position itself."""
        return max(0, min(self.tokens_left, self.context_left) - 1)


class Proposal(Struct, frozen=True):
    """What was drafted, and the part of it that is verified, which may be nothing."""

    drafted: Draft
    tested: Draft


class CheckedRound(Struct, frozen=True):
    """A proposal, what became of it, and the seconds that drafting and the target's pass took."""

    proposal: Proposal
    verdict: Verdict
    emitted: int  # tokens that the answer gets: those that were kept, and the next one unless that ends it
    context: int  # tokens in the target's cache before the pass
    draft_s: float
    check_s: float


class Speculation(Protocol):
    """Proposes drafts for one answer and hears what became of them."""

    options: SpeculationOptions

    @property
    def plain_s(self) -> float | None:
        """What the passes so far would have taken without drafts, by estimate; None: not known."""

    def begin(self, prompt: Tokens, room: Room) -> None:
        """The target has read the prompt."""

    def propose(self, context: Tokens, room: Room) -> Proposal:
        """What may follow the context, with drafted tokens in it as far as they are worth their time."""

    def observe(self, checked: CheckedRound) -> DraftingState | None:
        """What the target made of it. Says what the round came to, where what passes cost is known."""
