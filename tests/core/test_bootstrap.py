"""How sure a measured speed-up is."""

import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.bootstrap import speedup_interval
from app.core.experiment import Interval

SPEEDS = st.lists(st.floats(1.0, 100.0), min_size=2, max_size=6)


@pytest.mark.parametrize(
    ("speeds", "reference"),
    [([], []), ([2.0], [1.0]), ([2.0, 2.1], [1.0]), ([2.0], [1.0, 1.1]), ([2.0, 2.1], [])],
)
def test_one_run_tells_nothing_of_the_noise(speeds: list[float], reference: list[float]) -> None:
    assert speedup_interval(speeds, reference) is None


def test_runs_without_noise_leave_no_doubt() -> None:
    assert speedup_interval([16.0] * 3, [8.0] * 4) == Interval(2.0, 2.0)


def test_two_runs_each_give_all_that_they_may_be() -> None:
    """Each median is the lower run with 1/4, so all extremes of the ratio lie inside 95 %."""
    assert speedup_interval([16.0, 20.0], [8.0, 10.0]) == Interval(1.6, 2.5)


def test_a_single_straggler_does_not_widen_it() -> None:
    """Of 7 runs, 4 of 7 draws must be the straggler before the median is: less than 1 in 100."""
    found = speedup_interval([16.0] * 6 + [1.0], [8.0] * 7)
    assert found == Interval(2.0, 2.0)


def test_speeds_that_overlap_span_1() -> None:
    same = speedup_interval([8.0, 8.4, 8.2], [8.1, 8.3, 8.2])
    assert same is not None
    assert same.contains(1.0)
    apart = speedup_interval([8.6, 8.4, 8.5], [8.1, 8.3, 8.2])
    assert apart is not None
    assert not apart.contains(1.0)
    assert apart.low > 1.0


def test_more_runs_with_the_same_noise_narrow_it() -> None:
    few = speedup_interval([15.0, 16.0, 17.0], [8.0, 8.5, 9.0])
    many = speedup_interval([15.0, 16.0, 17.0] * 8, [8.0, 8.5, 9.0] * 8)
    assert few is not None
    assert many is not None
    assert many.high - many.low < few.high - few.low


def test_it_is_the_same_whenever_it_is_asked_for() -> None:
    speeds, reference = [15.0, 16.2, 17.1, 15.8], [8.0, 8.5, 9.0, 8.1]
    assert speedup_interval(speeds, reference) == speedup_interval(speeds, reference)


@given(SPEEDS, SPEEDS)
def test_the_measured_ratio_lies_inside_and_all_within_the_extremes(
    speeds: list[float], reference: list[float]
) -> None:
    found = speedup_interval(speeds, reference)
    assert found is not None
    assert min(speeds) / max(reference) <= found.low
    assert found.high <= max(speeds) / min(reference)
    assert found.contains(statistics.median(speeds) / statistics.median(reference))
