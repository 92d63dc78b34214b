"""`slipstream bench`: the same prompts with and without drafting."""

import sys
from argparse import Namespace
from pathlib import Path

from app.bootstrap import pair_loader
from app.commands.arguments import load_options, sampling_options, speculation_options
from app.commands.interrupts import load_progress
from app.core.compare import Experiment, MemoryUse, Mode, PlannedRun, summarise, to_json, totals
from app.core.errors import OptionsError
from app.core.machine import describe_machine, memory_in_use, peak_rss_bytes
from app.core.options import GenerationLimits, LoadOptions, SpeculationMode
from app.core.prompts import Prompt, load_suites, prompt_from_file
from app.engine.experiment import Laboratory, Plan
from app.engine.pair import ModelPair
from app.engine.thread import EngineThread
from app.figures import bytes_text
from app.paths import resource
from app.report import comparison_table, markdown_table
from app.terminal import ProgressBar, printable

EVERY_SUITE = "all"
ONE_OF_EACH = "short"


def run(arguments: Namespace) -> int:
    """Loads the pair, runs the plan, prints the table; returns the exit code."""
    modes = _modes(arguments.modes, arguments.draft)
    plan = Plan(
        modes=modes,
        prompts=_prompts(arguments.prompt_file, arguments.suite),
        repeats=arguments.repeat,
        sampling=sampling_options(arguments),
        speculation=speculation_options(arguments, SpeculationMode.OFF),
        limits=GenerationLimits(max_tokens=arguments.max_tokens),
    )
    draft = arguments.draft if Mode.DRAFT in modes else None
    experiment = compare(arguments.target, draft, load_options(arguments), plan)
    if arguments.json is not None:
        arguments.json.write_bytes(to_json(experiment))
    print(report(experiment, plan, markdown=arguments.markdown))
    return 0


def compare(target: Path, draft: Path | None, options: LoadOptions, plan: Plan) -> Experiment:
    """Loads a pair, carries out a plan with progress on standard error, and frees the pair."""
    before = memory_in_use()
    with EngineThread() as engine:
        loader = engine.call(pair_loader)
        with load_progress() as show:
            pair = engine.call(lambda: loader.load(target, draft, options, show))
        try:
            if draft is not None and pair.draft_refusal is not None:
                raise OptionsError(pair.draft_refusal.sentence)
            if pair.refusal is not None and plan.modes != (Mode.OFF,):
                print(f"slipstream: {printable(pair.refusal.sentence)}", file=sys.stderr)
            estimated = loader.estimate(target, draft, options)
            known = estimated.known_bytes if estimated.is_complete else None
            return _carried_out(Laboratory(engine, pair, plan), pair, before, known)
        finally:
            pair.close()


def report(experiment: Experiment, plan: Plan, *, markdown: bool = False) -> str:
    """The table, with what it was measured on."""
    machine, memory = experiment.machine, experiment.memory
    loaded = f"Target {bytes_text(memory.target_bytes)} in memory"
    if memory.draft_bytes:
        loaded += f", draft model {bytes_text(memory.draft_bytes)} more"
    notes = [
        f"{machine.processor}, {machine.physical_cores} cores, {bytes_text(machine.memory_bytes)} of memory; "
        f"{machine.engine_version}.",
        f"{loaded}.",
    ]
    if plan.speculation.acceptance.changes_output:
        notes.append(f"The acceptance rule “{plan.speculation.acceptance}” changes the output.")
    table = markdown_table if markdown else comparison_table
    return table(experiment.summary, experiment.totals, notes)


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


def _carried_out(laboratory: Laboratory, pair: ModelPair, before: int, estimated: int | None) -> Experiment:
    with ProgressBar("Comparing") as bar:

        def show(planned: PlannedRun, done: int, of: int) -> None:
            bar.update(done / of, f"{planned.prompt}, {planned.mode} ({done + 1} of {of})")

        runs = laboratory.run(show)
    summary = summarise(runs, laboratory.explain)
    return Experiment(
        machine=describe_machine(pair.target.model.library.version),
        memory=MemoryUse(before, pair.target_bytes, pair.draft_bytes, peak_rss_bytes(), estimated),
        runs=runs,
        summary=summary,
        totals=totals(runs, summary),
    )


def _modes(text: str | None, draft: Path | None) -> tuple[Mode, ...]:
    """The modes asked for; by default all that are possible."""
    if text is None:
        return tuple(mode for mode in Mode if mode is not Mode.DRAFT or draft is not None)
    try:
        modes = tuple(Mode(name.strip()) for name in text.split(","))
    except ValueError as error:
        names = ", ".join(mode.value for mode in Mode)
        raise OptionsError(f"The modes are {names}, separated by commas; not “{text}”.") from error
    if Mode.DRAFT in modes and draft is None:
        raise OptionsError("The mode “draft” needs a draft model: give one with --draft.")
    return modes


def _prompts(file: Path | None, suite: str | None) -> tuple[Prompt, ...]:
    if file is not None:
        return prompt_from_file(file)
    return prompts_of_suite(suite or ONE_OF_EACH)
