"""How sure a measured speed-up is."""

import math
import random
import statistics
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.experiment import Interval
from app.core.gain import Gain, gain_of
from app.core.speedup_interval import mean_interval, speedup_interval

SPEEDS = st.lists(st.floats(1.0, 100.0), min_size=3, max_size=6)


@pytest.mark.parametrize(
    ("speeds", "reference"),
    [
        ([], []),
        ([2.0], [1.0]),
        ([2.0, 2.1], [1.0, 1.1]),  # two and two agree by chance too often
        ([2.0, 2.1], [1.0, 1.1, 1.2]),
        ([2.0, 2.1, 2.2], [1.0, 1.1]),
    ],
)
def test_too_few_runs_tell_nothing_of_the_noise(speeds: list[float], reference: list[float]) -> None:
    assert speedup_interval(speeds, reference) is None


def test_runs_without_noise_leave_no_doubt() -> None:
    assert speedup_interval([16.0] * 3, [8.0] * 4) == Interval(2.0, 2.0)


def test_three_runs_each_give_all_that_they_may_be() -> None:
    """Each median is the lowest run with 7/27, so the extremes of the ratio lie inside 95 %."""
    assert speedup_interval([16.0, 18.0, 20.0], [8.0, 9.0, 10.0]) == Interval(1.6, 2.5)


def test_a_single_straggler_does_not_widen_it() -> None:
    """Of 7 runs, 4 of 7 draws must be the straggler before the median is: less than 1 in 100."""
    assert speedup_interval([16.0] * 6 + [1.0], [8.0] * 7) == Interval(2.0, 2.0)


def test_95_of_100_lie_inside() -> None:
    """The median of 11 draws of 1 to 11 is 2 or less with 0.7 %, and 3 or less with 5.1 %."""
    speeds = [float(number) for number in range(1, 12)]
    assert speedup_interval(speeds, [1.0] * 3) == Interval(3.0, 9.0)
    assert speedup_interval(speeds, [1.0] * 3, tried=11) == Interval(2.0, 10.0)  # 0.2 % are left outside


def test_speeds_that_overlap_span_1() -> None:
    same = speedup_interval([8.0, 8.4, 8.2], [8.1, 8.3, 8.2])
    assert same is not None
    assert same.contains(1.0)
    apart = speedup_interval([8.6, 8.4, 8.5], [8.1, 8.3, 8.2])
    assert apart is not None
    assert apart.low > 1.0


def test_more_runs_with_the_same_noise_narrow_it() -> None:
    few = speedup_interval([15.0, 16.0, 17.0], [8.0, 8.5, 9.0])
    many = speedup_interval([15.0, 16.0, 17.0] * 8, [8.0, 8.5, 9.0] * 8)
    assert few is not None and many is not None
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


class TestMean:
    def test_of_one_it_is_its_own(self) -> None:
        found = mean_interval([1.5], [Interval(1.4, 1.7)])
        assert found is not None
        assert (found.low, found.high) == pytest.approx((1.4, 1.7))

    def test_of_several_alike_it_is_narrower_by_the_root_of_their_number(self) -> None:
        found = mean_interval([2.0] * 4, [Interval(2.0 / 1.21, 2.0 * 1.44)] * 4)
        assert found is not None
        assert (found.low, found.high) == pytest.approx((2.0 / 1.1, 2.0 * 1.2))

    def test_it_lies_around_the_geometric_mean(self) -> None:
        found = mean_interval([2.0, 0.5], [Interval(2.0, 2.0), Interval(0.5, 0.5)])
        assert found is not None
        assert (found.low, found.high) == pytest.approx((1.0, 1.0))

    @pytest.mark.parametrize(
        ("speedups", "intervals"), [([], []), ([2.0], [None]), ([2.0, 2.0], [Interval(1.9, 2.1), None])]
    )
    def test_there_is_none_where_one_is_not_known(
        self, speedups: Sequence[float], intervals: Sequence[Interval | None]
    ) -> None:
        assert mean_interval(speedups, intervals) is None


class TestChance:
    """How often equal variants are said to differ, on a machine whose speed varies by 2 %."""

    def draw(self, numbers: random.Random, runs: int) -> list[float]:
        return [10.0 * numbers.gauss(1.0, 0.02) for _ in range(runs)]

    def gain(self, own: list[float], reference: list[float], tried: int) -> Gain:
        factor = statistics.median(own) / statistics.median(reference)
        return gain_of(factor, speedup_interval(own, reference, tried=tried))

    @pytest.mark.parametrize("runs", [1, 2, 3, 5])
    def test_two_equal_ones_seldom_differ(self, runs: int) -> None:
        numbers = random.Random(7)
        wrong = sum(
            self.gain(self.draw(numbers, runs), self.draw(numbers, runs), 1) is not Gain.EVEN
            for _ in range(100)
        )
        assert wrong <= 9

    @pytest.mark.parametrize(("runs", "most"), [(3, 12), (5, 2)])
    def test_the_best_of_eleven_equal_ones_is_seldom_faster(self, runs: int, most: int) -> None:
        numbers = random.Random(7)
        wrong = 0
        for _ in range(80):
            reference = self.draw(numbers, runs)
            best = max((self.draw(numbers, runs) for _ in range(11)), key=statistics.median)
            wrong += self.gain(best, reference, 11) is Gain.FASTER
        assert wrong <= most

    def test_the_mean_of_many_prompts_covers_the_truth(self) -> None:
        """Eight prompts that gain 1.5 times, three runs each: 95 % should hold it."""
        numbers = random.Random(7)
        held = 0
        for _ in range(20):
            pairs = [(self.draw(numbers, 3), self.draw(numbers, 3)) for _ in range(8)]
            factors = [1.5 * statistics.median(own) / statistics.median(other) for own, other in pairs]
            intervals = [speedup_interval([1.5 * each for each in own], other) for own, other in pairs]
            found = mean_interval(factors, intervals)
            assert found is not None
            held += found.contains(1.5)
            assert math.log(found.high / found.low) < 0.05
        assert held >= 17
