"""What an answer needs of speculation: drafts round by round, under a fixed or an automatic length."""

from typing import Protocol

from msgspec import Struct

from app.core.drafting_state import DraftingState
from app.core.options import SpeculationOptions
from app.core.stats import DraftSource
from app.engine.acceptance import Draft, Verdict
from app.engine.drafting import Drafter
from app.engine.policy import FixedPolicy
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
        """What the target made of it; with an automatic length, what was decided."""


class FixedSpeculation:
    """The length that the person chose, from one drafter."""

    plain_s: float | None = None  # nothing is known of what passes cost

    def __init__(self, drafter: Drafter, policy: FixedPolicy, options: SpeculationOptions) -> None:
        self._drafter = drafter
        self._policy = policy
        self.options = options

    def begin(self, prompt: Tokens, room: Room) -> None:
        """The drafter reads the prompt as well."""
        self._drafter.propose(prompt, 0)

    def propose(self, context: Tokens, room: Room) -> Proposal:
        """As many tokens as the drafter has, up to the most; fewer than the least are not verified."""
        limit = self._policy.limit(room.longest_draft)
        drafted = self._drafter.propose(context, limit) if limit > 0 else NO_DRAFT
        keep = self._policy.worth_verifying(len(drafted.tokens))
        return Proposal(drafted, drafted if keep else NO_DRAFT)

    def observe(self, checked: CheckedRound) -> None:
        """The drafter hears of it."""
        if checked.proposal.drafted.tokens:
            self._drafter.observe(checked.proposal.tested, checked.verdict)
