"""What follows from a suite, for its card."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QCoreApplication

from app.core.experiment import Variant
from app.core.gain import Gain
from app.core.suite_result import SuiteResult
from app.ui.finding_card import Finding, Offer
from app.ui.side import Side
from app.ui.suite_words import headline, note, sentence, spread_sentence
from app.ui.variant_words import variant_text
from app.ui.widgets import Tone

SideOf = Callable[[Variant], Side | None]


def suite_finding(
    result: SuiteResult,
    reference: Variant,
    judged: Variant,
    titles: Mapping[str, str],
    side_of: SideOf,
    *,
    drafts_now: bool,
    is_complete: bool,
) -> Finding:
    """The words, the tone and the buttons. `side_of` gives None for what cannot be put in force."""
    more = [spread_sentence(result, titles), "" if is_complete else _tr("Stopped early.")]
    return Finding(
        headline=headline(result),
        note=note(result),
        sentence=sentence(result, titles),
        more=" ".join(filter(None, more)),
        tone=_tone(result, judged),
        offers=offers_of(result.gain, reference, judged, side_of, drafts_now=drafts_now),
    )


def offers_of(
    gain: Gain | None, reference: Variant, judged: Variant, side_of: SideOf, *, drafts_now: bool
) -> tuple[Offer, ...]:
    """Both ways to answer, the one that the figures speak for advised."""
    sides = side_of(reference), side_of(judged)
    if gain is None or sides[0] is None or sides[1] is None:
        return ()
    if judged.drafts and not reference.drafts:
        words = (
            (_tr("Turn off"), _tr("Keep it on")) if drafts_now else (_tr("Keep it off"), _tr("Turn it on"))
        )
    else:
        use = _tr("Use {variant}")
        words = (use.format(variant=variant_text(reference)), use.format(variant=variant_text(judged)))
    lossy = judged.speculation.acceptance.changes_output
    return (
        Offer(words[0], sides[0], gain is Gain.SLOWER),
        Offer(words[1], sides[1], gain is Gain.FASTER and not lossy),
    )


def _tone(result: SuiteResult, judged: Variant) -> Tone:
    if result.gain is Gain.FASTER:
        return "warning" if judged.speculation.acceptance.changes_output else "accent"
    return "warning" if result.gain is Gain.SLOWER else "text"


def _tr(text: str) -> str:
    return QCoreApplication.translate("SuiteFinding", text)
