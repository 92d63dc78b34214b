"""The settings' own consistency."""

import pytest
from msgspec.structs import replace

from app.core.options import (
    LONGEST_CONTEXT,
    AcceptanceRule,
    CacheType,
    DraftLength,
    GenerationLimits,
    LoadOptions,
    SamplingOptions,
    SpeculationMode,
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
    assert (options.draft_length, options.draft_ceiling) == (DraftLength.AUTOMATIC, 16)
    assert (options.max_draft_tokens, options.min_draft_tokens, options.draft_probability) == (3, 0, 0.0)
    assert options.acceptance is AcceptanceRule.MATCH


@pytest.mark.parametrize("mode", SpeculationMode)
def test_the_longest_draft_is_that_of_the_length_that_was_chosen(mode: SpeculationMode) -> None:
    options = SpeculationOptions(mode, draft_ceiling=9, max_draft_tokens=4)
    fixed = replace(options, draft_length=DraftLength.FIXED)
    assert (options.longest, fixed.longest) == (9, 4)
    assert options.is_automatic is (mode is not SpeculationMode.OFF), "nothing is automatic where none drafts"
    assert not fixed.is_automatic


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (SpeculationOptions(max_draft_tokens=2, min_draft_tokens=3), "cannot be more than max"),
        (SpeculationOptions(max_draft_tokens=0), "max draft tokens must be between 1 and 16"),
        (SpeculationOptions(draft_ceiling=0), "an automatic draft must be between 1 and 16"),
        (SpeculationOptions(draft_ceiling=17), "an automatic draft must be between 1 and 16"),
        (SpeculationOptions(min_draft_tokens=-1), "negative"),
        (SpeculationOptions(draft_probability=1.1), "between 0 and 1"),
        (SpeculationOptions(lookup_shortest=5), "shortest first"),
        (SpeculationOptions(top_k_limit=0), "at least 1"),
        (SpeculationOptions(ratio_limit=0.0), "above 0"),
        (SpeculationOptions(difference_limit=0.0), "above 0"),
        (LoadOptions(context_length=3), "at least 8"),
        (LoadOptions(context_length=99_999_999), "at most 16,777,216 tokens"),
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


@pytest.mark.parametrize(
    ("options", "made_for", "longest"),
    [
        (LoadOptions(), 2048, 2048),
        (LoadOptions(rope_frequency_scale=0.5), 2048, 8192),
        (LoadOptions(rope_frequency_base=1e6), 2048, 8192),
        (LoadOptions(), None, LONGEST_CONTEXT),
        (LoadOptions(rope_frequency_base=1e6), LONGEST_CONTEXT, LONGEST_CONTEXT),
    ],
)
def test_a_context_is_no_longer_than_the_model_was_made_for(
    options: LoadOptions, made_for: int | None, longest: int
) -> None:
    assert options.longest_context(made_for) == longest
    assert replace(options, context_length=longest).context_problem(made_for) is None
    too_long = replace(options, context_length=longest + 1)
    assert f"at most {longest:,} tokens" in (too_long.context_problem(made_for) or "")
    assert too_long.fitted_to(made_for).context_length == longest


def test_the_models_own_length_and_shorter_ones_fit_any_model() -> None:
    for length in (0, 8, 512):
        options = LoadOptions(context_length=length)
        assert options.context_problem(512) is None
        assert options.fitted_to(512) == options


def test_a_draft_model_gets_no_more_context_than_it_was_made_for_and_its_own_rope() -> None:
    options = LoadOptions(context_length=0, rope_frequency_base=5000.0, threads=3)
    fitted = options.for_draft(target_context=8192, draft_context=2048)
    assert (fitted.context_length, fitted.rope_frequency_base, fitted.threads) == (2048, None, 3)
    assert options.for_draft(8192, None).context_length == 8192
