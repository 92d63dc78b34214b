"""Variants in words, and their ids."""

import pytest
from msgspec.structs import replace

from app.core.experiment import ModelIdentity, Variant
from app.core.options import AcceptanceRule, DraftLength, SpeculationMode, SpeculationOptions
from app.ui.variant_words import full_variant_id, variant_id, variant_text

DRAFT = ModelIdentity("Qwen2.5 0.5B", "Q8_0", "qwen.gguf", 500_000_000)
OFF = SpeculationOptions(max_draft_tokens=7, min_draft_tokens=2)
FIXED_DRAFT = SpeculationOptions(SpeculationMode.DRAFT_MODEL, DraftLength.FIXED)
PLAIN_DRAFT = replace(FIXED_DRAFT, max_draft_tokens=5)
LOOKUP = SpeculationOptions(SpeculationMode.PROMPT_LOOKUP, DraftLength.FIXED)
CAREFUL = replace(FIXED_DRAFT, max_draft_tokens=8, min_draft_tokens=2, draft_probability=0.4)
AUTO = replace(CAREFUL, draft_length=DraftLength.AUTOMATIC)
AUTO_LOOKUP = SpeculationOptions(SpeculationMode.PROMPT_LOOKUP)


@pytest.mark.parametrize(
    ("speculation", "words"),
    [
        (OFF, "Off"),
        (PLAIN_DRAFT, "Draft Model · max 5"),
        (LOOKUP, "Prompt Lookup · max 3"),
        (CAREFUL, "Draft Model · max 8 · min 2 · probability 0.4"),
        (AUTO, "Draft Model · automatic"),
        (AUTO_LOOKUP, "Prompt Lookup · automatic"),
        (replace(AUTO, draft_ceiling=8), "Draft Model · automatic · max 8"),
    ],
)
def test_what_is_not_the_default_is_told_after_the_length(
    speculation: SpeculationOptions, words: str
) -> None:
    assert variant_text(Variant("x", speculation)) == words


@pytest.mark.parametrize(
    ("rule", "end"),
    [
        (AcceptanceRule.MATCH, ""),
        (AcceptanceRule.REJECTION, " · Rejection sampling"),
        (AcceptanceRule.DIFFERENCE, " · Difference 0.3"),
        (AcceptanceRule.RATIO, " · Ratio 0.3"),
        (AcceptanceRule.TOP_K, " · Top-k 3"),
    ],
)
def test_a_rule_that_is_not_the_usual_one_is_told_with_its_limit(rule: AcceptanceRule, end: str) -> None:
    assert variant_text(Variant("x", replace(LOOKUP, acceptance=rule))) == f"Prompt Lookup · max 3{end}"
    assert variant_text(Variant("x", replace(AUTO, acceptance=rule))) == f"Draft Model · automatic{end}"


@pytest.mark.parametrize("speculation", [CAREFUL, AUTO])
def test_of_a_swept_length_the_other_fixed_numbers_are_told(speculation: SpeculationOptions) -> None:
    text = variant_text(Variant("x", speculation), with_length=False)

    assert text == "Draft Model · min 2 · probability 0.4"


def test_prompt_lookup_has_no_probability_to_tell() -> None:
    speculation = replace(LOOKUP, draft_probability=0.4)

    assert variant_text(Variant("x", speculation)) == "Prompt Lookup · max 3"
    assert full_variant_id(speculation) == "lookup max 3"


def test_the_draft_model_is_named_where_that_is_asked_for() -> None:
    variant = Variant("x", PLAIN_DRAFT, DRAFT)

    assert variant_text(variant) == "Draft Model · max 5"
    assert variant_text(variant, with_draft=True) == "Draft Model · max 5 · Qwen2.5 0.5B · Q8_0"


@pytest.mark.parametrize(
    ("speculation", "short", "full"),
    [
        (OFF, "off", "off"),
        (PLAIN_DRAFT, "draft max 5", "draft max 5"),
        (LOOKUP, "lookup max 3", "lookup max 3"),
        (CAREFUL, "draft max 8", "draft max 8 min 2 probability 0.4"),
        (
            replace(LOOKUP, acceptance=AcceptanceRule.TOP_K),
            "lookup max 3",
            "lookup max 3 top-k 3",
        ),
        (
            replace(FIXED_DRAFT, acceptance=AcceptanceRule.REJECTION),
            "draft max 3",
            "draft max 3 rejection",
        ),
        (AUTO, "auto", "auto"),
        (AUTO_LOOKUP, "lookup auto", "lookup auto"),
        (
            replace(AUTO, draft_ceiling=8, acceptance=AcceptanceRule.TOP_K),
            "auto",
            "auto max 8 top-k 3",
        ),
    ],
)
def test_ids_are_short_and_grow_only_where_they_must(
    speculation: SpeculationOptions, short: str, full: str
) -> None:
    assert variant_id(speculation) == short
    assert full_variant_id(speculation) == full
