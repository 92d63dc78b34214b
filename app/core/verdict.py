"""What a comparison of two variants comes to, and what follows from it, in figures and codes."""

from enum import StrEnum

from msgspec import Struct

from app.core.experiment import Experiment, FirstDifference, Interval, Summary, Variant, reference_of
from app.core.options import AcceptanceRule

# One run on each side tells nothing of the noise. A difference below this share is not acted upon.
_LEAST_OF_SINGLE_RUNS = 0.05
# A gain or loss of this share is worth knowing: an interval that reaches as far leaves the question open.
_WORTH_KNOWING = 0.1


class VerdictKind(StrEnum):
    """What became of the speed."""

    FASTER = "faster"
    SLOWER = "slower"
    NOISE = "noise"  # the interval spans 1: no difference can be told from the noise
    UNSURE = "unsure"  # a factor without an interval, since a side has a single run
    NO_RATE = "no_rate"  # a side has no speed: fewer than two tokens


class Advice(StrEnum):
    """What the figures speak for."""

    KEEP_ON = "keep_on"  # drafting
    TURN_OFF = "turn_off"
    USE_LEFT = "use_left"  # both draft, and one is faster
    USE_RIGHT = "use_right"
    NO_DIFFERENCE = "no_difference"  # neither is better


class Sameness(StrEnum):
    """How the judged side's text stands to the other's."""

    IDENTICAL = "identical"
    NEAR_TIE = "near_tie"  # it differs where two tokens were about equally likely
    RESAMPLED = "resampled"  # rejection sampling: other draws from the same distribution
    DIFFERS = "differs"


class Verdict(Struct, frozen=True):
    """The judged side against the other: drafting against plain, else right against left.

    The first variant of the experiment is the left one.
    """

    kind: VerdictKind
    advice: Advice
    judged: Variant
    other: Variant
    judged_is_right: bool
    factor: float | None  # the judged side's median speed over the other's
    interval: Interval | None  # of the factor
    rate: float | None  # the judged side's median, tok/s
    other_rate: float | None
    runs: int  # of the judged side
    other_runs: int
    tokens: int  # of the judged side's first answer
    sameness: Sameness
    difference: FirstDifference | None
    repeats_differ: bool  # one side's own runs do not agree
    extra_memory_bytes: int  # what the judged side's draft takes beyond the other's; may be negative
    is_complete: bool  # False where it was stopped early

    @property
    def is_against_plain(self) -> bool:
        """True where one side drafts and the other does not."""
        return self.judged.drafts and not self.other.drafts

    @property
    def scatters(self) -> bool:
        """True where the runs are too unlike each other to tell whether drafting matters."""
        return self.kind is VerdictKind.NOISE and _is_open(self.interval)

    @property
    def lossy_variants(self) -> tuple[Variant, ...]:
        """The sides whose acceptance rule may change the text, whether or not it did here."""
        sides = (self.judged, self.other)
        return tuple(side for side in sides if side.drafts and side.speculation.acceptance.changes_output)

    @property
    def is_faithful(self) -> bool:
        """True where the advice can be followed without getting another kind of text."""
        return self.sameness is not Sameness.DIFFERS and not self.lossy_variants


def verdict_of(experiment: Experiment, prompt: str | None = None) -> Verdict | None:
    """The verdict on a prompt, by its id, or on the first one.

    None where the experiment has not two variants, or one of them has not been run on this prompt.
    """
    if len(experiment.variants) != 2 or not experiment.prompts:
        return None
    left, right = experiment.variants
    other = reference_of(experiment.variants)
    judged = right if other is left else left
    id_ = experiment.prompts[0].id if prompt is None else prompt
    own, others = experiment.summary_of(judged.id, id_), experiment.summary_of(other.id, id_)
    if own is None or others is None:
        return None
    kind = _kind(own)
    memory = experiment.memory.draft_bytes
    extra = memory.get(judged.id, 0) - memory.get(other.id, 0)
    return Verdict(
        kind=kind,
        advice=_advice(kind, own, judged, other, judged is right, extra),
        judged=judged,
        other=other,
        judged_is_right=judged is right,
        factor=own.speedup,
        interval=own.speedup_interval if own.speedup is not None else None,
        rate=own.tok_per_s.median if own.tok_per_s is not None else None,
        other_rate=others.tok_per_s.median if others.tok_per_s is not None else None,
        runs=own.runs,
        other_runs=others.runs,
        tokens=own.generated_tokens,
        sameness=_sameness(own.first_difference, judged, other),
        difference=own.first_difference,
        repeats_differ=own.repeats_differ or others.repeats_differ,
        extra_memory_bytes=extra,
        is_complete=experiment.is_complete,
    )


def _kind(own: Summary) -> VerdictKind:
    if own.speedup is None:
        return VerdictKind.NO_RATE
    if own.speedup_interval is None:
        return VerdictKind.UNSURE
    if own.speedup_interval.contains(1.0):
        return VerdictKind.NOISE
    return VerdictKind.FASTER if own.speedup > 1.0 else VerdictKind.SLOWER


def _advice(
    kind: VerdictKind,
    own: Summary,
    judged: Variant,
    other: Variant,
    judged_is_right: bool,
    extra_memory_bytes: int,
) -> Advice:
    """Drafting that gains nothing is turned off where it costs memory, and may stay where it does not."""
    faster = kind is VerdictKind.FASTER
    slower = kind is VerdictKind.SLOWER
    if kind is VerdictKind.UNSURE and own.speedup is not None:
        faster = own.speedup >= 1.0 + _LEAST_OF_SINGLE_RUNS
        slower = own.speedup <= 1.0 - _LEAST_OF_SINGLE_RUNS
    if kind is VerdictKind.NO_RATE or not judged.drafts:
        return Advice.NO_DIFFERENCE
    if kind is VerdictKind.NOISE and _is_open(own.speedup_interval):
        return Advice.NO_DIFFERENCE
    if other.drafts:
        if not faster and not slower:
            return Advice.NO_DIFFERENCE
        return Advice.USE_RIGHT if faster is judged_is_right else Advice.USE_LEFT
    if faster:
        return Advice.KEEP_ON
    return Advice.TURN_OFF if slower or extra_memory_bytes > 0 else Advice.NO_DIFFERENCE


def _is_open(interval: Interval | None) -> bool:
    """Whether a gain or a loss worth knowing is still possible."""
    return interval is not None and (
        interval.high > 1.0 + _WORTH_KNOWING or interval.low < 1.0 - _WORTH_KNOWING
    )


def _sameness(difference: FirstDifference | None, judged: Variant, other: Variant) -> Sameness:
    if difference is None:
        return Sameness.IDENTICAL
    rules = [side.speculation.acceptance for side in (judged, other) if side.drafts]
    if any(rule.changes_output for rule in rules):
        return Sameness.DIFFERS
    if AcceptanceRule.REJECTION in rules:
        return Sameness.RESAMPLED
    return Sameness.NEAR_TIE if difference.near_tie else Sameness.DIFFERS
