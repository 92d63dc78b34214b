"""What passes cost, between the lengths that were timed and beyond them, and whether it is to be believed."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.pass_costs import PassCosts

STEADY = PassCosts((1, 2, 4, 8), (0.1, 0.12, 0.2, 0.4), 0.01, 32, (0.02, 0.1, 0.05, 0.0), 0.1)


@pytest.mark.parametrize(
    ("tokens", "seconds"),
    [(1, 0.1), (2, 0.12), (3, 0.16), (4, 0.2), (6, 0.3), (8, 0.4), (9, 0.45), (17, 0.85)],
)
def test_passes_lie_on_lines_through_those_that_were_timed(tokens: int, seconds: float) -> None:
    assert STEADY.pass_s(tokens) == pytest.approx(seconds)


def test_one_length_alone_tells_of_no_other() -> None:
    assert PassCosts((1,), (0.1,), None, 32).pass_s(5) == 0.1


def test_a_pass_costs_no_more_than_a_longer_one() -> None:
    costs = PassCosts((1, 2, 3, 4), (0.1, 0.2, 0.15, 0.3), None, 32)
    assert costs.rising_s == (0.1, 0.15, 0.15, 0.3)
    assert costs.pass_s(2) == 0.15
    assert costs.step_s == 0.1


@given(st.lists(st.floats(0.001, 10.0), min_size=1, max_size=8))
def test_more_tokens_never_cost_less(times: list[float]) -> None:
    costs = PassCosts(tuple(range(1, len(times) + 1)), tuple(times), None, 32)
    passes = [costs.pass_s(tokens) for tokens in range(1, 18)]
    assert all(more >= fewer * (1 - 1e-12) for fewer, more in pairwise(passes))


def test_times_that_came_out_twice_are_believed() -> None:
    assert STEADY.is_steady


@pytest.mark.parametrize("place", range(4))
def test_a_pass_that_was_disturbed_each_time_is_not(place: int) -> None:
    spreads = [0.0] * 4
    spreads[place] = 0.4
    assert not PassCosts(STEADY.lengths, STEADY.target_s, 0.01, 32, tuple(spreads)).is_steady


def test_nor_is_drafting_that_was() -> None:
    assert not PassCosts(STEADY.lengths, STEADY.target_s, 0.01, 32, (0.0,) * 4, 0.4).is_steady


def test_several_tokens_cannot_take_far_less_than_one() -> None:
    """As on a machine that was busy while single tokens were timed: it made drafting 13.7 times as fast."""
    assert not PassCosts((1, 2, 3), (1.42, 0.12, 0.2), 0.04, 32).is_steady
    assert PassCosts((1, 2, 3), (0.1, 0.09, 0.11), 0.01, 32).is_steady


FED = PassCosts((1, 2), (0.1, 0.12), 0.01, 4, feed_lengths=(1, 2, 8), feed_times_s=(0.01, 0.014, 0.02))


@pytest.mark.parametrize(
    ("tokens", "seconds"), [(0, 0.0), (1, 0.01), (2, 0.014), (5, 0.017), (8, 0.02), (17, 0.029)]
)
def test_a_draft_reads_what_it_missed_on_lines_of_its_own(tokens: int, seconds: float) -> None:
    assert FED.feed_s(tokens) == pytest.approx(seconds)


def test_where_its_longer_passes_were_not_timed_they_grow_as_the_targets() -> None:
    """A text read token by token would look so dear that a draft model of a big target never read one."""
    costs = PassCosts((1, 4), (0.1, 0.16), 0.01, 4, feed_lengths=(1,), feed_times_s=(0.01,))
    assert costs.feed_s(4) == pytest.approx(0.016)
    assert costs.feed_s(101) == pytest.approx(0.01 * (1 + 100 * 0.2))


def test_where_nothing_longer_was_timed_at_all_each_token_takes_as_long() -> None:
    assert PassCosts((1,), (0.1,), 0.01, 4).feed_s(3) == pytest.approx(0.03)


def test_no_longer_pass_of_a_draft_costs_less() -> None:
    costs = PassCosts((1,), (0.1,), 0.03, 4, feed_lengths=(1, 2), feed_times_s=(0.03, 0.02))
    assert costs.feed_s(1) == 0.02


def test_without_a_draft_the_targets_times_are_left() -> None:
    alone = FED.without_draft()
    assert alone == PassCosts((1, 2), (0.1, 0.12), None, 4)
    assert alone.feed_s(3) is None
