"""How much a round may lose: what makes "never slower" a rule instead of a hope.

A draft whose tokens are all wrong costs its round, less the plain step that it gives. That must never bring
the answer further behind plain generation than a small share of its time, or some steps at the beginning.
What was gained may be lost again, so that drafts that pay are soon free to be long, and those that do not pay
end by themselves; but the draft model may not lose what lookups gained.
"""

from msgspec import Struct

_PROBES = 0.01  # of the time
_FIRST_GAP, _LONGEST_GAP = 4, 40  # rounds between two probes: each failure doubles it


class Allowance(Struct, frozen=True):
    """What one source may lose: plain steps at the beginning, and a share of the time."""

    steps: float
    share: float


# Of an answer of some 128 tokens a fiftieth, and of a longer one a little less.
WHOLE = Allowance(2.5, 0.018)
MODEL = Allowance(2.0, 0.01)  # the draft model's part; lookups, which lose little at once, are left the rest
LOOKUP = WHOLE  # what they may lose of it at most
# Where nearly all earlier answers gained: bad luck at first is then likelier than a text that does not pay.
WHOLE_THAT_GAINED = Allowance(3.5, 0.018)
MODEL_THAT_GAINED = Allowance(3.0, 0.018)


class Stake:
    """Keeps an account of one answer, of all its rounds or those of one source, against plain steps."""

    def __init__(self, allowance: Allowance) -> None:
        self._allowance = allowance
        self._gained_s = 0.0
        self._time_s = 0.0
        self._probes_lost_s = 0.0
        self._gap = 0
        self._rounds = 0  # since the last probe

    def most_s(self, step_s: float) -> float:
        """What the coming round may lose; `step_s` is the time of a plain step."""
        return self._gained_s + self._allowed_s(step_s)

    def allows_probe(self, cost_s: float, step_s: float) -> bool:
        """Whether it is time to try what is not believed to pay, for so much if it is wrong."""
        share_s = max(self._allowance.steps * step_s, _PROBES * self._time_s)
        within = cost_s <= share_s - max(self._probes_lost_s, -self._gained_s)
        return self._rounds >= self._gap and within and cost_s <= self.most_s(step_s)

    def settle(self, seconds: float, plain_s: float, *, counts: bool = True, is_probe: bool = False) -> None:
        """Takes in a round: its time, that of plain steps for its tokens, whether it is of this account."""
        self._time_s += seconds
        if not is_probe:
            self._rounds += 1
        if not counts:
            return
        self._gained_s += plain_s - seconds
        if is_probe:
            self._probes_lost_s += max(0.0, seconds - plain_s)
            succeeded = seconds <= plain_s
            self._gap = 0 if succeeded else min(max(2 * self._gap, _FIRST_GAP), _LONGEST_GAP)
            self._rounds = 0

    def _allowed_s(self, step_s: float) -> float:
        return max(self._allowance.steps * step_s, self._allowance.share * self._time_s)
