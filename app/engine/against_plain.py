"""What an answer would have taken without drafts: an estimate from what passes take here."""

from app.engine.running_costs import RunningCosts
from app.engine.speculating import CheckedRound


class AgainstPlain:
    """Follows one answer round by round, and lets the costs learn from the target's passes."""

    def __init__(self, costs: RunningCosts) -> None:
        self._costs = costs
        self._plain_s = 0.0
        self._spent_s = 0.0

    @property
    def plain_s(self) -> float:
        """What the passes so far would have taken without drafts."""
        return self._plain_s

    @property
    def speedup(self) -> float | None:
        """Of the answer so far; None before it has taken any time."""
        return self._plain_s / self._spent_s if self._spent_s > 0.0 else None

    def observe(self, checked: CheckedRound) -> None:
        """Takes in a round. A plain step took what it took; what others would have taken is an estimate."""
        tested, context = len(checked.proposal.tested.tokens), checked.context
        estimate_s = (checked.verdict.accepted + 1) * self._costs.plain_s(context)
        self._plain_s += estimate_s if tested else checked.check_s
        self._spent_s += checked.draft_s + checked.check_s
        self._costs.observe_check(tested + 1, context, checked.check_s)
