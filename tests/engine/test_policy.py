"""The fixed policy: the person's numbers, clamped."""

from hypothesis import given
from hypothesis import strategies as st

from app.core.options import DraftLength, SpeculationOptions
from app.engine.policy import FixedPolicy
from app.engine.speculating import Room


def fixed(most: int = 5, least: int = 0, *, longest: int = 16) -> FixedPolicy:
    options = SpeculationOptions(
        draft_length=DraftLength.FIXED, max_draft_tokens=most, min_draft_tokens=least
    )
    return FixedPolicy(options, longest)


def test_asks_for_the_maximum_where_nothing_stands_in_the_way() -> None:
    assert fixed(5).limit(100) == 5


def test_never_drafts_more_than_the_target_can_verify_and_take_back() -> None:
    assert fixed(5, longest=2).limit(100) == 2


def test_a_draft_and_its_bonus_fit_into_the_tokens_left() -> None:
    assert [fixed(5).limit(Room(left, 100).longest_draft) for left in (1, 2, 4, 6, 7)] == [0, 1, 3, 5, 5]


def test_a_draft_and_the_token_before_it_fit_into_the_context() -> None:
    assert [fixed(5).limit(Room(100, free).longest_draft) for free in (1, 2, 4, 6, 7)] == [0, 1, 3, 5, 5]


def test_a_draft_below_the_minimum_is_dropped_and_an_empty_one_always() -> None:
    assert [fixed(5, 3).worth_verifying(length) for length in (0, 2, 3, 5)] == [False, False, True, True]
    assert not fixed().worth_verifying(0)


@given(st.integers(1, 16), st.integers(0, 32), st.integers(0, 40), st.integers(0, 40))
def test_no_limit_is_negative_or_above_any_bound(most: int, longest: int, tokens: int, free: int) -> None:
    limit = fixed(most, longest=longest).limit(Room(tokens, free).longest_draft)
    assert 0 <= limit <= min(most, longest)
    assert limit == 0 or (limit < tokens and limit < free)
