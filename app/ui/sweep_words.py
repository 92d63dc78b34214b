"""What a sweep over draft lengths came to, in words."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from app.core.experiment import Variant
from app.core.gain import Gain
from app.core.sweep_result import SweepPoint, SweepResult
from app.figures import times_text
from app.ui.finding_card import Finding, Offer
from app.ui.suite_finding import SideOf
from app.ui.variant_words import variant_text
from app.ui.widgets import Tone


def _tr(text: str) -> str:
    return QCoreApplication.translate("SweepWords", text)


def sweep_finding(
    result: SweepResult, side_of: SideOf, *, drafts_now: bool, is_complete: bool
) -> Finding | None:
    """The words, the tone and the buttons; None where nothing can be said yet."""
    best, gain = result.best, result.gain
    if best is None or gain is None:
        return None
    more = [
        _doubt(best),
        _others(result, gain),
        _sameness(best),
        "" if is_complete else _tr("Stopped early."),
    ]
    headlines = {
        Gain.FASTER: _tr("{factor} as fast").format(factor=times_text(best.speedup)),
        Gain.EVEN: _tr("No clear gain"),
        Gain.SLOWER: _tr("Off is best") if not result.reference.drafts else _tr("No gain"),
    }
    return Finding(
        headline=headlines[gain],
        note=variant_text(best.variant) if gain is Gain.FASTER else "",
        sentence=_sentence(result, best, gain),
        more=" ".join(filter(None, more)),
        tone=_tone(best, gain),
        offers=_offers(result, best, gain, side_of, drafts_now=drafts_now),
    )


def progress_text(result: SweepResult) -> str:
    """The best of what has ended so far."""
    best = result.best
    if best is None:
        return ""
    words = _tr("So far the fastest: {variant}, {rate} tok/s.")
    return words.format(variant=variant_text(best.variant), rate=f"{best.speed.median:.1f}")


def _sentence(result: SweepResult, best: SweepPoint, gain: Gain) -> str:
    match gain:
        case Gain.FASTER:
            words = _tr("Best here: {variant}, {factor} as fast as {reference}{interval}{rates}.")
        case Gain.EVEN:
            words = _tr(
                "{Reference} is as good: the fastest, {variant}, is {factor} as fast{interval}{noise}."
            )
        case Gain.SLOWER:
            words = _tr(
                "Everything is slower than {reference} here; the fastest, {variant}, is {factor} as fast."
            )
    reference = _name(result.reference)
    return words.format(
        variant=variant_text(best.variant),
        factor=times_text(best.speedup),
        reference=reference,
        Reference=reference[:1].upper() + reference[1:],
        interval=_interval(best),
        rates=_rates(result, best),
        noise=_tr(", which is within the noise"),
    )


def _interval(point: SweepPoint) -> str:
    if point.interval is None:
        return ""
    words = _tr(" ({low} to {high})")
    return words.format(low=f"{point.interval.low:.2f}", high=f"{point.interval.high:.2f}")


def _rates(result: SweepResult, best: SweepPoint) -> str:
    if result.reference_speed is None:
        return ""
    words = _tr(": {rate} against {other} tok/s")
    return words.format(rate=f"{best.speed.median:.1f}", other=f"{result.reference_speed.median:.1f}")


def _doubt(best: SweepPoint) -> str:
    return _tr("One run each: repeat to be sure.") if best.interval is None else ""


def _others(result: SweepResult, gain: Gain) -> str:
    others = result.about_as_good if gain is Gain.FASTER else ()
    if not others:
        return ""
    return _tr("About as good: max {lengths}.").format(lengths=_listed(others))


def _listed(points: Sequence[SweepPoint]) -> str:
    lengths = [str(point.length) for point in points]
    if len(lengths) == 1:
        return lengths[0]
    return _tr("{first} and {last}").format(first=", ".join(lengths[:-1]), last=lengths[-1])


def _sameness(best: SweepPoint) -> str:
    if best.variant.speculation.acceptance.changes_output:
        return _tr("The acceptance rule may change the text.")
    if best.difference is None:
        return _tr("Output identical.")
    words = _tr("Output differs from token {number} on, at a near-tie.")
    if not best.difference.near_tie:
        words = _tr("Output differs from token {number} on.")
    return words.format(number=f"{best.difference.position + 1:,}")


def _tone(best: SweepPoint, gain: Gain) -> Tone:
    if gain is Gain.FASTER:
        return "warning" if best.variant.speculation.acceptance.changes_output else "accent"
    return "warning" if gain is Gain.SLOWER else "text"


def _offers(
    result: SweepResult, best: SweepPoint, gain: Gain, side_of: SideOf, *, drafts_now: bool
) -> tuple[Offer, ...]:
    """To use the best where it is better; else to turn drafting off, where it is on."""
    if gain is Gain.FASTER:
        side = side_of(best.variant)
        advised = not best.variant.speculation.acceptance.changes_output
        return () if side is None else (Offer(_tr("Use this"), side, advised),)
    plain = side_of(result.reference)
    if plain is None or result.reference.drafts or not drafts_now:
        return ()
    return (Offer(_tr("Turn off"), plain, is_advised=True),)


def _name(reference: Variant) -> str:
    return variant_text(reference) if reference.drafts else _tr("off")
