"""What a comparison came to, in words: for the result card, the history and Markdown."""

from enum import Enum, auto

from msgspec import Struct
from PySide6.QtCore import QCoreApplication

from app.core.verdict import Advice, Sameness, Verdict, VerdictKind
from app.figures import MISSING, bytes_text
from app.ui.option_words import rule_text
from app.ui.variant_words import variant_text

_WHOLE_GIGABYTES = 450_000_000  # from here on one decimal of a GB is enough
_ONE_DECIMAL = 1.195  # factors from here on need no second one


class Emphasis(Enum):
    """How a part of a sentence is to be read."""

    NONE = auto()
    STRONG = auto()
    WARNING = auto()


class Part(Struct, frozen=True):
    """Some words of a sentence."""

    text: str
    emphasis: Emphasis = Emphasis.NONE


def headline(verdict: Verdict) -> str:
    """The result in a few words: "2.0× as fast", "Slower: 0.91×", "No clear difference"."""
    match verdict.kind:
        case VerdictKind.NOISE if verdict.scatters:
            return _tr("Too noisy to tell")
        case VerdictKind.NOISE:
            return _tr("No clear difference")
        case VerdictKind.NO_RATE:
            return _tr("Too short to compare")
        case VerdictKind.SLOWER if not verdict.is_against_plain:
            return _tr("Right slower: {factor}").format(factor=factor_text(verdict.factor))
        case _ if not verdict.is_against_plain:
            return _tr("Right: {factor} as fast").format(factor=factor_text(verdict.factor))
        case VerdictKind.SLOWER:
            return _tr("Slower: {factor}").format(factor=factor_text(verdict.factor))
        case VerdictKind.FASTER | VerdictKind.UNSURE:
            return _tr("{factor} as fast").format(factor=factor_text(verdict.factor))


def interval_text(verdict: Verdict) -> str:
    """How sure that is: "1.9 to 2.1, median of 5"."""
    if verdict.kind is VerdictKind.NO_RATE:
        return _tr("a speed takes two tokens")
    if verdict.interval is None:
        if verdict.runs == verdict.other_runs == 1:
            return _tr("one run each: repeat to be sure")
        return _tr("too few runs: repeat to be sure")
    low, high = verdict.interval.low, verdict.interval.high
    digits = 2 if min(low, verdict.factor or low) < _ONE_DECIMAL else 1
    return _tr("{low} to {high}, {median}").format(
        low=f"{low:.{digits}f}", high=f"{high:.{digits}f}", median=_median(verdict)
    )


def sentence(verdict: Verdict) -> str:
    """The figures: "16.6 against 8.2 tok/s. Output identical, 96 of 96 tokens. 0.5 GB more memory."."""
    return "".join(part.text for part in sentence_parts(verdict))


def sentence_parts(verdict: Verdict) -> tuple[Part, ...]:
    """The same sentence, with what is to be seen first told apart."""
    parts = [Part(f"{_rates(verdict)}. "), *_sameness_parts(verdict)]
    parts += [Part(f" {text}", Emphasis.WARNING) for text in cautions(verdict)]
    if memory := _memory(verdict):
        parts.append(Part(f" {memory}."))
    if not verdict.is_complete:
        parts.append(Part(" " + _tr("Stopped early.")))
    return tuple(parts)


def whole_sentence(verdict: Verdict) -> str:
    """All in one sentence, for where no headline stands above it.

    "Drafting makes this prompt 1.69 times as fast: 13.9 against 8.2 tok/s, median of 5; output identical,
    96 of 96 tokens; 0.5 GB more memory."
    """
    runs = _tr("one run each") if verdict.runs == verdict.other_runs == 1 else _median(verdict)
    clauses = [f"{_finding(verdict)}: {_rates(verdict)}, {runs}", _plain_sameness(verdict)]
    clauses += [caution.rstrip(".") for caution in cautions(verdict)]
    if memory := _memory(verdict):
        clauses.append(memory)
    if not verdict.is_complete:
        clauses.append(_tr("stopped early"))
    return (
        "; ".join(_lower_first(clause) if number else clause for number, clause in enumerate(clauses)) + "."
    )


def advice_text(verdict: Verdict) -> str:
    """What follows from the figures, where the buttons alone do not say it; may be empty."""
    unsure = verdict.kind is VerdictKind.UNSURE
    match verdict.advice:
        case Advice.KEEP_ON | Advice.USE_LEFT | Advice.USE_RIGHT if not verdict.is_faithful:
            return _tr("Faster, but not the same text: your choice.")
        case Advice.KEEP_ON:
            return _tr("Drafting seems to pay here.") if unsure else ""
        case Advice.TURN_OFF if verdict.kind is VerdictKind.SLOWER:
            return _tr("Drafting does not pay on this prompt.")
        case Advice.TURN_OFF if unsure:
            return _tr("Drafting does not seem to pay here.")
        case Advice.TURN_OFF:
            return _tr("Drafting gains nothing here for the memory that it takes.")
        case Advice.USE_LEFT:
            return _tr("The left side seems faster.") if unsure else ""
        case Advice.USE_RIGHT:
            return _tr("The right side seems faster.") if unsure else ""
        case Advice.NO_DIFFERENCE if verdict.scatters:
            return _tr("The runs differ too much to tell. Repeat when the computer is less busy.")
        case Advice.NO_DIFFERENCE if verdict.is_against_plain and verdict.kind is not VerdictKind.NO_RATE:
            return _tr("Drafting neither helps nor hurts here.")
    return ""


def cautions(verdict: Verdict) -> tuple[str, ...]:
    """What must be known before the advice is followed, in sentences."""
    found = [
        _tr("The acceptance rule of “{variant}” ({rule}) may change the text.").format(
            variant=variant_text(variant), rule=rule_text(variant.speculation.acceptance)
        )
        if len(verdict.lossy_variants) > 1
        else _tr("The acceptance rule ({rule}) may change the text.").format(
            rule=rule_text(variant.speculation.acceptance)
        )
        for variant in verdict.lossy_variants
    ]
    if verdict.repeats_differ:
        found.append(_tr("Repeated runs of one side gave different texts."))
    return tuple(found)


def factor_text(factor: float | None) -> str:
    """A factor in as many digits as tell: "2.0×", "1.06×", "0.91×"."""
    if factor is None:
        return MISSING
    return f"{factor:.1f}×" if factor >= _ONE_DECIMAL else f"{factor:.2f}×"


def memory_text(count: int) -> str:
    """Bytes in round figures: "0.5 GB", "145 MB"."""
    return f"{count / 1e9:.1f} GB" if count >= _WHOLE_GIGABYTES else bytes_text(count)


def _finding(verdict: Verdict) -> str:
    factor = f"{verdict.factor or 0.0:.2f}"
    if verdict.kind is VerdictKind.NO_RATE:
        return _tr("Too short to compare")
    if not verdict.is_against_plain:
        names = {"judged": verdict.judged.id, "other": verdict.other.id}
        if verdict.kind is VerdictKind.NOISE:
            return _tr("“{judged}” and “{other}” show no clear difference on this prompt").format(**names)
        return _tr("“{judged}” is {factor} times as fast as “{other}” on this prompt").format(
            factor=factor, **names
        )
    if verdict.kind is VerdictKind.NOISE:
        return _tr("Drafting makes no clear difference on this prompt")
    if (verdict.factor or 0.0) < 1.0:
        return _tr("Drafting makes this prompt slower, {factor} times as fast").format(factor=factor)
    return _tr("Drafting makes this prompt {factor} times as fast").format(factor=factor)


def _rates(verdict: Verdict) -> str:
    if verdict.rate is None and verdict.other_rate is None:
        return _tr("No speed: fewer than two tokens")
    return _tr("{rate} against {other} tok/s").format(
        rate=_rate(verdict.rate), other=_rate(verdict.other_rate)
    )


def _rate(rate: float | None) -> str:
    return MISSING if rate is None else f"{rate:.1f}"


def _median(verdict: Verdict) -> str:
    if verdict.runs == verdict.other_runs:
        return _tr("median of {count}").format(count=verdict.runs)
    return _tr("medians of {count} and {others} runs").format(count=verdict.runs, others=verdict.other_runs)


def _sameness_parts(verdict: Verdict) -> list[Part]:
    first = verdict.difference
    if first is None:
        return [
            Part(_tr("Output identical"), Emphasis.STRONG),
            Part(", " + _identical_count(verdict) + "."),
        ]
    warns = verdict.sameness is Sameness.DIFFERS
    emphasis = Emphasis.WARNING if warns else Emphasis.STRONG
    return [Part(_differs(verdict, first.position + 1), emphasis), Part(f"{_why(verdict)}.")]


def _plain_sameness(verdict: Verdict) -> str:
    return "".join(part.text for part in _sameness_parts(verdict)).rstrip(".")


def _differs(verdict: Verdict, number: int) -> str:
    return _tr("Output differs from token {number} on").format(number=f"{number:,}")


def _why(verdict: Verdict) -> str:
    match verdict.sameness:
        case Sameness.NEAR_TIE:
            return _tr(", at a near-tie")
        case Sameness.RESAMPLED:
            return _tr(", as it may with rejection sampling")
        case _ if verdict.difference is not None and verdict.difference.near_tie is False:
            return _tr(", and not at a near-tie")
    return ""


def _identical_count(verdict: Verdict) -> str:
    if verdict.tokens == 1:
        return _tr("1 of 1 token")
    return _tr("{count} of {count} tokens").format(count=f"{verdict.tokens:,}")


def _memory(verdict: Verdict) -> str:
    extra = verdict.extra_memory_bytes
    if not extra:
        return ""
    if extra > 0:
        return _tr("{size} more memory").format(size=memory_text(extra))
    return _tr("{size} less memory").format(size=memory_text(-extra))


def _lower_first(text: str) -> str:
    return text[:1].lower() + text[1:]


def _tr(text: str) -> str:
    return QCoreApplication.translate("VerdictWords", text)
