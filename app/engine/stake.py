"""How much a round may lose: what makes "never slower" a rule instead of a hope.

A draft whose tokens are all wrong costs its round, less the plain step that it gives. That must never bring
the answer further behind plain generation than a hundredth of its time, or some steps at the beginning.
What was gained may be staked as well, so that a draft that pays is soon free to be long, and one that does
not pay ends by itself.
"""

_SHARE = 0.01  # of the time that may be lost, and with probes as well
_FIRST_GAP, _LONGEST_GAP = 4, 40  # rounds between two probes: each failure doubles it
_STEPS = 2.5  # plain steps that may be lost at the beginning: a fiftieth of an answer of some 128 tokens
_TRUSTED_STEPS = 5.0  # the same where earlier answers gained more


class Stake:
    """Keeps the account of one answer, in seconds against plain steps, and that of its probes."""

    def __init__(self, *, is_trusted: bool) -> None:
        """`is_trusted`: drafts of this pair have gained before."""
        self._steps = _TRUSTED_STEPS if is_trusted else _STEPS
        self._gained_s = 0.0
        self._time_s = 0.0
        self._probes_lost_s = 0.0
        self._gap = 0
        self._rounds = 0  # since the last probe

    def most_s(self, step_s: float) -> float:
        """What the coming round may lose."""
        return self._gained_s + max(self._steps * step_s, _SHARE * self._time_s)

    def allows_probe(self, cost_s: float, step_s: float) -> bool:
        """Whether it is time to try what is not believed to pay, for so much if it is wrong."""
        within = self._probes_lost_s + cost_s <= max(_STEPS * step_s, _SHARE * self._time_s)
        return self._rounds >= self._gap and within and cost_s <= self.most_s(step_s)

    def settle(self, seconds: float, plain_s: float, *, is_probe: bool) -> None:
        """Takes in a round, and what plain steps for its tokens would have taken."""
        self._time_s += seconds
        self._gained_s += plain_s - seconds
        if not is_probe:
            self._rounds += 1
            return
        self._probes_lost_s += max(0.0, seconds - plain_s)
        succeeded = seconds <= plain_s
        self._gap = 0 if succeeded else min(max(2 * self._gap, _FIRST_GAP), _LONGEST_GAP)
        self._rounds = 0
