"""What the steps of a round take, and which drafts that leaves worth a risk."""

import math

from msgspec import Struct

_NOTHING = 1e-6  # of a plain step, where a draft costs nothing
_MARGIN = 0.02  # by which a perfect draft must be faster than plain steps for a probe to make sense
_HALVINGS = 12  # to a quarter of a thousandth


class RoundCosts(Struct, frozen=True):
    """What the steps of the coming round take, in seconds."""

    checks: tuple[float, ...]  # target passes over 1, 2, 3 ... tokens: one more than can be drafted
    step: float  # drafting one token
    catching_up: float = 0.0  # before that, reading what the draft model missed
    again: float = 0.0  # of that, after a draft that was all right: its last token, which no pass has read
    begin: float = 0.0  # what the first token takes more: the target has left nothing of the draft in caches

    @property
    def plain_s(self) -> float:
        """A round without a draft."""
        return self.checks[0]

    @property
    def longest(self) -> int:
        """The most tokens that can be drafted."""
        return len(self.checks) - 1

    def round(self, drafted: int) -> float:
        """A round with so many tokens of the draft model, which has missed nothing."""
        return self.checks[drafted] + (self.begin + drafted * self.step if drafted else 0.0)

    def factor_if_right(self, drafted: int) -> float:
        """How many times as fast as plain steps a round is whose guesses are all right."""
        return (drafted + 1) * self.plain_s / self.round(drafted)


class DraftOdds:
    """Of the drafts that gain if right, those that gain most for their risk: worked out once a round."""

    def __init__(self, costs: RoundCosts) -> None:
        # the seconds of a round, and its drafted tokens: each better than those before
        self._best: list[tuple[float, int]] = []
        best_odds, plain_s = 0.0, costs.plain_s
        for drafted in range(1, costs.longest + 1):
            round_s = costs.round(drafted)
            gain_s, risk_s = (drafted + 1) * plain_s - round_s, round_s - plain_s
            if gain_s <= _MARGIN * round_s:
                continue
            odds = gain_s / max(risk_s, _NOTHING * plain_s)
            if odds > best_odds + _MARGIN:
                best_odds = odds
                self._best.append((round_s, drafted))

    def best(self, most_s: float = math.inf) -> int:
        """The tokens of the best draft whose round takes at most so long; 0 where there is none."""
        return next((drafted for round_s, drafted in reversed(self._best) if round_s <= most_s), 0)


def acceptance_for(steps: float, drafted: int) -> float | None:
    """The acceptance of each of so many tokens with which a round pays for `steps` plain ones, if any."""
    if steps > drafted + 1:
        return None
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        tokens = 1.0
        for _ in range(drafted):
            tokens = 1.0 + middle * tokens
        low, high = (middle, high) if tokens < steps else (low, middle)
    return high
