"""`slipstream demo`: the comparison on a model small enough for any computer."""

import sys
from argparse import Namespace
from pathlib import Path

from app.commands.bench import ONE_OF_EACH, compare, prompts_of_suite
from app.commands.modes import BenchMode, variants_of
from app.comparison_tables import as_markdown, as_text
from app.core.experiment import ExperimentKind, Plan
from app.core.options import (
    DraftLength,
    GenerationLimits,
    LoadOptions,
    SamplingOptions,
    SpeculationOptions,
)
from app.engine.llama import Library
from app.figures import bytes_text

_MAX_DRAFT_TOKENS = 7
_CONTEXT_LENGTH = 2048

_INTRODUCTION = """\
Target: {target}, {target_size}
Draft:  {draft}, {draft_size}
Both hold the same weights: the target is an F32 copy of the draft model, made once, so that there is a
large model and a small one to compare on any computer. Every prompt is answered without a draft, with
the draft model and with prompt lookup at a fixed length (up to {longest} tokens a draft), and with the draft
length left to Slipstream ("auto"), greedily, up to {tokens} tokens.
"""


def run(arguments: Namespace) -> int:
    """Makes the target if it is not there yet, compares, prints the table; returns the exit code."""
    target = full_precision_copy(arguments.draft)
    print(
        _INTRODUCTION.format(
            target=target.name,
            target_size=bytes_text(target.stat().st_size),
            draft=arguments.draft.name,
            draft_size=bytes_text(arguments.draft.stat().st_size),
            longest=_MAX_DRAFT_TOKENS,
            tokens=arguments.max_tokens,
        )
    )
    speculation = SpeculationOptions(draft_length=DraftLength.FIXED, max_draft_tokens=_MAX_DRAFT_TOKENS)
    plan = Plan(
        kind=ExperimentKind.SUITE,
        variants=variants_of(tuple(BenchMode), speculation, arguments.draft),
        prompts=prompts_of_suite(ONE_OF_EACH),
        repeats=1,
        sampling=SamplingOptions(temperature=0.0),
        limits=GenerationLimits(max_tokens=arguments.max_tokens),
    )
    options = LoadOptions(context_length=_CONTEXT_LENGTH)
    experiment = compare(target, arguments.draft, options, plan)
    print(as_markdown(experiment) if arguments.markdown else as_text(experiment))
    return 0


def full_precision_copy(source: Path) -> Path:
    """The F32 copy beside a quantised file, made by llama.cpp unless it is there. Raises LoadError."""
    destination = source.with_name(source.name.replace(".Q4_1", "").removesuffix(".gguf") + ".F32.gguf")
    if not destination.exists():
        print(f"Making {destination.name} …", file=sys.stderr)
        partial = destination.with_suffix(".part")
        try:
            Library().make_full_precision_copy(source, partial)
            partial.replace(destination)
        finally:
            partial.unlink(missing_ok=True)
    return destination
