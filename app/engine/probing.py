"""When to try again what did not pay: rarely, and for at most a hundredth of the time."""

_SHARE = 0.01  # of the time that probes may cost
_FIRST_GAP, _LONGEST_GAP = 8, 40  # rounds between two probes: each failure doubles it


class Probing:
    """Keeps the account. Seconds are those of rounds."""

    def __init__(self) -> None:
        self._credit_s = 0.0
        self._gap = _FIRST_GAP
        self._rounds = 0  # since the last probe

    def is_due(self, cost_s: float) -> bool:
        """Whether a probe that costs so much, if it is wrong, can be paid for by now."""
        return self._rounds >= self._gap and cost_s <= self._credit_s

    def spend(self, seconds: float, lost_s: float | None) -> None:
        """Takes in a round; `lost_s` is what a probe lost against plain steps, None for other rounds."""
        self._credit_s += _SHARE * seconds
        if lost_s is None:
            self._rounds += 1
            return
        self._credit_s -= lost_s
        succeeded = lost_s <= 0.0
        self._gap = 0 if succeeded else min(max(2 * self._gap, _FIRST_GAP), _LONGEST_GAP)
        self._rounds = 0
