"""Speed over the last moments."""

from collections import deque
from collections.abc import Callable

_SLOT = 0.1  # seconds whose bytes are counted together
_SOONEST = 0.3  # seconds before there is a figure at all


class RateWindow:
    """Bytes per second over the last `seconds`; 0 as soon as nothing has come for as long as that.

    Used by one thread at a time.
    """

    def __init__(self, clock: Callable[[], float], seconds: float = 2.5) -> None:
        self._clock = clock
        self._seconds = seconds
        self._slots: deque[tuple[float, int]] = deque()
        self._total = 0
        self._started = clock()

    def add(self, count: int) -> None:
        """So many bytes have come just now."""
        now = self._clock()
        self._total += count
        if self._slots and now - self._slots[-1][0] < _SLOT:
            begun, before = self._slots.pop()
            self._slots.append((begun, before + count))
        else:
            self._slots.append((now, count))
        self._forget(now)

    def rate(self) -> float:
        """The speed now."""
        now = self._clock()
        self._forget(now)
        elapsed = min(now - self._started, self._seconds)
        return self._total / elapsed if elapsed >= _SOONEST else 0.0

    def _forget(self, now: float) -> None:
        while self._slots and now - self._slots[0][0] >= self._seconds:
            self._total -= self._slots.popleft()[1]
