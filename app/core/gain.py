"""Whether a speed-up is one."""

from enum import StrEnum

from app.core.experiment import Interval

_LEAST = 0.05  # a change below this share is none, where nothing is known of the noise


class Gain(StrEnum):
    """What a factor comes to."""

    FASTER = "faster"
    SLOWER = "slower"
    EVEN = "even"  # no difference that can be told from the noise


def gain_of(factor: float, interval: Interval | None = None) -> Gain:
    """Judges by the interval where there is one, else by the factor alone."""
    if interval is None:
        low, high = 1.0 - _LEAST, 1.0 + _LEAST
        return Gain.FASTER if factor >= high else Gain.SLOWER if factor <= low else Gain.EVEN
    if interval.contains(1.0):
        return Gain.EVEN
    return Gain.FASTER if factor > 1.0 else Gain.SLOWER
