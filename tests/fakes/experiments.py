"""Experiments as they come out of a run: every figure in them is reckoned from their runs by the real code.

The short ones are `prompt_experiment`, `suite_experiment` and `sweep_experiment`; `run_of` makes single runs,
and `experiment_of` puts together any plan.
"""

from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace

from app.core import compare
from app.core.compare import schedule
from app.core.deviations import Deviation, deviations
from app.core.experiment import (
    Experiment,
    ExperimentKind,
    FirstDifference,
    MemoryUse,
    ModelIdentity,
    Plan,
    PlannedRun,
    Run,
    Variant,
)
from app.core.experiment_file import FORMAT, to_json
from app.core.machine import Machine
from app.core.options import (
    AcceptanceRule,
    DraftLength,
    GenerationLimits,
    LoadOptions,
    SamplingOptions,
    SpeculationMode,
    SpeculationOptions,
)
from app.core.prompts import Prompt
from app.core.stats import StopReason
from app.core.trace import Trace
from app.core.weighing import Weighing
from tests.fakes.measured_answers import ANSWER, OTHER_TOKEN, measured_answer, text_of

CREATED = 1_750_000_000.0
MACHINE = Machine(
    "Example CPU", 4, 8, 24_000_000_000, "Example OS 1, x86_64", "3.11.9", "llama-cpp-python 0.3"
)
TARGET = ModelIdentity("Coder 1.5B Instruct", "F16", "coder-1.5b-f16.gguf", 3_090_000_000, "ab" * 32)
DRAFT = ModelIdentity("Coder 0.5B Instruct", "Q4_K_M", "coder-0.5b-q4_k_m.gguf", 398_000_000, "cd" * 32)
OTHER_DRAFT = ModelIdentity("Coder 0.5B Instruct", "Q8_0", "coder-0.5b-q8_0.gguf", 531_000_000, "ef" * 32)

PLAIN_RSS = 3_600_000_000  # bytes
DRAFT_RSS = 500_000_000

CODE = Prompt("code-quicksort", "Write quicksort in Python.", suite="code")
STORY = Prompt("story-lighthouse", "Tell a story about a lighthouse keeper.", "You tell stories.", "story")
COPY = Prompt("copy-letter", "Repeat this letter word for word: Dear Sir …", suite="copy")

Answers = Callable[[PlannedRun], tuple[int, ...]]
Speeds = Callable[[PlannedRun], float]


def off_variant(id_: str = "off") -> Variant:
    """Plain generation."""
    return Variant(id_, SpeculationOptions())


def draft_variant(
    id_: str = "draft",
    most: int = 5,
    *,
    draft: ModelIdentity = DRAFT,
    rule: AcceptanceRule = AcceptanceRule.MATCH,
) -> Variant:
    """Drafting with a model, at most so many tokens."""
    options = SpeculationOptions(
        SpeculationMode.DRAFT_MODEL, DraftLength.FIXED, max_draft_tokens=most, acceptance=rule
    )
    return Variant(id_, options, draft)


def lookup_variant(id_: str = "lookup", most: int = 3) -> Variant:
    """Drafting from the text itself."""
    return Variant(
        id_, SpeculationOptions(SpeculationMode.PROMPT_LOOKUP, DraftLength.FIXED, max_draft_tokens=most)
    )


def auto_variant(id_: str = "auto", *, draft: ModelIdentity | None = DRAFT) -> Variant:
    """Drafting as long as pays, with a model, or without one from the text itself."""
    mode = SpeculationMode.PROMPT_LOOKUP if draft is None else SpeculationMode.DRAFT_MODEL
    return Variant(id_, SpeculationOptions(mode), draft)


OFF, DRAFTED, LOOKUP, AUTO = off_variant(), draft_variant(), lookup_variant(), auto_variant()


def run_of(
    variant: Variant = OFF,
    rate: float = 8.2,
    *,
    prompt: str = CODE.id,
    repeat: int = 0,
    tokens: Sequence[int] = ANSWER,
    acceptance: float = 0.9,
    peak: int | None = None,
    reason: StopReason = StopReason.MAX_TOKENS,
) -> Run:
    """A run at so many tok/s. `acceptance` is the chance of each drafted token to be kept."""
    answer = measured_answer(variant.speculation, tokens, rate, acceptance)
    if peak is None:
        peak = PLAIN_RSS + (DRAFT_RSS if variant.draft is not None else 0)
    stats = answer.stats(reason, peak)
    return Run(variant.id, prompt, repeat, tuple(tokens), text_of(tokens), stats, answer.spans)


def trace_of(variant: Variant = DRAFTED, *, prompt: str = CODE.id, acceptance: float = 0.9) -> Trace:
    """The whole answer of a variant, round by round; its counts are those of `run_of`."""
    answer = measured_answer(variant.speculation, ANSWER, 12.0, acceptance)
    return Trace(variant.id, prompt, answer.traced)


def experiment_of(
    kind: ExperimentKind = ExperimentKind.PROMPT,
    variants: tuple[Variant, ...] = (OFF, DRAFTED),
    prompts: tuple[Prompt, ...] = (CODE,),
    *,
    repeats: int = 1,
    speeds: Speeds = lambda planned: 8.2 if planned.variant == "off" else 16.6,
    answers: Answers = lambda planned: ANSWER,
    acceptance: float = 0.9,
    near_tie: bool = True,
    ended_runs: int | None = None,
    traces: tuple[Trace, ...] = (),
    created: float = CREATED,
) -> Experiment:
    """Carries out a plan on paper. It was stopped after `ended_runs`, where given.

    `answers` gives each run's tokens; where one differs, its logits are `near_tie` or far apart.
    """
    plan = Plan(
        kind, variants, prompts, repeats, SamplingOptions(temperature=0.0), GenerationLimits(max_tokens=96)
    )
    planned = schedule(plan)
    runs = [
        run_of(
            plan.variant(each.variant),
            speeds(each),
            prompt=each.prompt,
            repeat=each.repeat,
            tokens=answers(each),
            acceptance=acceptance,
        )
        for each in planned[:ended_runs]
    ]
    measured = compare.experiment_of(
        plan,
        runs,
        {place: _weighed(each, near_tie) for place, each in deviations(runs, variants).items()},
        created=created,
        machine=MACHINE,
        target=TARGET,
        load=LoadOptions(),
        memory=MemoryUse(
            target_bytes=PLAIN_RSS - 200_000_000,
            draft_bytes={variant.id: DRAFT_RSS for variant in variants if variant.draft is not None},
            estimated_bytes=PLAIN_RSS + DRAFT_RSS - 100_000_000,
        ),
    )
    return replace(measured, traces=traces)


def prompt_experiment(
    left: Sequence[float] = (8.2, 8.0, 8.3, 8.2, 8.1),
    right: Sequence[float] = (16.6, 16.2, 17.0, 16.7, 16.4),
    *,
    variants: tuple[Variant, Variant] = (OFF, DRAFTED),
    identical: bool = True,
    near_tie: bool = True,
    tokens: int = len(ANSWER),
    ended_runs: int | None = None,
    traced: bool = False,
    acceptance: float = 0.9,
    created: float = CREATED,
) -> Experiment:
    """Two ways to answer one prompt, with the speeds of each one's runs (one speed: a single run).

    Not `identical`: the right one leaves the left at its tenth token. `tokens` 1 has no rate.
    """
    assert len(left) == len(right), "both sides run equally often"
    rates = {variants[0].id: left, variants[1].id: right}
    answer = ANSWER[:tokens]
    other = answer if identical else different(answer)
    return experiment_of(
        variants=variants,
        repeats=len(left),
        speeds=lambda planned: rates[planned.variant][planned.repeat],
        answers=lambda planned: answer if planned.variant == variants[0].id else other,
        near_tie=near_tie,
        ended_runs=ended_runs,
        acceptance=acceptance,
        created=created,
        traces=tuple(trace_of(each, acceptance=acceptance) for each in variants if each.drafts)
        if traced
        else (),
    )


def suite_experiment(
    variants: tuple[Variant, ...] = (OFF, DRAFTED, LOOKUP),
    *,
    repeats: int = 3,
    gains: Mapping[str, float] | None = None,
    identical: bool = True,
    ended_runs: int | None = None,
    created: float = CREATED,
) -> Experiment:
    """A prompt of each of three kinds. `gains`: what drafting makes of a prompt's speed, by its id."""
    by_prompt = gains or {CODE.id: 2.0, STORY.id: 0.9, COPY.id: 2.6}
    return experiment_of(
        ExperimentKind.SUITE,
        variants,
        (CODE, STORY, COPY),
        repeats=repeats,
        speeds=lambda planned: (
            (8.2 + 0.1 * planned.repeat)
            * (1.0 if planned.variant == variants[0].id else by_prompt[planned.prompt])
        ),
        answers=lambda planned: (
            ANSWER
            if identical or planned.variant == variants[0].id or planned.prompt != STORY.id
            else different(ANSWER)
        ),
        ended_runs=ended_runs,
        created=created,
    )


def sweep_variants(longest: int = 8, *, lookup: bool = True) -> tuple[Variant, ...]:
    """Off, draft lengths from 1 up, and prompt lookup."""
    drafted = (draft_variant(f"draft max {most}", most) for most in range(1, longest + 1))
    return (OFF, *drafted, *((lookup_variant("lookup max 3"),) if lookup else ()))


def sweep_experiment(
    rates: Sequence[float] = (10.1, 12.4, 14.0, 13.1, 15.2, 14.7, 14.1, 13.0),
    *,
    off: float = 8.2,
    lookup: float | None = 9.0,
    repeats: int = 3,
    ended_runs: int | None = None,
    created: float = CREATED,
) -> Experiment:
    """Draft lengths 1, 2, 3 … at `rates` tok/s, each repeat a little faster than the one before."""
    variants = sweep_variants(len(rates), lookup=lookup is not None)
    by_id = dict(zip((each.id for each in variants), (off, *rates, lookup or 0.0), strict=False))
    return experiment_of(
        ExperimentKind.SWEEP,
        variants,
        repeats=repeats,
        speeds=lambda planned: by_id[planned.variant] * (1 + 0.01 * planned.repeat),
        ended_runs=ended_runs,
        created=created,
    )


def written_by(version: int, experiment: Experiment) -> bytes:
    """The file that Slipstream with another version of the format would write."""
    return to_json(experiment).replace(b'"format": %d' % FORMAT, b'"format": %d' % version)


def different(tokens: Sequence[int], position: int = 9) -> tuple[int, ...]:
    """The same answer with one other token."""
    return (*tokens[:position], OTHER_TOKEN, *tokens[position + 1 :])


def _weighed(deviation: Deviation, near_tie: bool) -> FirstDifference:
    """What the Laboratory and the window make of it with the engine's help."""
    texts = tuple("<end>" if token is None else text_of([token]) for token in deviation.candidates)
    length = len(text_of(deviation.shared))
    if len(texts) == 1:
        return deviation.difference.weighed(Weighing((14.21,), texts, length))
    other = 14.18 if near_tie else 11.02
    return deviation.difference.weighed(Weighing((14.21, other), texts, length, 14.21 - other))
