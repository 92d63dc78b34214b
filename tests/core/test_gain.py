"""Whether a speed-up is one."""

import pytest

from app.core.experiment import Interval
from app.core.gain import LEAST_TOKENS, Gain, gain_of, scatters


@pytest.mark.parametrize(
    ("factor", "interval", "wanted"),
    [
        (1.30, None, Gain.FASTER),
        (1.07, None, Gain.EVEN),  # few runs tell nothing of the noise
        (0.93, None, Gain.EVEN),
        (0.90, None, Gain.SLOWER),
        (1.04, Interval(1.02, 1.06), Gain.FASTER),  # small, and sure
        (0.96, Interval(0.95, 0.97), Gain.SLOWER),
        (1.02, Interval(1.01, 1.03), Gain.EVEN),  # sure, and nobody would notice
        (0.98, Interval(0.97, 0.99), Gain.EVEN),
        (1.30, Interval(0.98, 1.60), Gain.EVEN),  # large, and unsure
    ],
)
def test_the_interval_decides_where_there_is_one_and_little_is_nothing(
    factor: float, interval: Interval | None, wanted: Gain
) -> None:
    assert gain_of(factor, interval) is wanted


def test_short_answers_tell_nothing() -> None:
    assert gain_of(2.0, Interval(1.9, 2.1), LEAST_TOKENS - 1) is Gain.SHORT
    assert gain_of(2.0, Interval(1.9, 2.1), LEAST_TOKENS) is Gain.FASTER


@pytest.mark.parametrize(
    ("factor", "interval", "wanted"),
    [
        (1.04, Interval(0.97, 1.12), True),  # a gain worth knowing is still possible
        (1.0, Interval(0.88, 1.02), True),
        (1.01, Interval(0.97, 1.05), False),  # even, whatever it is
        (1.5, Interval(1.2, 1.9), False),  # wide, and a gain in any case
        (1.04, None, False),
    ],
)
def test_runs_scatter_where_the_question_stays_open(
    factor: float, interval: Interval | None, wanted: bool
) -> None:
    assert scatters(factor, interval) is wanted
