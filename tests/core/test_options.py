"""The settings' own consistency."""

import pytest

from app.core.options import (
    AcceptanceRule,
    CacheType,
    GenerationLimits,
    LoadOptions,
    SamplingOptions,
    SpeculationOptions,
    Switch,
)


@pytest.mark.parametrize(
    "group", [LoadOptions(), SpeculationOptions(), SamplingOptions(), GenerationLimits()]
)
def test_the_defaults_hold_together(
    group: LoadOptions | SpeculationOptions | SamplingOptions | GenerationLimits,
) -> None:
    assert group.problems() == []


def test_the_drafting_defaults_are_the_ones_people_know() -> None:
    options = SpeculationOptions()
    assert (options.max_draft_tokens, options.min_draft_tokens, options.draft_probability) == (3, 0, 0.0)
    assert options.acceptance is AcceptanceRule.MATCH


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (SpeculationOptions(max_draft_tokens=2, min_draft_tokens=3), "cannot be more than max"),
        (SpeculationOptions(max_draft_tokens=0), "between 1 and 16"),
        (SpeculationOptions(min_draft_tokens=-1), "negative"),
        (SpeculationOptions(draft_probability=1.1), "between 0 and 1"),
        (SpeculationOptions(lookup_shortest=5), "shortest first"),
        (SpeculationOptions(top_k_limit=0), "at least 1"),
        (SpeculationOptions(ratio_limit=0.0), "above 0"),
        (SpeculationOptions(difference_limit=0.0), "above 0"),
        (LoadOptions(context_length=3), "at least 8"),
        (LoadOptions(threads=-1), "negative"),
        (LoadOptions(batch_size=0), "at least 1"),
        (LoadOptions(gpu_layers=-2), "-1"),
        (LoadOptions(longest_draft=65), "between 0 and 64"),
        (LoadOptions(v_cache_type=CacheType.Q8_0, flash_attention=Switch.OFF), "flash attention"),
        (GenerationLimits(max_tokens=-1), "negative"),
        (GenerationLimits(stop_strings=("a", "")), "empty"),
    ],
)
def test_what_does_not_hold_together_is_named(
    options: LoadOptions | SpeculationOptions | GenerationLimits, words: str
) -> None:
    (sentence,) = options.problems()
    assert words in sentence


def test_a_draft_model_gets_no_more_context_than_it_was_made_for_and_its_own_rope() -> None:
    options = LoadOptions(context_length=0, rope_frequency_base=5000.0, threads=3)
    fitted = options.for_draft(target_context=8192, draft_context=2048)
    assert (fitted.context_length, fitted.rope_frequency_base, fitted.threads) == (2048, None, 3)
    assert options.for_draft(8192, None).context_length == 8192
