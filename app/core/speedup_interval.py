"""How sure a measured speed-up is."""

import math
import random
import statistics
from collections.abc import Sequence

from app.core.experiment import Interval

LEAST_RUNS = 3  # on each side: two that agree by chance would make a third of all equal variants differ

_RESAMPLES = 2000
_OUTSIDE = 0.025  # on each side of the interval: 95 % lie inside


def speedup_interval(
    speeds: Sequence[float], reference: Sequence[float], *, tried: int = 1
) -> Interval | None:
    """The 95 % percentile interval of median(speeds) / median(reference), both in tok/s.

    By the bootstrap (Efron, "Bootstrap Methods", 1979): both sides are resampled on their own, always with
    the same random numbers, which takes some 10 ms. Where so many variants are `tried` against one reference,
    the intervals of all of them hold together with 95 % (Bonferroni), so that the best of many is not taken
    for a gain because it was lucky. None where a side has fewer than LEAST_RUNS.
    """
    if min(len(speeds), len(reference)) < LEAST_RUNS:
        return None
    numbers = random.Random(0)
    ratios = sorted(
        statistics.median(numbers.choices(speeds, k=len(speeds)))
        / statistics.median(numbers.choices(reference, k=len(reference)))
        for _ in range(_RESAMPLES)
    )
    outside = round(_OUTSIDE / tried * _RESAMPLES)
    return Interval(ratios[outside], ratios[-1 - outside])


def mean_interval(speedups: Sequence[float], intervals: Sequence[Interval | None]) -> Interval | None:
    """The interval of the geometric mean of speed-ups that were measured apart, each with its own interval.

    Their distances to their own bounds, as logarithms, add up like independent errors: as the root of the
    sum of squares, on each side for itself (Zou and Donner, "Construction of confidence limits about effect
    measures", 2008). None of nothing, and where one has no interval.
    """
    known = [interval for interval in intervals if interval is not None]
    if not speedups or len(known) < len(speedups):
        return None
    logarithms = list(map(math.log, speedups))
    pairs = list(zip(logarithms, known, strict=True))
    below = math.hypot(*(value - math.log(interval.low) for value, interval in pairs))
    above = math.hypot(*(math.log(interval.high) - value for value, interval in pairs))
    total, count = math.fsum(logarithms), len(logarithms)
    return Interval(math.exp((total - below) / count), math.exp((total + above) / count))
