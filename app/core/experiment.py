"""What an experiment is: what was compared, on what, and every answer that was measured.

See experiment_file.py for how it is written.
"""

from enum import StrEnum

import msgspec
from msgspec import Struct

from app.core.chat import DraftSpan
from app.core.errors import OptionsError
from app.core.machine import Machine
from app.core.options import (
    GenerationLimits,
    LoadOptions,
    SamplingOptions,
    SpeculationMode,
    SpeculationOptions,
)
from app.core.prompts import Prompt
from app.core.stats import GenerationStats
from app.core.trace import Trace
from app.core.weighing import Weighing

# Two tokens that were nearer than this in a draw, in logits, are a near-tie: a batched pass may draw either.
# Measured on a CPU with k-quantised 0.3B and 0.5B models, whose kernels round differently from four tokens
# on: the gap between the two best candidates moved by up to 0.6 between single and batched passes. It holds
# at any temperature, as margins are in logits before they are divided by it.
NEAR_TIE = 0.6


class ExperimentKind(StrEnum):
    """What was asked."""

    PROMPT = "prompt"  # two ways to answer one prompt
    SUITE = "suite"  # the same for prompts of several kinds
    SWEEP = "sweep"  # many draft lengths on one prompt


class ModelIdentity(Struct, frozen=True):
    """Which model it was, without a path of the machine."""

    name: str  # for people
    quantisation: str
    file: str  # the file's name alone
    size_bytes: int
    header_digest: str = ""  # SHA-256 of the file's header, hexadecimal; empty where unknown

    @property
    def title(self) -> str:
        """Name and quantisation, for tables and lists."""
        return f"{self.name} · {self.quantisation}" if self.quantisation else self.name


class Variant(Struct, frozen=True):
    """One way to answer. `id` is unique in its experiment, and what tables print."""

    id: str
    speculation: SpeculationOptions
    draft: ModelIdentity | None = None  # the draft model, where one drafts

    @property
    def drafts(self) -> bool:
        """True unless it is plain generation."""
        return self.speculation.mode is not SpeculationMode.OFF


class Plan(Struct, frozen=True):
    """What is to be measured. Prompts' ids and variants' ids are each unique."""

    kind: ExperimentKind
    variants: tuple[Variant, ...]
    prompts: tuple[Prompt, ...]
    repeats: int
    sampling: SamplingOptions  # with the one seed of all runs
    limits: GenerationLimits

    def check(self) -> None:
        """Raises OptionsError where the plan cannot be carried out."""
        if self.repeats < 1:
            raise OptionsError("The number of repeats must be at least 1.")
        for kind, names in (
            ("mode", [variant.id for variant in self.variants]),
            ("prompt", [prompt.id for prompt in self.prompts]),
        ):
            if not names:
                raise OptionsError(f"Name at least one {kind}.")
            if len(set(names)) < len(names):
                raise OptionsError(f"A {kind} is named twice.")

    def variant(self, id_: str) -> Variant:
        """The variant with this id. Raises KeyError."""
        return {variant.id: variant for variant in self.variants}[id_]


class PlannedRun(Struct, frozen=True):
    """One answer to be generated, by the ids of its variant and prompt; `repeat` counts from 0."""

    variant: str
    prompt: str
    repeat: int


class Run(Struct, frozen=True):
    """One answer that was generated to its end. `tokens` are token ids, without the prompt."""

    variant: str
    prompt: str
    repeat: int
    tokens: tuple[int, ...]
    text: str
    stats: GenerationStats
    spans: tuple[DraftSpan, ...] = ()  # the stretches of the text that a draft supplied


class FirstDifference(Struct, frozen=True):
    """Where an output leaves the expected one. A token is None where its output had ended.

    All else is None until somebody with the model at hand weighs the two against each other: the logits are
    the target's after the same prefix, an end's being that of the token that ends an answer there.
    """

    position: int  # index of the token in the answer, from 0
    expected: int | None
    found: int | None
    expected_text: str | None = None
    found_text: str | None = None
    expected_logit: float | None = None
    found_logit: float | None = None
    near_tie: bool | None = None  # None where the two were not weighed
    text_position: int | None = None  # characters of the answer before the token
    margin: float | None = None  # how near the draw was, in logits; see Weighing

    def weighed(self, found: Weighing) -> "FirstDifference":
        """A copy with what was found out about both tokens, or about one where there was nothing to weigh."""
        is_pair = len(found.logits) == 2
        expected_text, found_text = found.texts if is_pair else found.texts * 2
        expected_logit, found_logit = found.logits if is_pair else (None, None)
        return msgspec.structs.replace(
            self,
            expected_text=expected_text if self.expected is not None else None,
            found_text=found_text if self.found is not None else None,
            expected_logit=expected_logit,
            found_logit=found_logit,
            near_tie=(found.margin is not None and found.margin <= NEAR_TIE) if is_pair else None,
            text_position=found.text_length,
            margin=found.margin,
        )


class Spread(Struct, frozen=True):
    """Tokens per second over several runs."""

    median: float
    min: float
    max: float


class Interval(Struct, frozen=True):
    """Bounds between which a figure lies with 95 % confidence."""

    low: float
    high: float

    def contains(self, value: float) -> bool:
        """True for a value between the bounds, or on one of them."""
        return self.low <= value <= self.high


class Summary(Struct, frozen=True):
    """One variant on one prompt, over all its repeats. Counts are added up, times are seconds."""

    variant: str
    prompt: str
    runs: int
    generated_tokens: int  # of the first run
    tok_per_s: Spread | None  # None where no run has a rate
    time_to_first_token_s: float | None  # median
    speedup: float | None  # median over the reference's median
    speedup_interval: Interval | None  # by bootstrap; None with too few runs
    tested: int
    accepted: int
    acceptance_rate: float | None  # accepted / tested
    share_from_draft: float | None  # accepted / generated
    mean_accepted_length: float | None  # 1 + accepted / rounds
    tested_by_position: tuple[int, ...]
    accepted_by_position: tuple[int, ...]
    draft_s: float
    verify_s: float
    sample_s: float
    identical: bool | None  # every run has the tokens of the reference's first; None without a reference
    first_difference: FirstDifference | None
    repeats_differ: bool  # the variant's own runs, with one seed, gave several outputs
    peak_rss_bytes: int


class Total(Struct, frozen=True):
    """One variant over all prompts."""

    variant: str
    prompts: int
    speedup: float | None  # geometric mean over the prompts that have one
    acceptance_rate: float | None
    share_from_draft: float | None
    mean_accepted_length: float | None
    identical: bool | None  # False if one prompt differs; None if one could not be compared
    repeats_differ: bool
    peak_rss_bytes: int


class MemoryUse(Struct, frozen=True):
    """Resident memory of the process that computed, in bytes."""

    target_bytes: int  # by which loading the target made the process grow
    draft_bytes: dict[str, int]  # the same for a draft model, by the variants that use it
    peak_rss_bytes: int = 0  # of the run that took most
    estimated_bytes: int | None = None  # what the estimate promised for all; None where unknown


class Experiment(Struct, frozen=True):
    """A whole comparison. Where it was stopped early, `runs` are those that had ended."""

    created: float  # seconds since 1970
    kind: ExperimentKind
    machine: Machine
    target: ModelIdentity
    variants: tuple[Variant, ...]
    prompts: tuple[Prompt, ...]
    repeats: int
    load: LoadOptions
    sampling: SamplingOptions
    limits: GenerationLimits
    memory: MemoryUse
    runs: tuple[Run, ...]
    summary: tuple[Summary, ...]
    totals: tuple[Total, ...]
    is_complete: bool = True
    traces: tuple[Trace, ...] = ()

    def variant(self, id_: str) -> Variant:
        """The variant with this id. Raises KeyError."""
        return {variant.id: variant for variant in self.variants}[id_]

    def summary_of(self, variant: str, prompt: str) -> Summary | None:
        """How a variant did on a prompt; None where it was not run."""
        found = (each for each in self.summary if (each.variant, each.prompt) == (variant, prompt))
        return next(found, None)

    def runs_of(self, variant: str, prompt: str) -> tuple[Run, ...]:
        """A variant's runs on a prompt, in the order they were made."""
        return tuple(run for run in self.runs if (run.variant, run.prompt) == (variant, prompt))


def reference_of(variants: tuple[Variant, ...]) -> Variant:
    """What the others are compared with: plain generation where it is there, else the first."""
    return next((variant for variant in variants if not variant.drafts), variants[0])
