"""What follows from a suite, for its card."""

from collections.abc import Mapping

from PySide6.QtCore import QCoreApplication

from app.core.experiment import Variant
from app.core.gain import Gain
from app.core.suite_result import SuiteResult
from app.ui.finding import Finding
from app.ui.offers import Choice, Offer, Remembering, on_or_off, one_of, use_or_keep
from app.ui.suite_words import advice_text, headline, note, sentence_parts
from app.ui.variant_words import variant_text
from app.ui.widgets import Tone

translate = QCoreApplication.translate


def suite_finding(
    result: SuiteResult,
    reference: Variant,
    judged: Variant,
    titles: Mapping[str, str],
    remembering: Remembering,
    *,
    is_complete: bool,
) -> Finding:
    """The words, the tone and the buttons."""
    return Finding(
        headline=headline(result),
        note=note(result),
        sentence=sentence_parts(result, reference, judged, titles, is_complete=is_complete),
        advice=advice_text(result, titles),
        tone=_tone(result),
        offers=_offers(result, reference, judged, remembering, is_complete=is_complete),
        model=remembering.model,
    )


def _offers(
    result: SuiteResult, reference: Variant, judged: Variant, remembering: Remembering, *, is_complete: bool
) -> tuple[Offer, ...]:
    if result.gain is None:
        return ()
    choice = _choice(result) if is_complete else Choice.NEITHER
    if judged.drafts and not reference.drafts:
        return on_or_off(reference, judged, choice, remembering)
    use = translate("SuiteFinding", "Use {variant}")
    keep = translate("SuiteFinding", "Keep {variant}")
    first, second = (
        use_or_keep(each, remembering, use, keep).format(variant=variant_text(each))
        for each in (reference, judged)
    )
    return one_of((reference, judged), (first, second), choice, remembering)


def _choice(result: SuiteResult) -> Choice:
    """A draft model that gains nothing costs memory all the same. Too few runs speak for neither."""
    if not result.is_faithful or result.scatters or result.whole.interval is None:
        return Choice.NEITHER
    match result.gain:
        case Gain.FASTER:
            return Choice.SECOND
        case Gain.SLOWER:
            return Choice.FIRST
        case Gain.EVEN if result.takes_memory:
            return Choice.FIRST
    return Choice.NEITHER


def _tone(result: SuiteResult) -> Tone:
    if result.gain is Gain.FASTER:
        return "accent" if result.is_faithful else "warning"
    return "warning" if result.gain is Gain.SLOWER else "text"
