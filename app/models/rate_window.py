"""Speed over the last moments."""

from collections import deque
from collections.abc import Callable

_SLOT = 0.1  # seconds whose bytes are counted together
_SOONEST = 2.0  # seconds of movement before there is a figure: the first ones are far from the line's speed


class RateWindow:
    """Bytes per second over the last `seconds`; 0 as soon as nothing has come for as long as that.

    Used by one thread at a time.
    """

    def __init__(self, clock: Callable[[], float], seconds: float = 2.5) -> None:
        self._clock = clock
        self._seconds = seconds
        self._slots: deque[tuple[float, int]] = deque()
        self._total = 0
        self._begun = 0.0  # when the first bytes had come, after a time in which nothing had
        self._last: float | None = None  # when bytes came last

    def add(self, count: int) -> None:
        """So many bytes have come just now."""
        now = self._clock()
        self._forget(now)
        if self._is_quiet(now):
            self._begun = self._last = now
            return  # nobody knows how long these have taken
        self._last = now
        self._total += count
        if self._slots and now - self._slots[-1][0] < _SLOT:
            begun, before = self._slots.pop()
            self._slots.append((begun, before + count))
        else:
            self._slots.append((now, count))

    def rate(self) -> float:
        """The speed now."""
        now = self._clock()
        self._forget(now)
        elapsed = now - self._begun
        if self._is_quiet(now) or elapsed < _SOONEST:
            return 0.0
        return self._total / min(elapsed, self._seconds)

    def _is_quiet(self, now: float) -> bool:
        return self._last is None or now - self._last >= self._seconds

    def _forget(self, now: float) -> None:
        while self._slots and now - self._slots[0][0] >= self._seconds:
            self._total -= self._slots.popleft()[1]
