"""Whether automatic drafting is never slower, and as fast as the best setting one could have picked. By hand:

    python -m tests.benchmarks.automatic_speed --pair TARGET.gguf DRAFT.gguf [--pair ...] --json FILE

Every prompt suite, greedy and with temperature 0.7, in these ways: off, several fixed draft lengths, prompt
lookup, automatic, and automatic with a draft model that has not read the prompt; the repeats interleaved,
A B B A. Prints for every prompt the median speeds, automatic
against off and against the best fixed way in hindsight, how near it comes to what perfect guesses would give,
and whether its answer is off's; for every pair the geometric means. Ends with exit code 1 where a bound of
automatic_bounds.py is missed. Whole suites take hours: what is in FILE already is not measured again.

Automatic drafting starts with nothing learnt, and keeps what it learns of a pair as long as this runs.
Speeds count from the first token to the last, as the window shows them: the prompt is in both caches when an
answer begins. What it costs that the draft model reads it is in "unread", whose whole time, from the question
to the last token, is held against that of off, the target having read the prompt for both.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from app.bootstrap import pair_loader
from app.core.compare import WARM_UP_TOKENS
from app.core.deviations import Deviation, first_difference
from app.core.errors import OptionsError, SlipstreamError
from app.core.experiment import PlannedRun, Run
from app.core.machine import Machine, describe_machine
from app.core.options import (
    LONGEST_DRAFT,
    DraftLength,
    GenerationLimits,
    LoadOptions,
    SamplingOptions,
    SpeculationMode,
    SpeculationOptions,
)
from app.core.pass_costs import PassCosts
from app.core.prompts import Prompt, load_suites
from app.core.protocol import Done
from app.core.run_record import RunRecord
from app.engine.llama import Library
from app.engine.pair import ModelPair
from app.engine.stopping import StopSignal
from app.models.info import read_info
from app.models.model_identity import model_identity
from app.paths import resource
from tests.benchmarks.automatic_bounds import (
    AUTO,
    LOOKUP,
    OFF,
    UNREAD,
    Series,
    deviating,
    judged,
    missed_overall,
)
from tests.benchmarks.automatic_tables import foot, head, line


class Settings(Struct, frozen=True):
    """What must be the same for measurements to go on from."""

    machine: Machine
    load: LoadOptions
    tokens: int
    seed: int
    ways: dict[str, SpeculationOptions]


class Measured(Struct, frozen=True):
    """All that is in the file."""

    settings: Settings
    series: tuple[Series, ...] = ()


class Results:
    """What was measured so far, on disk after every repeat where there is a file."""

    def __init__(self, file: Path | None, settings: Settings) -> None:
        """Raises OptionsError where the file holds what was measured in another way."""
        self._file = file
        self._settings = settings
        self._series: list[Series] = []
        if file is not None and file.exists():
            found = msgspec.json.decode(file.read_bytes(), type=Measured)
            if found.settings != settings:
                raise OptionsError(f"{file} was measured with other settings, or on another machine")
            self._series = list(found.series)

    def begin(self, series: Series) -> Series:
        """A series with what is known of it."""
        return next((each for each in self._series if each.is_of(series)), series)

    def keep(self, series: Series) -> None:
        """A series with more in it."""
        self._series = [each for each in self._series if not each.is_of(series)] + [series]
        if self._file is not None:
            half = self._file.with_suffix(".part")
            half.write_bytes(msgspec.json.encode(Measured(self._settings, tuple(self._series))))
            half.replace(self._file)


class Bench:
    """One loaded pair, and the answers that are measured with it."""

    def __init__(self, pair: ModelPair, settings: Settings) -> None:
        self._pair = pair
        self._settings = settings

    def costs(self) -> PassCosts:
        """What passes take now."""
        return self._pair.measure_costs(LONGEST_DRAFT + 1, StopSignal())

    def extended(self, series: Series, prompt: Prompt, repeats: int) -> Iterator[Series]:
        """The series after each repeat of a prompt that it lacks."""
        known = {run.repeat for run in series.runs if run.prompt == prompt.id}
        missing = [repeat for repeat in range(repeats) if repeat not in known]
        if not missing:
            return
        sampling = SamplingOptions(temperature=series.temperature, seed=self._settings.seed)
        ways = list(self._settings.ways)
        self._pair.forget()
        self._answer(PlannedRun(OFF, prompt.id, 0), prompt, sampling, WARM_UP_TOKENS)
        for repeat in missing:
            order = ways if repeat % 2 == 0 else ways[::-1]
            planned = [PlannedRun(way, prompt.id, repeat) for way in order]
            runs = [self._answer(each, prompt, sampling, self._settings.tokens) for each in planned]
            series = self._weighed(replace(series, runs=(*series.runs, *runs)), prompt, sampling)
            yield series

    def _answer(self, planned: PlannedRun, prompt: Prompt, sampling: SamplingOptions, tokens: int) -> Run:
        text = self._pair.prompt_tokens(prompt.messages)
        if self._pair.draft is not None:
            self._pair.draft.clear()
            if planned.variant != UNREAD:
                self._pair.draft.sync(text)
        way, limits = self._settings.ways[planned.variant], GenerationLimits(max_tokens=tokens)
        record = RunRecord(planned)
        for event in self._pair.generate(text, sampling, way, limits, StopSignal()):
            if isinstance(event, Done):
                return record.end(event)
            record.add(event)
        raise RuntimeError("the answer ended without its totals")

    def _weighed(self, series: Series, prompt: Prompt, sampling: SamplingOptions) -> Series:
        """With the place where automatic leaves what off says, weighed by the target."""
        found = deviating(series.runs, prompt.id)
        if found is None or prompt.id in series.differences:
            return series
        difference = first_difference(found[0].tokens, found[1].tokens)
        assert difference is not None
        deviation = Deviation(*found, difference)
        weighing = self._pair.weigh(
            self._pair.prompt_tokens(prompt.messages),
            sampling,
            deviation.shared,
            deviation.candidates,
            StopSignal(),
        )
        weighed = difference.weighed(weighing)
        return replace(series, differences={**series.differences, prompt.id: weighed})


def ways_of(lengths: Sequence[int], lookup: int) -> dict[str, SpeculationOptions]:
    """Every way to answer by its name, off first and automatic last, twice."""
    draft = SpeculationOptions(mode=SpeculationMode.DRAFT_MODEL, draft_length=DraftLength.FIXED)
    copies = replace(draft, mode=SpeculationMode.PROMPT_LOOKUP, max_draft_tokens=lookup)
    fixed = {f"fixed {length}": replace(draft, max_draft_tokens=length) for length in lengths}
    automatic = replace(draft, draft_length=DraftLength.AUTOMATIC)
    return {OFF: SpeculationOptions(), **fixed, LOOKUP: copies, AUTO: automatic, UNREAD: automatic}


def prompts_of(most: int | None) -> tuple[Prompt, ...]:
    """The first prompts of every suite; all of them for None."""
    return tuple(prompt for suite in load_suites(resource("prompts")) for prompt in suite.prompts[:most])


def measure(
    files: Sequence[Path],
    arguments: argparse.Namespace,
    least_gain: float | None,
    settings: Settings,
    results: Results,
) -> list[str]:
    """Loads a pair, measures what is missing of it and prints all of it; sentences about what falls short."""
    target, draft = (model_identity(read_info(file)) for file in files)
    prompts = prompts_of(arguments.prompts)
    pair = pair_loader().load(files[0], files[1], settings.load)
    missed = []
    try:
        if pair.draft_refusal is not None:
            raise OptionsError(pair.draft_refusal.sentence)
        pair.prepare(settings.ways[AUTO], StopSignal())
        bench = Bench(pair, settings)
        costs = bench.costs()
        for temperature in arguments.temperatures:
            series = results.begin(Series(target, draft, costs, temperature, (), {}))
            print(head(series, list(settings.ways)), flush=True)
            verdicts = []
            for prompt in prompts:
                series = finished(bench, series, prompt, arguments.repeats, results)
                found = judged(series, prompt)
                print(line(series, found) if found else f"{prompt.id}: too short for a speed", flush=True)
                verdicts += [found] if found else []
            print(foot(verdicts), flush=True)
            sentences = [sentence for verdict in verdicts for sentence in verdict.missed()]
            sentences += missed_overall(verdicts, least_gain)
            missed += [f"{series.title}: {sentence}" for sentence in sentences]
    finally:
        pair.close()
    return missed


def finished(bench: Bench, series: Series, prompt: Prompt, repeats: int, results: Results) -> Series:
    """The series with every repeat of a prompt."""
    for extended in bench.extended(series, prompt, repeats):
        results.keep(extended)
        series = extended
    return series


def main() -> int:
    """Measures and prints; the exit code is 1 where a bound was missed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pair", type=Path, nargs=2, action="append", required=True, metavar="FILE")
    parser.add_argument("--prompts", type=int, help="the first so many of every suite; all by default")
    parser.add_argument("--tokens", type=int, default=128, help="of an answer, at most")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--temperatures", type=float, nargs="+", default=[0.0, 0.7])
    parser.add_argument("--fixed", type=int, nargs="+", default=[1, 2, 3, 5, 7], help="draft lengths")
    parser.add_argument("--lookup", type=int, default=3, help="the draft length of prompt lookup")
    parser.add_argument("--context", type=int, default=4096)
    parser.add_argument("--threads", type=int, default=0, help="0 takes the physical cores")
    parser.add_argument("--least-gain", type=float, help="the first pair's mean over the suites against off")
    parser.add_argument("--json", type=Path, help="where results are kept, and gone on from")
    arguments = parser.parse_args()
    settings = Settings(
        load=LoadOptions(context_length=arguments.context, threads=arguments.threads),
        tokens=arguments.tokens,
        seed=arguments.seed,
        ways=ways_of(arguments.fixed, arguments.lookup),
        machine=describe_machine(Library().version),
    )
    missed = []
    try:
        results = Results(arguments.json, settings)
        for number, files in enumerate(arguments.pair):
            least_gain = arguments.least_gain if number == 0 else None
            missed += measure(files, arguments, least_gain, settings, results)
    except SlipstreamError as error:
        parser.error(str(error))
    print("\n" + ("\n".join(["Falls short:", *missed]) if missed else "Every bound holds."))
    return 1 if missed else 0


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as nothing_learnt:
        os.environ["SLIPSTREAM_HOME"] = nothing_learnt
        sys.exit(main())
