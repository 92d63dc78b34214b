"""How sure a measured speed-up is, by the bootstrap (Efron, "Bootstrap Methods", 1979)."""

import random
import statistics
from collections.abc import Sequence

from app.core.experiment import Interval

_RESAMPLES = 2000
_OUTSIDE = 0.025  # on each side of the interval: 95 % lie inside


def speedup_interval(speeds: Sequence[float], reference: Sequence[float]) -> Interval | None:
    """The 95 % percentile interval of median(speeds) / median(reference), both in tok/s.

    Both sides are resampled on their own, always with the same random numbers, which takes some 10 ms. None
    where a side has fewer than two runs: one run tells nothing of the noise. Two or three tell little of it:
    the interval of so few is easily too narrow.
    """
    if len(speeds) < 2 or len(reference) < 2:
        return None
    numbers = random.Random(0)
    ratios = sorted(
        statistics.median(numbers.choices(speeds, k=len(speeds)))
        / statistics.median(numbers.choices(reference, k=len(reference)))
        for _ in range(_RESAMPLES)
    )
    outside = round(_OUTSIDE * _RESAMPLES)
    return Interval(ratios[outside], ratios[-1 - outside])
