"""What a sweep over draft lengths came to, in words."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from app.core.experiment import Variant
from app.core.gain import Gain
from app.core.sameness import lossy_of
from app.core.sweep_result import SweepPoint, SweepResult
from app.figures import rate_figure, times_text
from app.ui.gain_words import headline_text, note_text
from app.ui.sameness_words import choice_text, rule_cautions, sameness_parts
from app.ui.sentence_parts import Emphasis, Part, joined
from app.ui.variant_words import variant_text
from app.ui.verdict_words import longer_text, scatter_text

translate = QCoreApplication.translate


def headline(result: SweepResult) -> str:
    """The best in a few words."""
    best, gain = result.best, result.gain
    if gain is Gain.SLOWER and result.has_all and not result.reference.drafts:
        return translate("Sweep", "Off is best")
    if gain in (Gain.SLOWER, Gain.EVEN) and not result.scatters:
        return translate("Sweep", "No gain") if result.has_all else translate("Sweep", "No gain so far")
    return headline_text(best.speedup if best is not None else None, gain, scatters=result.scatters)


def note(result: SweepResult) -> str:
    """How sure that is."""
    best = result.best
    if best is None:
        return ""
    tokens = min(best.tokens, result.reference_tokens)
    return note_text(best.speedup, best.interval, best.runs, result.reference_runs, tokens)


def sentence_parts(result: SweepResult, *, is_complete: bool) -> tuple[Part, ...]:
    """Which is the best, its figures, and whether its text is the same."""
    best = result.best
    if best is None:
        return ()
    sentences = [
        (Part(_speed_sentence(result, best)),),
        sameness_parts(best.sameness, best.difference, best.tokens),
    ]
    cautions = rule_cautions(lossy_of(best.variant, result.reference))
    sentences += [(Part(caution, Emphasis.WARNING),) for caution in cautions]
    if not is_complete:
        sentences.append((Part(translate("Sweep", "Stopped early.")),))
    return joined(sentences)


def advice_text(result: SweepResult) -> str:
    """What follows from it, where the button alone does not say it; may be empty."""
    if result.gain is Gain.SHORT:
        return longer_text()
    if result.gain is not Gain.FASTER:
        return scatter_text() if result.scatters else ""
    if not result.is_faithful:
        return choice_text(None if result.best is None else result.best.sameness)
    others = result.about_as_good
    if not others:
        return ""
    return translate("Sweep", "About as good: {ways}.").format(ways=_ways(others))


def progress_text(result: SweepResult) -> str:
    """The best of what has ended so far."""
    best = result.best
    if best is None:
        return ""
    words = translate("Sweep", "So far the fastest: {variant}, {rate} tok/s.")
    return words.format(variant=variant_text(best.variant), rate=rate_figure(best.speed.median))


def _speed_sentence(result: SweepResult, best: SweepPoint) -> str:
    plain = result.reference_speed
    return _speed_template(result).format(
        variant=variant_text(best.variant),
        factor=times_text(best.speedup),
        reference=_name(result.reference),
        rate=rate_figure(best.speed.median),
        other=rate_figure(plain.median if plain is not None else None),
    )


def _speed_template(result: SweepResult) -> str:
    if result.gain is Gain.FASTER:
        return translate(
            "Sweep",
            "Best here: {variant}, {factor} as fast as {reference}: {rate} against {other} tok/s.",
        )
    if result.gain is Gain.SLOWER and result.has_all:
        return translate(
            "Sweep",
            "Everything is slower than {reference} here; the fastest, {variant}, is {factor} as fast.",
        )
    if result.gain is Gain.SHORT:
        return translate("Sweep", "The answers are too short to compare their speeds.")
    if not result.has_all:
        return translate(
            "Sweep", "Nothing tried so far beats {reference}; the fastest, {variant}, is {factor} as fast."
        )
    return translate(
        "Sweep", "Nothing clearly beats {reference}; the fastest, {variant}, is {factor} as fast."
    )


def _ways(points: Sequence[SweepPoint]) -> str:
    """Such as "automatic", "max 2, 3 and 4", or "automatic, and max 2"."""
    automatic = translate("Sweep", "automatic")
    fixed = [str(point.length) for point in points if not point.is_automatic]
    if not fixed:
        return automatic
    lengths = translate("Sweep", "max {lengths}").format(lengths=_listed(fixed))
    if len(fixed) == len(points):
        return lengths
    return translate("Sweep", "{automatic}, and {lengths}").format(automatic=automatic, lengths=lengths)


def _listed(lengths: Sequence[str]) -> str:
    if len(lengths) == 1:
        return lengths[0]
    return translate("Sweep", "{first} and {last}").format(first=", ".join(lengths[:-1]), last=lengths[-1])


def _name(reference: Variant) -> str:
    return variant_text(reference) if reference.drafts else translate("Sweep", "off")
