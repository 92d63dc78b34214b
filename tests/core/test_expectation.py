"""The two models of what drafting gains."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.expectation import (
    StepCosts,
    acceptance_from,
    accepted_share,
    best_length,
    break_even,
    expected_tokens,
    simple_speedup,
    speedup,
)

COSTS = StepCosts(target=3.0, draft=1.0)
TIMES = st.floats(0.01, 100.0)
SHARES = st.floats(0.0, 1.0)
LENGTHS = st.integers(1, 16)


def test_five_drafts_and_a_check_against_five_plain_steps() -> None:
    assert COSTS.round(5) == 8.0
    assert COSTS.plain(5) == 15.0
    assert simple_speedup(COSTS, 5, 1.0) == 1.875


def test_a_draft_that_is_right_in_three_of_ten_rounds() -> None:
    assert simple_speedup(COSTS, 5, 0.3) == pytest.approx(15 / 12.9)
    assert round(simple_speedup(COSTS, 5, 0.3), 2) == 1.16


def test_a_draft_that_is_never_right_costs_nothing_by_the_simple_model() -> None:
    assert simple_speedup(COSTS, 5, 0.0) == 1.0


def test_without_a_draft_nothing_is_gained() -> None:
    assert simple_speedup(COSTS, 0, 1.0) == 1.0
    assert speedup(StepCosts(3.0, 1.0, check_factor=4.0), 0, 0.9) == 1.0


@pytest.mark.parametrize(
    ("acceptance", "drafted", "wanted"),
    [
        (0.0, 5, 1.0),  # the target's own token alone
        (1.0, 5, 6.0),  # all, and the bonus
        (0.5, 1, 1.5),
        (0.5, 3, 1.875),
        (0.7, 5, (1 - 0.7**6) / 0.3),
        (0.9, 0, 1.0),
    ],
)
def test_the_tokens_of_a_round(acceptance: float, drafted: int, wanted: float) -> None:
    assert expected_tokens(acceptance, drafted) == pytest.approx(wanted)


@given(st.floats(0.0, 0.99), LENGTHS)
def test_they_are_those_of_the_published_formula(acceptance: float, drafted: int) -> None:
    published = (1 - acceptance ** (drafted + 1)) / (1 - acceptance)
    assert expected_tokens(acceptance, drafted) == pytest.approx(published)


def test_the_speedup_sets_tokens_against_time() -> None:
    assert speedup(COSTS, 5, 1.0) == 6 * 3 / 8
    assert speedup(COSTS, 5, 0.0) == 3 / 8  # all the drafting for nothing


def test_a_dear_check_is_counted() -> None:
    assert StepCosts(3.0, 1.0, check_factor=2.0, known_length=5).round(5) == 11.0


def test_checks_of_other_lengths_cost_in_proportion() -> None:
    """Else a draft of 16 would be checked for what a draft of 5 costs, and be best."""
    costs = StepCosts(3.0, 0.1, check_factor=2.0, known_length=5)
    assert [costs.check(drafted) for drafted in (0, 5, 10, 15)] == pytest.approx([3.0, 6.0, 9.0, 12.0])
    assert StepCosts(3.0, 0.1, known_length=5).check(16) == 3.0  # nothing is added to a step that costs one


def test_of_all_tested_tokens_fewer_are_accepted_than_the_chance_of_each() -> None:
    assert accepted_share(0.7, 5) == pytest.approx((0.7 + 0.49 + 0.343 + 0.2401 + 0.16807) / 5)
    assert accepted_share(0.7, 1) == pytest.approx(0.7)
    assert accepted_share(1.0, 5) == 1.0
    assert accepted_share(0.7, 0) == 0.0


def test_measured_checks_go_before_the_factor_as_far_as_they_reach() -> None:
    costs = StepCosts(3.0, 1.0, check_factor=2.0, known_length=3, checks=(3.0, 3.5, 4.0))
    assert [costs.check(drafted) for drafted in range(4)] == [3.0, 3.5, 4.0, 6.0]


def test_the_best_length_is_where_the_curve_is_highest() -> None:
    curve = [speedup(COSTS, drafted, 0.7) for drafted in range(17)]
    assert best_length(COSTS, 0.7, 16) == curve.index(max(curve)) == 2


def test_where_nothing_pays_the_best_draft_is_none() -> None:
    assert best_length(StepCosts(1.0, 1.0), 0.9, 16) == 0


def test_a_step_in_the_cost_of_checking_is_looked_past() -> None:
    """Kernels that work in rows of four make the fourth token free."""
    costs = StepCosts(1.0, 0.0, checks=(1.0, 2.5, 2.5, 2.5, 9.0))
    assert best_length(costs, 0.99, 4) == 3


def test_breaking_even() -> None:
    needed = break_even(COSTS, 3)
    assert needed is not None
    assert speedup(COSTS, 3, needed) == pytest.approx(1.0)
    assert needed == pytest.approx(0.5437, abs=1e-4)  # 1 + a + a² + a³ = 2


def test_a_draft_for_nothing_pays_at_any_acceptance() -> None:
    assert break_even(StepCosts(1.0, 0.0), 3) == 0.0


def test_where_all_accepted_is_not_enough_nothing_is() -> None:
    assert break_even(StepCosts(1.0, 1.0), 3) is None  # 4 against 4


@given(TIMES, TIMES, LENGTHS, SHARES, SHARES)
def test_more_acceptance_is_more_speed(
    target: float, draft: float, drafted: int, one: float, other: float
) -> None:
    costs = StepCosts(target, draft)
    less, more = sorted((one, other))
    assert speedup(costs, drafted, less) <= speedup(costs, drafted, more) * (1 + 1e-12)
    assert simple_speedup(costs, drafted, 0.0) == pytest.approx(1.0)


@given(TIMES, TIMES, LENGTHS, SHARES)
def test_no_round_gains_more_than_its_tokens(target: float, draft: float, drafted: int, share: float) -> None:
    assert 0.0 < speedup(StepCosts(target, draft), drafted, share) <= (drafted + 1) * (1 + 1e-12)


@given(TIMES, TIMES, LENGTHS, SHARES)
def test_above_the_break_even_it_gains_and_below_it_does_not(
    target: float, draft: float, drafted: int, share: float
) -> None:
    costs = StepCosts(target, draft)
    needed = break_even(costs, drafted)
    gains = speedup(costs, drafted, share)
    if needed is None or share < needed - 1e-9:
        assert gains <= 1.0 + 1e-9
    elif share > needed + 1e-9:
        assert gains >= 1.0 - 1e-9


@given(TIMES, TIMES, SHARES)
def test_the_best_length_is_never_slower_than_plain_steps(target: float, draft: float, share: float) -> None:
    costs = StepCosts(target, draft)
    assert speedup(costs, best_length(costs, share, 16), share) >= 1.0


def test_acceptance_is_counted_where_the_tokens_before_were_kept() -> None:
    """Ten drafts of three: 8 firsts kept, of these 6 seconds, of these 3 thirds."""
    assert acceptance_from((10, 10, 10), (8, 6, 3)) == (8 + 6 + 3) / (10 + 8 + 6)


def test_drafts_that_were_shorter_are_not_counted_where_they_ended() -> None:
    assert acceptance_from((10, 5), (10, 5)) == 1.0


def test_drafts_of_many_lengths_tell_the_chance_that_they_were_made_with() -> None:
    """Half of the drafts that might have gone on do not: they ended, whether they were right or not."""
    numbers, longest, acceptance = random.Random(4), 5, 0.6
    tested, accepted = [0] * longest, [0] * longest
    for _ in range(20_000):
        length = numbers.randint(1, longest)
        right = next((place for place in range(length) if numbers.random() >= acceptance), length)
        for place in range(length):
            tested[place] += 1
            accepted[place] += place < right
    assert acceptance_from(tuple(tested), tuple(accepted)) == pytest.approx(acceptance, abs=0.01)


def test_where_only_sure_drafts_go_on_no_more_are_kept_than_were_reached() -> None:
    """A drafter that ends a draft where it doubts: all that went on were right so far."""
    assert acceptance_from((10, 5), (5, 5)) == 10 / 15


def test_nothing_tested_has_no_acceptance() -> None:
    assert acceptance_from((), ()) is None


@given(SHARES, LENGTHS)
def test_it_finds_the_chance_that_counts_were_made_with(acceptance: float, drafted: int) -> None:
    """Counts of so many rounds that chance is evened out."""
    rounds = 10**9
    accepted = tuple(round(rounds * acceptance**number) for number in range(1, drafted + 1))
    found = acceptance_from((rounds,) * drafted, accepted)
    assert found == pytest.approx(acceptance, abs=1e-6)
