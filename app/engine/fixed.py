"""Speculation with the length that the person chose.

It hardly ever makes a plain step, so how long one would take just now is told by the passes that it makes:
they grow longer on a busy machine, and how they compare with a plain step does not change.
"""

from app.core.drafting_state import DraftingState
from app.core.options import SpeculationOptions
from app.core.stats import DraftSource
from app.engine.against_plain import AgainstPlain
from app.engine.drafting import Drafter
from app.engine.policy import FixedPolicy
from app.engine.running_costs import RunningCosts
from app.engine.speculating import NO_DRAFT, CheckedRound, Proposal, Room
from app.engine.tokens import Tokens


class FixedSpeculation:
    """Of one answer, from one drafter. What passes cost decides nothing, but tells what drafts gain."""

    def __init__(
        self,
        drafter: Drafter,
        policy: FixedPolicy,
        options: SpeculationOptions,
        costs: RunningCosts | None = None,
    ) -> None:
        """Without `costs` no gain is told."""
        self._drafter = drafter
        self._policy = policy
        self._costs = costs
        self._against_plain = AgainstPlain()
        self.options = options

    @property
    def plain_s(self) -> float | None:
        """What the passes so far would have taken without drafts, by estimate; None: not known."""
        return None if self._costs is None else self._against_plain.plain_s

    def begin(self, prompt: Tokens, room: Room) -> None:
        """The drafter reads the prompt as well."""
        self._drafter.propose(prompt, 0)

    def propose(self, context: Tokens, room: Room) -> Proposal:
        """As many tokens as the drafter has, up to the most; fewer than the least are not verified."""
        limit = self._policy.limit(room.longest_draft)
        drafted = self._drafter.propose(context, limit) if limit > 0 else NO_DRAFT
        keep = self._policy.worth_verifying(len(drafted.tokens))
        return Proposal(drafted, drafted if keep else NO_DRAFT)

    def observe(self, checked: CheckedRound) -> DraftingState | None:
        """The drafter hears of it; says what the round came to, where what passes cost is known."""
        drafted, tested = checked.proposal.drafted, checked.proposal.tested
        if drafted.tokens:
            self._drafter.observe(tested, checked.verdict)
        if self._costs is None:
            return None
        step_s = checked.check_s / self._costs.steps(len(tested.tokens) + 1, checked.context)
        self._against_plain.observe(checked, step_s)
        return DraftingState(
            source=drafted.source if drafted.tokens else DraftSource.NONE,
            drafted=len(drafted.tokens),
            pause=None,
            checked=len(tested.tokens) + 1,
            steps=(checked.draft_s + checked.check_s) / step_s,
            acceptance=0.0,
            needed=None,
            speedup=self._against_plain.speedup,
        )
