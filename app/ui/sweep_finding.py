"""What follows from a sweep, for its card."""

from PySide6.QtCore import QCoreApplication

from app.core.gain import Gain
from app.core.sweep_result import SweepPoint, SweepResult
from app.ui.finding import Finding
from app.ui.offers import Offer, Remembering, use_or_keep
from app.ui.sweep_words import advice_text, headline, note, sentence_parts
from app.ui.widgets import Tone

translate = QCoreApplication.translate


def sweep_finding(result: SweepResult, remembering: Remembering, *, is_complete: bool) -> Finding | None:
    """The words, the tone and the buttons; None where nothing can be said yet."""
    best = result.best
    if best is None or result.gain is None:
        return None
    return Finding(
        headline=headline(result),
        note=note(result),
        sentence=sentence_parts(result, is_complete=is_complete),
        advice=advice_text(result),
        tone=_tone(result),
        offers=_offers(result, best, remembering, is_complete=is_complete),
        model=remembering.model,
    )


def _tone(result: SweepResult) -> Tone:
    if result.gain is Gain.FASTER:
        return "accent" if result.is_faithful else "warning"
    return "warning" if result.gain is Gain.SLOWER and result.has_all else "text"


def _offers(
    result: SweepResult, best: SweepPoint, remembering: Remembering, *, is_complete: bool
) -> tuple[Offer, ...]:
    """To use the best where it is better; else to turn drafting off, where it is on.

    None is advised before all has been tried, often enough to know the noise.
    """
    is_known = (
        is_complete and best.interval is not None and not result.scatters and result.gain is not Gain.SHORT
    )
    if result.gain is Gain.FASTER:
        side = remembering.side_of(best.variant)
        advised = is_known and result.is_faithful
        words = use_or_keep(
            best.variant,
            remembering,
            translate("SweepFinding", "Use this"),
            translate("SweepFinding", "Keep this"),
        )
        return () if side is None else (Offer(words, side, advised),)
    plain = remembering.side_of(result.reference)
    if plain is None or result.reference.drafts or not remembering.drafts_now:
        return ()
    costs = result.gain is Gain.SLOWER or best.variant.draft is not None
    return (Offer(translate("SweepFinding", "Turn off"), plain, is_known and costs),)
