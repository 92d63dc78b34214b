"""Parsed arguments as the engine's options."""

from argparse import Namespace
from pathlib import Path
from typing import TypeVar

from app.core.errors import OptionsError
from app.core.options import (
    LONGEST_DRAFT,
    AcceptanceRule,
    CacheType,
    DraftLength,
    LoadOptions,
    SamplingOptions,
    SpeculationMode,
    SpeculationOptions,
    Switch,
)

Number = TypeVar("Number", int, float)
Options = TypeVar("Options", LoadOptions, SamplingOptions, SpeculationOptions)


def load_options(arguments: Namespace, longest_draft: int = LONGEST_DRAFT) -> LoadOptions:
    """How the models are loaded; the target is prepared for drafts of so many tokens."""
    return _checked(
        LoadOptions(
            context_length=arguments.ctx,
            threads=arguments.threads,
            batch_size=arguments.batch,
            gpu_layers=arguments.gpu_layers,
            flash_attention=Switch(arguments.flash_attention),
            k_cache_type=CacheType(arguments.k_cache),
            v_cache_type=CacheType(arguments.v_cache),
            mmap=Switch(arguments.mmap),
            keep_in_memory=arguments.keep_in_memory,
            rope_frequency_base=arguments.rope_base,
            rope_frequency_scale=arguments.rope_scale,
            longest_draft=longest_draft,
        )
    )


def speculation_options(arguments: Namespace, mode: SpeculationMode) -> SpeculationOptions:
    """How long drafts are, and the acceptance rule. `--draft-max` holds under either policy."""
    length = DraftLength(arguments.policy)
    defaults = SpeculationOptions()
    least, lowest = arguments.draft_min, arguments.draft_p_min
    if length is DraftLength.AUTOMATIC and not (least is None and lowest is None):
        raise OptionsError("--draft-min and --draft-p-min are for a fixed draft length: add --policy fixed.")
    return _checked(
        SpeculationOptions(
            mode=mode,
            draft_length=length,
            draft_ceiling=_given(arguments.draft_max, defaults.draft_ceiling),
            max_draft_tokens=_given(arguments.draft_max, defaults.max_draft_tokens),
            min_draft_tokens=_given(least, defaults.min_draft_tokens),
            draft_probability=_given(lowest, defaults.draft_probability),
            acceptance=AcceptanceRule(arguments.accept),
            difference_limit=arguments.difference,
            ratio_limit=arguments.ratio,
            top_k_limit=arguments.among,
            lookup_shortest=arguments.lookup_min,
            lookup_longest=arguments.lookup_max,
        )
    )


def sampling_options(arguments: Namespace) -> SamplingOptions:
    """How tokens are drawn."""
    return _checked(
        SamplingOptions(
            temperature=arguments.temperature,
            top_k=arguments.top_k,
            top_p=arguments.top_p,
            min_p=arguments.min_p,
            repeat_penalty=arguments.repeat_penalty,
            presence_penalty=arguments.presence_penalty,
            frequency_penalty=arguments.frequency_penalty,
            seed=arguments.seed,
            grammar=_text(arguments.grammar),
            json_schema=_text(arguments.json_schema),
        )
    )


def _given(value: Number | None, default: Number) -> Number:
    return default if value is None else value


def _checked(options: Options) -> Options:
    if problems := options.problems():
        raise OptionsError("; ".join(problems))
    return options


def _text(path: Path | None) -> str | None:
    if path is None:
        return None
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise OptionsError(f"{path} is not a text in UTF-8.") from error
