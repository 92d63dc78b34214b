"""Whether a text is the reference's, in words."""

import pytest

from app.core.experiment import FirstDifference
from app.core.options import AcceptanceRule
from app.core.sameness import Sameness
from app.ui.sameness_words import choice_text, count_parts, rule_cautions, sameness_parts
from app.ui.sentence_parts import Emphasis, plain
from tests.fakes.experiments import draft_variant

NEAR, FAR, UNKNOWN = (FirstDifference(1233, 1, 2, near_tie=near) for near in (True, False, None))


@pytest.mark.parametrize(
    ("sameness", "difference", "words"),
    [
        (Sameness.IDENTICAL, None, "Output identical, 1,096 of 1,096 tokens."),
        (Sameness.NEAR_TIE, NEAR, "Output differs from token 1,234 on, at a near-tie."),
        (Sameness.RESAMPLED, FAR, "Output differs from token 1,234 on, as it may with rejection sampling."),
        (Sameness.DIFFERS, FAR, "Output differs from token 1,234 on, and not at a near-tie."),
        (Sameness.DIFFERS, UNKNOWN, "Output differs from token 1,234 on."),
        (Sameness.DIFFERS, NEAR, "Output differs from token 1,234 on."),  # under a rule that changes it
        (None, None, ""),
    ],
)
def test_of_one_text(sameness: Sameness | None, difference: FirstDifference | None, words: str) -> None:
    parts = sameness_parts(sameness, difference, 1096)
    assert plain(parts) == words
    warned = [part for part in parts if part.emphasis is Emphasis.WARNING]
    assert bool(warned) is (sameness is Sameness.DIFFERS)


def test_of_a_single_token() -> None:
    assert plain(sameness_parts(Sameness.IDENTICAL, None, 1)) == "Output identical, 1 of 1 token."


@pytest.mark.parametrize(
    ("sameness", "words"),
    [
        (Sameness.IDENTICAL, "Output identical on all of them."),
        (Sameness.NEAR_TIE, "Output identical on 5 of 8, the rest near-ties."),
        (Sameness.RESAMPLED, "Output identical on 5 of 8, the rest drawn anew by rejection sampling."),
        (Sameness.DIFFERS, "Output differs on 2 of 8."),
        (None, ""),
    ],
)
def test_of_several(sameness: Sameness | None, words: str) -> None:
    assert plain(count_parts(sameness, 5, 2, 8)) == words


@pytest.mark.parametrize(
    ("sameness", "words"),
    [
        (Sameness.DIFFERS, "Faster, but not the same text: your choice."),
        (Sameness.IDENTICAL, "The same text here, but this rule may change others."),
        (None, "Faster, but this rule may change the text: your choice."),
    ],
)
def test_a_choice_says_no_more_than_was_seen(sameness: Sameness | None, words: str) -> None:
    assert choice_text(sameness) == words


def test_rules_that_may_change_the_text() -> None:
    one, other = (
        draft_variant("a", rule=AcceptanceRule.TOP_K),
        draft_variant("b", 2, rule=AcceptanceRule.RATIO),
    )
    assert rule_cautions([]) == ()
    assert rule_cautions([one]) == ("The acceptance rule (Top-k) may change the text.",)
    first, second = rule_cautions([one, other])
    assert first.startswith("The acceptance rule of “Draft Model · max 5 · Top-k ")
    assert second.endswith("” (Ratio) may change the text.")
