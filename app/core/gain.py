"""Whether a speed-up is one: the same judgement for a prompt, a suite, a sweep and the history."""

from enum import StrEnum

from app.core.experiment import Interval

LEAST_CHANGE = 0.03  # a change below this share is none, however sure it is: nobody would notice
_LEAST_OF_FEW_RUNS = 0.08  # the same where nothing is known of the noise: single answers scatter as much
LEAST_TOKENS = 16  # of an answer on either side; the speed of a shorter one tells little
_WORTH_KNOWING = 0.1  # a gain or loss of this share matters to people


class Gain(StrEnum):
    """What a factor comes to."""

    FASTER = "faster"
    SLOWER = "slower"
    EVEN = "even"  # no difference that matters and can be told from the noise
    SHORT = "short"  # the answers are too short to tell


def gain_of(speedup: float, interval: Interval | None = None, tokens: int = LEAST_TOKENS) -> Gain:
    """What a speed-up comes to; without an interval, which takes several runs, more is asked of it.

    `tokens` are those of the shorter of both answers.
    """
    if tokens < LEAST_TOKENS:
        return Gain.SHORT
    least = LEAST_CHANGE if interval is not None else _LEAST_OF_FEW_RUNS
    if abs(speedup - 1.0) < least or (interval is not None and interval.contains(1.0)):
        return Gain.EVEN
    return Gain.FASTER if speedup > 1.0 else Gain.SLOWER


def scatters(speedup: float, interval: Interval | None) -> bool:
    """True where runs are too unlike each other to tell whether there is a gain or a loss that matters."""
    return (
        interval is not None
        and gain_of(speedup, interval) is Gain.EVEN
        and (interval.high > 1.0 + _WORTH_KNOWING or interval.low < 1.0 - _WORTH_KNOWING)
    )
