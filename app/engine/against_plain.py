"""What an answer would have taken without drafts, by estimate."""

from app.engine.speculating import CheckedRound


class AgainstPlain:
    """Follows one answer round by round."""

    def __init__(self) -> None:
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

    def observe(self, checked: CheckedRound, step_s: float) -> None:
        """Takes in a round. `step_s`: what a plain step would have taken; one that was made took its time.

        A round that gives nothing but the end lies behind the last token, up to which speed is measured.
        """
        if checked.emitted == 0:
            return
        estimate_s = checked.emitted * step_s
        self._plain_s += estimate_s if checked.proposal.tested.tokens else checked.check_s
        self._spent_s += checked.draft_s + checked.check_s
