"""The fixed policy: the person's numbers, clamped."""

from hypothesis import given
from hypothesis import strategies as st

from app.core.options import SpeculationOptions
from app.engine.policy import FixedPolicy


def test_asks_for_the_maximum_where_nothing_stands_in_the_way() -> None:
    assert FixedPolicy(SpeculationOptions(max_draft_tokens=5), longest=16).limit(100, 100) == 5


def test_never_drafts_more_than_the_target_can_verify_and_take_back() -> None:
    assert FixedPolicy(SpeculationOptions(max_draft_tokens=5), longest=2).limit(100, 100) == 2


def test_a_draft_and_its_bonus_fit_into_the_tokens_left() -> None:
    policy = FixedPolicy(SpeculationOptions(max_draft_tokens=5), longest=16)
    assert [policy.limit(left, 100) for left in (1, 2, 4, 6, 7)] == [0, 1, 3, 5, 5]


def test_a_draft_and_the_token_before_it_fit_into_the_context() -> None:
    policy = FixedPolicy(SpeculationOptions(max_draft_tokens=5), longest=16)
    assert [policy.limit(100, free) for free in (1, 2, 4, 6, 7)] == [0, 1, 3, 5, 5]


def test_a_draft_below_the_minimum_is_dropped_and_an_empty_one_always() -> None:
    policy = FixedPolicy(SpeculationOptions(max_draft_tokens=5, min_draft_tokens=3), longest=16)
    assert [policy.worth_verifying(length) for length in (0, 2, 3, 5)] == [False, False, True, True]
    assert not FixedPolicy(SpeculationOptions(), longest=16).worth_verifying(0)


@given(st.integers(1, 16), st.integers(0, 32), st.integers(0, 40), st.integers(0, 40))
def test_no_limit_is_negative_or_above_any_bound(most: int, longest: int, tokens: int, free: int) -> None:
    limit = FixedPolicy(SpeculationOptions(max_draft_tokens=most), longest).limit(tokens, free)
    assert 0 <= limit <= min(most, longest)
    assert limit == 0 or (limit < tokens and limit < free)
