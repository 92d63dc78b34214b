"""In which settings two configs differ, and what needs a reload."""

from pathlib import Path

from msgspec import structs
from msgspec.structs import replace

from app.core.options import (
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
from app.settings import ModelConfig
from app.ui.config_changes import changes_between
from app.ui.session_state import needs_reload

PLAIN = ModelConfig()
DRAFTED = ModelConfig(
    speculation=SpeculationOptions(mode=SpeculationMode.DRAFT_MODEL), draft=Path("/m/draft.gguf")
)
OTHER = ModelConfig(
    load=LoadOptions(
        context_length=0,
        threads=3,
        batch_size=64,
        gpu_layers=5,
        flash_attention=Switch.ON,
        k_cache_type=CacheType.Q8_0,
        v_cache_type=CacheType.Q4_0,
        mmap=Switch.OFF,
        keep_in_memory=True,
        rope_frequency_base=10000.0,
        rope_frequency_scale=0.5,
        longest_draft=8,
    ),
    speculation=SpeculationOptions(
        mode=SpeculationMode.PROMPT_LOOKUP,
        draft_length=DraftLength.FIXED,
        draft_ceiling=9,
        max_draft_tokens=8,
        min_draft_tokens=1,
        draft_probability=0.75,
        acceptance=AcceptanceRule.RATIO,
        difference_limit=0.1,
        ratio_limit=0.2,
        top_k_limit=9,
        lookup_longest=5,
        lookup_shortest=3,
    ),
    sampling=SamplingOptions(
        temperature=0.0,
        top_k=0,
        top_p=0.5,
        min_p=0.1,
        repeat_penalty=1.1,
        presence_penalty=0.1,
        frequency_penalty=0.2,
        penalty_window=8,
        grammar="root ::= [a-z]",
        json_schema="{}",
    ),
    limits=GenerationLimits(max_tokens=100, stop_strings=("User:",)),
    system_prompt="Be brief.",
    seed=7,
)


def texts(in_force: ModelConfig, wanted: ModelConfig, *, reload: bool) -> list[str]:
    return [change.text for change in changes_between(in_force, wanted) if change.needs_reload is reload]


def with_speculation(config: ModelConfig, **values: object) -> ModelConfig:
    return replace(config, speculation=replace(config.speculation, **values))


def test_equal_configs_do_not_differ() -> None:
    assert changes_between(OTHER, OTHER) == ()


def test_load_options_need_a_reload_and_are_told_with_what_is_in_force() -> None:
    wanted = replace(PLAIN, load=replace(PLAIN.load, context_length=8192, v_cache_type=CacheType.Q8_0))

    assert texts(PLAIN, wanted, reload=True) == [
        "Context Length (4,096 in force)",
        "V Cache Quantization Type (F16 in force)",
    ]
    assert texts(PLAIN, wanted, reload=False) == []


def test_sampling_limits_prompt_and_seed_apply_to_the_next_answer() -> None:
    wanted = replace(
        PLAIN,
        sampling=replace(PLAIN.sampling, temperature=0.0),
        limits=GenerationLimits(max_tokens=50),
        system_prompt="Be brief.",
        seed=7,
    )

    assert texts(PLAIN, wanted, reload=False) == [
        "Temperature (0.80 in force)",
        "Max Tokens (no limit in force)",
        "Seed (random in force)",
        "System Prompt",
    ]
    assert texts(PLAIN, wanted, reload=True) == []


def test_the_switch_of_speculation_needs_no_reload_while_the_draft_is_in_memory() -> None:
    switched_off = replace(DRAFTED, speculation=replace(DRAFTED.speculation, mode=SpeculationMode.OFF))

    assert texts(DRAFTED, switched_off, reload=False) == ["Speculative Decoding (Draft Model in force)"]
    assert texts(switched_off, DRAFTED, reload=False) == ["Speculative Decoding (Off in force)"]


def test_a_draft_that_is_not_in_memory_needs_a_reload() -> None:
    assert texts(PLAIN, DRAFTED, reload=True) == [
        "Speculative Decoding (Off in force)",
        "Draft Model (none in force)",
    ]
    other = replace(DRAFTED, draft=Path("/m/other.gguf"))
    assert texts(DRAFTED, other, reload=True) == ["Draft Model (draft.gguf in force)"]


def test_a_remembered_draft_makes_no_difference_while_speculation_is_off() -> None:
    assert changes_between(PLAIN, replace(PLAIN, draft=Path("/m/draft.gguf"))) == ()


def test_another_draft_length_says_it_all() -> None:
    """In force nowhere are three tokens at most, nor seven."""
    fixed = with_speculation(DRAFTED, draft_length=DraftLength.FIXED, max_draft_tokens=7)

    assert texts(DRAFTED, fixed, reload=False) == ["Draft length (Automatic in force)"]
    assert texts(fixed, DRAFTED, reload=False) == ["Draft length (Fixed in force)"]


def test_only_the_numbers_of_the_draft_length_in_use_make_a_difference() -> None:
    fixed = with_speculation(DRAFTED, draft_length=DraftLength.FIXED)

    for config, told in ((DRAFTED, "Max draft tokens, automatic (16 in force)"), (fixed, None)):
        found = texts(config, with_speculation(config, draft_ceiling=8), reload=False)
        assert found == ([] if told is None else [told])
    for config, told in ((DRAFTED, None), (fixed, "Max draft tokens (3 in force)")):
        found = texts(config, with_speculation(config, max_draft_tokens=8), reload=False)
        assert found == ([] if told is None else [told])


def test_the_seed_of_the_sampling_options_is_not_used() -> None:
    assert changes_between(PLAIN, replace(PLAIN, sampling=SamplingOptions(seed=5))) == ()


def test_every_setting_has_a_name() -> None:
    count = sum(
        len(structs.fields(group))
        for group in (LoadOptions, SpeculationOptions, SamplingOptions, GenerationLimits)
    )

    for start, end in ((PLAIN, OTHER), (OTHER, PLAIN)):
        labels = {change.label for change in changes_between(start, end)}
        for length in DraftLength:  # each has numbers of its own
            both = (with_speculation(config, draft_length=length) for config in (start, end))
            labels |= {change.label for change in changes_between(*both)}
        assert len(labels) == count + 1, "the system prompt; the seed counts once"


def test_reloads_are_told_exactly_where_the_session_needs_them() -> None:
    for in_force in (PLAIN, DRAFTED, OTHER):
        for wanted in (PLAIN, DRAFTED, OTHER):
            told = any(change.needs_reload for change in changes_between(in_force, wanted))
            assert told is needs_reload(in_force, wanted)
