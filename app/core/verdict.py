"""What a comparison of two variants comes to, and what follows from it, in figures and codes."""

from enum import StrEnum

from msgspec import Struct

from app.core.experiment import Experiment, FirstDifference, Interval, Summary, Variant, reference_of
from app.core.gain import Gain, gain_of, scatters
from app.core.sameness import Sameness, is_faithful, lossy_of, sameness_of


class VerdictKind(StrEnum):
    """What became of the speed."""

    FASTER = "faster"
    SLOWER = "slower"
    NOISE = "noise"  # no difference that matters and can be told from the noise
    UNSURE = "unsure"  # a factor without an interval, since a side has too few runs
    SHORT = "short"  # an answer is too short to tell
    NO_RATE = "no_rate"  # a side has no speed: fewer than two tokens


_LEAST_BYTES = 20_000_000  # of memory: less is within what two measurements of the same differ by


class Advice(StrEnum):
    """What the figures speak for."""

    KEEP_ON = "keep_on"  # drafting
    TURN_OFF = "turn_off"
    USE_LEFT = "use_left"  # both draft, and one is faster
    USE_RIGHT = "use_right"
    NO_DIFFERENCE = "no_difference"  # neither is better


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
    other_tokens: int  # of the other's
    sameness: Sameness
    difference: FirstDifference | None
    repeats_differ: bool  # one side's own runs do not agree
    extra_memory_bytes: int  # what the judged side takes beyond the other; may be negative; 0 if little
    is_complete: bool  # False where it was stopped early

    @property
    def is_against_plain(self) -> bool:
        """True where one side drafts and the other does not."""
        return self.judged.drafts and not self.other.drafts

    @property
    def fewest_tokens(self) -> int:
        """Those of the shorter answer."""
        return min(self.tokens, self.other_tokens)

    @property
    def gain(self) -> Gain | None:
        """What the factor comes to; None without one."""
        return None if self.factor is None else gain_of(self.factor, self.interval, self.fewest_tokens)

    @property
    def scatters(self) -> bool:
        """True where the runs are too unlike each other to tell whether drafting matters."""
        return self.factor is not None and self.gain is Gain.EVEN and scatters(self.factor, self.interval)

    @property
    def lossy_variants(self) -> tuple[Variant, ...]:
        """The sides whose acceptance rule may change the text, whether or not it did here."""
        return lossy_of(self.judged, self.other)

    @property
    def is_faithful(self) -> bool:
        """True where the advice can be followed without getting another kind of text."""
        return is_faithful(self.sameness, self.judged, self.other)


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
    memory = experiment.memory.draft_bytes
    extra = memory.get(judged.id, 0) - memory.get(other.id, 0)
    if abs(extra) < _LEAST_BYTES:
        extra = 0
    tokens = min(own.generated_tokens, others.generated_tokens)
    gain = None if own.speedup is None else gain_of(own.speedup, own.speedup_interval, tokens)
    return Verdict(
        kind=_kind(own, gain),
        advice=_advice(own, gain, judged, other, judged is right, extra),
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
        other_tokens=others.generated_tokens,
        sameness=sameness_of(own.first_difference, judged, other),
        difference=own.first_difference,
        repeats_differ=own.repeats_differ or others.repeats_differ,
        extra_memory_bytes=extra,
        is_complete=experiment.is_complete,
    )


def _kind(own: Summary, gain: Gain | None) -> VerdictKind:
    match gain:
        case None:
            return VerdictKind.NO_RATE
        case Gain.SHORT:
            return VerdictKind.SHORT
        case _ if own.speedup_interval is None:
            return VerdictKind.UNSURE
        case Gain.FASTER:
            return VerdictKind.FASTER
        case Gain.SLOWER:
            return VerdictKind.SLOWER
        case Gain.EVEN:
            return VerdictKind.NOISE


def _advice(
    own: Summary,
    gain: Gain | None,
    judged: Variant,
    other: Variant,
    judged_is_right: bool,
    extra_memory_bytes: int,
) -> Advice:
    """Drafting that gains nothing is turned off where it costs memory, and may stay where it does not."""
    if own.speedup is None or gain is Gain.SHORT or not judged.drafts:
        return Advice.NO_DIFFERENCE
    if gain is Gain.EVEN and (other.drafts or scatters(own.speedup, own.speedup_interval)):
        return Advice.NO_DIFFERENCE
    if other.drafts:
        return Advice.USE_RIGHT if (gain is Gain.FASTER) is judged_is_right else Advice.USE_LEFT
    if gain is Gain.FASTER:
        return Advice.KEEP_ON
    return Advice.TURN_OFF if gain is Gain.SLOWER or extra_memory_bytes > 0 else Advice.NO_DIFFERENCE
