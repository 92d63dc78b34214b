"""On/off experiments: which runs in which order, and what came of them.

The same prompts are answered with speculation off and on. The order is interleaved, so that a
machine that grows warm or busy does not favour one mode; the token sequences are compared, so that
a faster answer that is another answer is noticed.
"""

import math
import statistics
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from typing import TypeVar

import msgspec
from msgspec import Struct

from app.core.errors import OptionsError
from app.core.machine import Machine
from app.core.stats import GenerationStats

_T = TypeVar("_T")

# Two logits nearer than this are a near-tie: a batched pass may put either of them first. Measured on
# a CPU with k-quantised 0.3B and 0.5B models, whose kernels round differently from four tokens on:
# the gap between the two best candidates moved by up to 0.6 between single and batched passes.
NEAR_TIE = 0.6


class Mode(StrEnum):
    """How the answer of one run is drafted."""

    OFF = "off"
    DRAFT = "draft"
    LOOKUP = "lookup"


class PlannedRun(Struct, frozen=True):
    """One answer to be generated; `repeat` counts from 0."""

    mode: Mode
    prompt: str
    repeat: int


class Run(Struct, frozen=True):
    """One answer that was generated. `tokens` are token ids, without the prompt."""

    mode: Mode
    prompt: str  # the prompt's id
    repeat: int
    tokens: tuple[int, ...]
    text: str
    stats: GenerationStats


class FirstDifference(Struct, frozen=True):
    """Where an output leaves the expected one. A token is None where its output had ended.

    Texts and logits are None until somebody with the model at hand fills them in; the logits are the
    target's for both tokens after the same prefix.
    """

    position: int  # index of the token in the answer, from 0
    expected: int | None
    found: int | None
    expected_text: str | None = None
    found_text: str | None = None
    expected_logit: float | None = None
    found_logit: float | None = None
    near_tie: bool | None = None  # None while a logit is missing

    def with_texts(self, expected_text: str | None, found_text: str | None) -> "FirstDifference":
        """A copy with the texts of both tokens."""
        return msgspec.structs.replace(self, expected_text=expected_text, found_text=found_text)

    def with_logits(self, expected_logit: float, found_logit: float) -> "FirstDifference":
        """A copy with both logits, and with the judgement whether they are a near-tie."""
        return msgspec.structs.replace(
            self,
            expected_logit=expected_logit,
            found_logit=found_logit,
            near_tie=abs(expected_logit - found_logit) <= NEAR_TIE,
        )


class Spread(Struct, frozen=True):
    """Tokens per second over several runs."""

    median: float
    min: float
    max: float


class Summary(Struct, frozen=True):
    """One mode on one prompt, over all its repeats."""

    mode: Mode
    prompt: str
    runs: int
    tok_per_s: Spread | None  # None where no run has a rate
    speedup: float | None  # median over the median with off
    acceptance_rate: float | None  # accepted / tested, over all runs
    share_from_draft: float | None  # accepted / generated
    mean_accepted_length: float | None  # 1 + accepted / rounds
    identical_to_off: bool | None  # every run has the tokens of the first run with off; None without one
    first_difference: FirstDifference | None
    repeats_differ: bool  # the mode's own runs, with one seed, gave several outputs
    peak_rss_bytes: int


class Total(Struct, frozen=True):
    """One mode over all prompts."""

    mode: Mode
    prompts: int
    speedup: float | None  # geometric mean over the prompts that have one
    acceptance_rate: float | None
    share_from_draft: float | None
    mean_accepted_length: float | None
    identical_to_off: bool | None  # False if one prompt differs; None if one could not be compared
    repeats_differ: bool
    peak_rss_bytes: int


class MemoryUse(Struct, frozen=True):
    """Resident memory of the process during an experiment, in bytes."""

    before_load_bytes: int
    target_bytes: int  # by which loading the target made the process grow
    draft_bytes: int  # the same for the draft model; 0 without one
    peak_rss_bytes: int
    estimated_bytes: int | None  # what the estimate promised for both; None where unknown


class Experiment(Struct, frozen=True):
    """A whole comparison, as `bench --json` writes it."""

    machine: Machine
    memory: MemoryUse
    runs: tuple[Run, ...]
    summary: tuple[Summary, ...]
    totals: tuple[Total, ...]


Explain = Callable[[Run, FirstDifference], FirstDifference]


def schedule(modes: Sequence[Mode], prompts: Sequence[str], repeats: int) -> list[PlannedRun]:
    """The runs in the order A B B A A B …: each pass over the modes turns the order round.

    All repeats of a prompt follow each other. With an odd number of repeats the next prompt begins
    with the order reversed, so that the whole stays balanced.
    Raises OptionsError for no modes, prompts or repeats, and for one that is named twice.
    """
    if repeats < 1:
        raise OptionsError("The number of repeats must be at least 1.")
    for kind, names in (("mode", modes), ("prompt", prompts)):
        if not names:
            raise OptionsError(f"Name at least one {kind}.")
        if len(set(names)) < len(names):
            raise OptionsError(f"A {kind} is named twice.")
    planned: list[PlannedRun] = []
    forward = True
    for prompt in prompts:
        for repeat in range(repeats):
            order = modes if forward else modes[::-1]
            planned += [PlannedRun(mode, prompt, repeat) for mode in order]
            forward = not forward
    return planned


def first_difference(expected: Sequence[int], found: Sequence[int]) -> FirstDifference | None:
    """The first position at which two token sequences differ, or None where they are equal."""
    for position, (one, other) in enumerate(zip(expected, found, strict=False)):
        if one != other:
            return FirstDifference(position, one, other)
    position = min(len(expected), len(found))
    if len(expected) > position:
        return FirstDifference(position, expected[position], None)
    if len(found) > position:
        return FirstDifference(position, None, found[position])
    return None


def summarise(runs: Sequence[Run], explain: Explain | None = None) -> tuple[Summary, ...]:
    """One summary for each prompt and mode that was run, prompts and modes by first appearance.

    The reference for identity is the first run with off on the same prompt. `explain` gets that run
    and a bare first difference, and returns it with texts and logits.
    """
    modes = _in_order(run.mode for run in runs)
    summaries = []
    for prompt in _in_order(run.prompt for run in runs):
        by_mode = {mode: [run for run in runs if (run.mode, run.prompt) == (mode, prompt)] for mode in modes}
        off = by_mode.get(Mode.OFF, [])
        summaries += [_summary(by_mode[mode], off, explain) for mode in modes if by_mode[mode]]
    return tuple(summaries)


def totals(runs: Sequence[Run], summaries: Sequence[Summary]) -> tuple[Total, ...]:
    """One line for each mode over all prompts; `summaries` are those of the same runs."""
    found = []
    for mode in _in_order(summary.mode for summary in summaries):
        own = [summary for summary in summaries if summary.mode is mode]
        speedups = [summary.speedup for summary in own if summary.speedup is not None]
        rates = _Rates.of([run for run in runs if run.mode is mode])
        found.append(
            Total(
                mode=mode,
                prompts=len(own),
                speedup=_geometric_mean(speedups),
                acceptance_rate=rates.acceptance_rate,
                share_from_draft=rates.share_from_draft,
                mean_accepted_length=rates.mean_accepted_length,
                identical_to_off=_all_true([summary.identical_to_off for summary in own]),
                repeats_differ=any(summary.repeats_differ for summary in own),
                peak_rss_bytes=max(summary.peak_rss_bytes for summary in own),
            )
        )
    return tuple(found)


def to_json(experiment: Experiment) -> bytes:
    """The experiment as indented UTF-8 JSON."""
    return msgspec.json.format(msgspec.json.encode(experiment), indent=1) + b"\n"


def _summary(own: Sequence[Run], off: Sequence[Run], explain: Explain | None) -> Summary:
    speed = _spread(own)
    reference_speed = _spread(off)
    difference = None
    if off:
        found = (first_difference(off[0].tokens, run.tokens) for run in own)
        difference = next((each for each in found if each is not None), None)
        if difference is not None and explain is not None:
            difference = explain(off[0], difference)
    rates = _Rates.of(own)
    return Summary(
        mode=own[0].mode,
        prompt=own[0].prompt,
        runs=len(own),
        tok_per_s=speed,
        speedup=speed.median / reference_speed.median if speed and reference_speed else None,
        acceptance_rate=rates.acceptance_rate,
        share_from_draft=rates.share_from_draft,
        mean_accepted_length=rates.mean_accepted_length,
        identical_to_off=difference is None if off else None,
        first_difference=difference,
        repeats_differ=len({run.tokens for run in own}) > 1,
        peak_rss_bytes=max(run.stats.peak_rss_bytes for run in own),
    )


class _Rates(Struct, frozen=True):
    """Rates over several answers: counts are added first, so that long answers weigh more."""

    acceptance_rate: float | None
    share_from_draft: float | None
    mean_accepted_length: float | None

    @classmethod
    def of(cls, runs: Sequence[Run]) -> "_Rates":
        accepted = sum(run.stats.accepted for run in runs)
        tested = sum(run.stats.tested for run in runs)
        generated = sum(run.stats.generated_tokens for run in runs)
        rounds = sum(run.stats.rounds for run in runs)
        return cls(
            acceptance_rate=accepted / tested if tested else None,
            share_from_draft=accepted / generated if generated else None,
            mean_accepted_length=1 + accepted / rounds if rounds else None,
        )


def _spread(runs: Sequence[Run]) -> Spread | None:
    rates = [run.stats.tok_per_s for run in runs if run.stats.tok_per_s is not None]
    return Spread(statistics.median(rates), min(rates), max(rates)) if rates else None


def _geometric_mean(values: Sequence[float]) -> float | None:
    return math.exp(math.fsum(math.log(value) for value in values) / len(values)) if values else None


def _all_true(values: Sequence[bool | None]) -> bool | None:
    if any(value is False for value in values):
        return False
    return None if any(value is None for value in values) else True


def _in_order(values: Iterable[_T]) -> list[_T]:
    """The different values in the order of their first appearance."""
    return list(dict.fromkeys(values))
