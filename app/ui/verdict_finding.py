"""What follows from the comparison of one prompt, for its card."""

from PySide6.QtCore import QCoreApplication

from app.core.verdict import Advice, Verdict, VerdictKind
from app.ui.finding import Finding
from app.ui.offers import Choice, Offer, Remembering, on_or_off, one_of, use_or_keep
from app.ui.verdict_words import advice_text, headline, note, sentence_parts, whole_sentence
from app.ui.widgets import Tone

translate = QCoreApplication.translate

_FIRST = (Advice.TURN_OFF, Advice.USE_LEFT)
_SECOND = (Advice.KEEP_ON, Advice.USE_RIGHT)


def verdict_finding(verdict: Verdict, remembering: Remembering) -> Finding:
    """The words, the tone and the buttons."""
    return Finding(
        headline=headline(verdict),
        note=note(verdict),
        sentence=sentence_parts(verdict),
        advice=advice_text(verdict),
        whole=whole_sentence(verdict),
        tone=_tone(verdict),
        offers=_offers(verdict, remembering),
        model=remembering.model,
    )


def _offers(verdict: Verdict, remembering: Remembering) -> tuple[Offer, ...]:
    """The plain side first, else the left one. Too few runs speak for neither."""
    if not verdict.judged.drafts and not verdict.other.drafts:
        return ()
    choice = Choice.NEITHER
    if verdict.is_faithful and verdict.kind is not VerdictKind.UNSURE:
        choice = (
            Choice.FIRST
            if verdict.advice in _FIRST
            else Choice.SECOND
            if verdict.advice in _SECOND
            else Choice.NEITHER
        )
    if verdict.is_against_plain:
        return on_or_off(verdict.other, verdict.judged, choice, remembering)
    sides = (verdict.other, verdict.judged) if verdict.judged_is_right else (verdict.judged, verdict.other)
    left, right = sides
    words = (
        use_or_keep(
            left,
            remembering,
            translate("VerdictFinding", "Use left"),
            translate("VerdictFinding", "Keep left"),
        ),
        use_or_keep(
            right,
            remembering,
            translate("VerdictFinding", "Use right"),
            translate("VerdictFinding", "Keep right"),
        ),
    )
    return one_of(sides, words, choice, remembering)


def _tone(verdict: Verdict) -> Tone:
    if verdict.kind in (VerdictKind.NOISE, VerdictKind.SHORT, VerdictKind.NO_RATE):
        return "text"
    if not verdict.is_against_plain:
        return "accent" if verdict.advice is Advice.USE_RIGHT and verdict.is_faithful else "text"
    match verdict.advice:
        case Advice.KEEP_ON:
            return "accent" if verdict.is_faithful else "warning"
        case Advice.TURN_OFF if verdict.kind is VerdictKind.SLOWER or (verdict.factor or 1.0) < 1.0:
            return "warning"
    return "text"
