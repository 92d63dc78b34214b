"""`slipstream bench`: the same prompts with and without drafting."""

import sys
import time
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from app.bootstrap import pair_loader
from app.commands.arguments import load_options, sampling_options, speculation_options
from app.commands.interrupts import load_progress
from app.commands.modes import chosen_modes, variants_of
from app.commands.preparation import prepare
from app.comparison_tables import as_markdown, as_text
from app.core.compare import experiment_of
from app.core.errors import OptionsError
from app.core.experiment import Experiment, ExperimentKind, MemoryUse, Plan, PlannedRun, Variant
from app.core.experiment_file import to_json
from app.core.machine import describe_machine
from app.core.options import LONGEST_DRAFT, GenerationLimits, LoadOptions, SpeculationMode
from app.core.prompts import Prompt, load_suites, prompt_from_file
from app.engine.experiment import Laboratory
from app.engine.pair import ModelPair
from app.engine.thread import EngineThread
from app.models.info import read_info
from app.models.model_identity import model_identity
from app.paths import resource
from app.tables import printable
from app.terminal import ProgressBar

EVERY_SUITE = "all"
ONE_OF_EACH = "short"


def run(arguments: Namespace) -> int:
    """Loads the pair, runs the plan, prints the table; returns the exit code."""
    variants = variants_of(
        chosen_modes(arguments), speculation_options(arguments, SpeculationMode.OFF), arguments.draft
    )
    prompts = _prompts(arguments.prompt_file, arguments.suite)
    plan = Plan(
        kind=kind_of(variants, prompts),
        variants=variants,
        prompts=prompts,
        repeats=arguments.repeat,
        sampling=sampling_options(arguments),
        limits=GenerationLimits(max_tokens=arguments.max_tokens),
    )
    draft = arguments.draft if any(variant.draft is not None for variant in variants) else None
    longest = max((each.speculation.longest for each in variants if each.drafts), default=LONGEST_DRAFT)
    experiment = compare(arguments.target, draft, load_options(arguments, longest), plan)
    if arguments.json is not None:
        arguments.json.write_bytes(to_json(experiment))
    print(as_markdown(experiment) if arguments.markdown else as_text(experiment))
    return 0


def kind_of(variants: Sequence[Variant], prompts: Sequence[Prompt]) -> ExperimentKind:
    """Two ways to answer one prompt stand side by side; anything else is a table."""
    is_pair = len(variants) == 2 and len(prompts) == 1
    return ExperimentKind.PROMPT if is_pair else ExperimentKind.SUITE


def compare(target: Path, draft: Path | None, options: LoadOptions, plan: Plan) -> Experiment:
    """Loads a pair, carries out a plan with progress on standard error, and frees the pair."""
    plan.check()
    with EngineThread() as engine:
        loader = engine.call(pair_loader)
        with load_progress() as show:
            pair = engine.call(lambda: loader.load(target, draft, options, show))
        try:
            if draft is not None and pair.draft_refusal is not None:
                raise OptionsError(pair.draft_refusal.sentence)
            if pair.refusal is not None and any(variant.drafts for variant in plan.variants):
                print(f"slipstream: {printable(pair.refusal.sentence)}", file=sys.stderr)
            for variant in plan.variants:
                prepare(engine, pair, variant.speculation)
            estimated = loader.estimate(target, draft, options)
            memory = MemoryUse(
                target_bytes=pair.target_bytes,
                draft_bytes={each.id: pair.draft_bytes for each in plan.variants if each.draft is not None},
                estimated_bytes=estimated.known_bytes if estimated.is_complete else None,
            )
            return _carried_out(Laboratory(engine, pair, plan), pair, plan, options, memory)
        finally:
            pair.close()


def prompts_of_suite(name: str) -> tuple[Prompt, ...]:
    """Built-in prompts: those of one suite, of all, or the first of each. Raises OptionsError."""
    suites = load_suites(resource("prompts"))
    if name == EVERY_SUITE:
        return tuple(prompt for suite in suites for prompt in suite.prompts)
    if name == ONE_OF_EACH:
        return tuple(suite.prompts[0] for suite in suites)
    for suite in suites:
        if suite.name == name:
            return suite.prompts
    names = ", ".join(suite.name for suite in suites)
    raise OptionsError(f"There is no suite called {name}. There are: {names}, {EVERY_SUITE}, {ONE_OF_EACH}.")


def _carried_out(
    laboratory: Laboratory, pair: ModelPair, plan: Plan, options: LoadOptions, memory: MemoryUse
) -> Experiment:
    created = time.time()
    with ProgressBar("Comparing") as bar:

        def show(planned: PlannedRun, done: int, of: int) -> None:
            bar.update(done / of, f"{planned.prompt}, {planned.variant} ({done + 1} of {of})")

        runs = laboratory.run(show)
    return experiment_of(
        plan,
        runs,
        laboratory.differences(runs),
        created=created,
        machine=describe_machine(pair.target.model.library.version),
        target=model_identity(read_info(pair.target.model.path)),
        load=options,
        memory=memory,
    )


def _prompts(file: Path | None, suite: str | None) -> tuple[Prompt, ...]:
    if file is not None:
        return prompt_from_file(file)
    return prompts_of_suite(suite or ONE_OF_EACH)
