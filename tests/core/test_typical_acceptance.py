"""How often drafts are taken to be right, by size alone."""

import pytest

from app.core.typical_acceptance import typical_acceptance

BILLION = 1_000_000_000


@pytest.mark.parametrize("smaller", [BILLION // 2000, BILLION // 200, BILLION // 20, BILLION // 4])
def test_a_larger_draft_is_never_taken_to_guess_worse(smaller: int) -> None:
    small, large = typical_acceptance(BILLION, smaller), typical_acceptance(BILLION, 2 * smaller)

    assert small.low <= large.low
    assert small.high <= large.high


@pytest.mark.parametrize("draft", [1, BILLION // 700, BILLION // 10, BILLION // 3, BILLION, 5 * BILLION])
def test_hard_texts_are_guessed_worse_than_easy_ones(draft: int) -> None:
    typical = typical_acceptance(BILLION, draft)

    assert 0.0 < typical.low < typical.high < 1.0


def test_a_copy_in_fewer_bits_is_nearly_always_right() -> None:
    assert typical_acceptance(BILLION, BILLION).high > 0.95


def test_between_two_known_shares_lies_what_is_between_them() -> None:
    tenth, hundredth = typical_acceptance(BILLION, BILLION // 10), typical_acceptance(BILLION, BILLION // 100)
    between = typical_acceptance(BILLION, round(BILLION / 10**1.5))

    assert between.low == pytest.approx((tenth.low + hundredth.low) / 2, abs=1e-6)
    assert between.high == pytest.approx((tenth.high + hundredth.high) / 2, abs=1e-6)


def test_a_file_without_parameters_is_no_mistake() -> None:
    assert typical_acceptance(0, BILLION) == typical_acceptance(BILLION, BILLION)
