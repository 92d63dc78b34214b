"""Whether a text is the reference's."""

import pytest
from msgspec.structs import replace

from app.core.experiment import FirstDifference, Variant
from app.core.options import AcceptanceRule
from app.core.sameness import Sameness, is_faithful, lossy_of, sameness_in, sameness_of, worst_of
from tests.fakes.experiments import DRAFTED, OFF, draft_variant, prompt_experiment

NEAR, FAR, UNKNOWN = (FirstDifference(3, 1, 2, near_tie=near) for near in (True, False, None))
REJECTION = draft_variant(rule=AcceptanceRule.REJECTION)
LOSSY = draft_variant(rule=AcceptanceRule.TOP_K)


@pytest.mark.parametrize(
    ("difference", "judged", "wanted"),
    [
        (None, DRAFTED, Sameness.IDENTICAL),
        (NEAR, DRAFTED, Sameness.NEAR_TIE),
        (FAR, DRAFTED, Sameness.DIFFERS),
        (UNKNOWN, DRAFTED, Sameness.DIFFERS),  # not taken for a near-tie
        (FAR, REJECTION, Sameness.RESAMPLED),
        (NEAR, REJECTION, Sameness.RESAMPLED),
        (None, LOSSY, Sameness.IDENTICAL),
        (NEAR, LOSSY, Sameness.DIFFERS),  # the rule, and not rounding, may have done it
    ],
)
def test_the_rule_decides_what_a_difference_means(
    difference: FirstDifference | None, judged: Variant, wanted: Sameness
) -> None:
    assert sameness_of(difference, judged, OFF) is wanted
    assert sameness_of(difference, OFF, judged) is wanted


def test_the_rule_of_what_does_not_draft_means_nothing() -> None:
    plain = replace(OFF, speculation=replace(OFF.speculation, acceptance=AcceptanceRule.TOP_K))
    assert sameness_of(NEAR, plain, DRAFTED) is Sameness.NEAR_TIE
    assert lossy_of(plain, DRAFTED) == ()


def test_what_was_not_compared_has_none() -> None:
    _, drafted = prompt_experiment(identical=False).summary
    assert sameness_in(drafted, DRAFTED, OFF) is Sameness.NEAR_TIE
    assert sameness_in(replace(drafted, identical=None, first_difference=None), DRAFTED, OFF) is None


@pytest.mark.parametrize(
    ("found", "wanted"),
    [
        ([], None),
        ([Sameness.IDENTICAL, Sameness.IDENTICAL], Sameness.IDENTICAL),
        ([Sameness.NEAR_TIE, Sameness.DIFFERS, Sameness.IDENTICAL], Sameness.DIFFERS),
        ([Sameness.IDENTICAL, None], None),
        ([Sameness.NEAR_TIE, None], Sameness.NEAR_TIE),
    ],
)
def test_of_several_the_worst_counts(found: list[Sameness | None], wanted: Sameness | None) -> None:
    assert worst_of(found) is wanted


@pytest.mark.parametrize(
    ("sameness", "judged", "wanted"),
    [
        (Sameness.IDENTICAL, DRAFTED, True),
        (Sameness.NEAR_TIE, DRAFTED, True),
        (Sameness.RESAMPLED, REJECTION, True),
        (Sameness.DIFFERS, DRAFTED, False),
        (Sameness.IDENTICAL, LOSSY, False),  # the next text may differ
    ],
)
def test_another_kind_of_text_is_not_faithful(sameness: Sameness, judged: Variant, wanted: bool) -> None:
    assert is_faithful(sameness, judged, OFF) is wanted
