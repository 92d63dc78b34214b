"""How fast an answer comes: now, on average, and over the last minute.

Tokens are counted when they are emitted, never chunks; a prompt's tokens are not counted. Moments are seconds
on one monotonic clock and come from the caller.
"""

import math
from collections import deque

from msgspec import Struct

from app.core.stats import generation_rate

SAMPLES_PER_S = 4
HISTORY_S = 60

_WINDOW_S = 1.0
_SHORTEST_WINDOW_S = 0.25  # two tokens in quick succession are no speed yet
_SAMPLES = SAMPLES_PER_S * HISTORY_S


class RateReading(Struct, frozen=True):
    """Speeds at one moment, in tokens per second. `average` is None with fewer than two tokens."""

    now: float = 0.0
    average: float | None = None
    history: tuple[float, ...] = (0.0,) * _SAMPLES  # oldest first

    @property
    def peak(self) -> float:
        """The highest speed of the last minute."""
        return max(self.now, *self.history)


class _Stretch(Struct):
    """Tokens that came at `end`, and that were in the making since `start`."""

    start: float
    end: float
    tokens: int

    def tokens_within(self, start: float, end: float) -> float:
        overlap = min(self.end, end) - max(self.start, start)
        return self.tokens * overlap / (self.end - self.start) if overlap > 0.0 else 0.0


class RateMeter:
    """Measures the speed of answers, one after the other.

    A round gives several tokens at once. They are spread evenly over the time since the round before, so that
    the speed now neither jumps with every round nor depends on the moment at which it is asked for.
    """

    def __init__(self) -> None:
        self._stretches: deque[_Stretch] = deque()  # of the last two seconds or so
        self._generated = 0
        self._first: float | None = None
        self._last = 0.0
        self._history: deque[float] = deque([0.0] * _SAMPLES, maxlen=_SAMPLES)
        self._sampled: int | None = None  # the number of the last sample taken; they are numbered from 0 s

    def begin(self, now_s: float) -> None:
        """An answer begins: no speed yet and a new average. The last minute stays."""
        self._sample_until(now_s)
        self._stretches.clear()
        self._generated = 0
        self._first = None

    def add(self, tokens: int, now_s: float) -> None:
        """Counts tokens that were just emitted."""
        self._sample_until(now_s)
        if tokens <= 0:
            return
        self._generated += tokens
        if self._first is None:
            self._first = self._last = now_s  # when the first tokens were begun is not known
        elif now_s > self._last:
            self._stretches.append(_Stretch(self._last, now_s, tokens))
            self._last = now_s
        elif self._stretches:
            self._stretches[-1].tokens += tokens

    def now_rate(self, now_s: float) -> float:
        """Tokens per second in the last second, or since the first token if that is less.

        The window ends at the last token while the next is not overdue, and moves on when it is: the speed is
        zero at most two seconds after the last token.
        """
        if self._first is None or not self._stretches:
            return 0.0
        recent = [stretch for stretch in self._stretches if stretch.end > self._last - _WINDOW_S]
        patience = min(_WINDOW_S, max(stretch.end - stretch.start for stretch in recent))
        end = max(self._last, now_s - patience)
        start = max(self._first, end - _WINDOW_S)
        tokens = sum(stretch.tokens_within(start, end) for stretch in self._stretches)
        return tokens / max(end - start, _SHORTEST_WINDOW_S)

    @property
    def average(self) -> float | None:
        """Tokens per second from the answer's first token to its last; None with fewer than two."""
        return generation_rate(self._generated, self._last - self._first) if self._first is not None else None

    def history(self, now_s: float) -> tuple[float, ...]:
        """The speeds of the last minute, four a second, oldest first, however often it is asked."""
        self._sample_until(now_s)
        return tuple(self._history)

    def read(self, now_s: float) -> RateReading:
        """Everything at once."""
        return RateReading(self.now_rate(now_s), self.average, self.history(now_s))

    def _sample_until(self, now_s: float) -> None:
        """Takes the samples that are due. All tokens before them are known, since time only goes forward."""
        latest = math.floor(now_s * SAMPLES_PER_S)
        if self._sampled is None:
            self._sampled = latest
        for number in range(max(self._sampled, latest - _SAMPLES) + 1, latest + 1):
            moment = number / SAMPLES_PER_S
            self._history.append(self.now_rate(moment))
            self._forget(moment)
        self._sampled = max(self._sampled, latest)

    def _forget(self, now_s: float) -> None:
        """Drops what no window reaches any more: one that ends at the last token, or that has moved on."""
        reach = max(self._last - _WINDOW_S, now_s - 2 * _WINDOW_S)
        while self._stretches and self._stretches[0].end < reach:
            self._stretches.popleft()
