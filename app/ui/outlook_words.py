"""What is said about the gain that a draft promises, before anything is loaded."""

from msgspec import Struct
from PySide6.QtCore import QCoreApplication

from app.core.advice import DraftSize
from app.core.pair_expectation import ExpectedGain, Grounds, NoGain, PairExpectation, RuleOfThumb
from app.ui.draft_candidates import Candidate, Suitable
from app.ui.draft_words import tag_text
from app.ui.widgets import Tone

translate = QCoreApplication.translate

_NEARLY_NOTHING = 1.05  # shown as "1.0" or as one that nobody notices


class OutlookTag(Struct, frozen=True):
    """A few words at the end of a draft model's row; empty where there is nothing to say."""

    text: str = ""
    tone: Tone = "muted"


def tag_of(candidate: Candidate, outlook: PairExpectation | None) -> OutlookTag:
    """What a model that can draft promises: "1.3–1.8× estimated"; where no more is known, by its size."""
    if not candidate.can_draft:
        return OutlookTag()
    match outlook:
        case ExpectedGain(is_loss=True):
            return OutlookTag(translate("Outlook", "likely slower"), "warning")
        case ExpectedGain(is_little=True):
            return OutlookTag(translate("Outlook", "little to gain"))
        case ExpectedGain():
            if outlook.grounds is Grounds.ANSWERS:
                text = translate("Outlook", "{range} measured")
                return OutlookTag(text.format(range=range_text(outlook)), "accent")
            text = translate("Outlook", "{range} estimated")
            return OutlookTag(text.format(range=range_text(outlook)))
        case NoGain():
            return OutlookTag(translate("Outlook", "will not help here"), "warning")
        case RuleOfThumb() | None:
            large = candidate.verdict == Suitable(DraftSize.LARGE)
            return OutlookTag(tag_text(candidate), "warning" if large else "accent")


def range_text(gain: ExpectedGain) -> str:
    """A range of speed-ups in short: "1.3–1.8×", "up to 1.4×", "about 1.5×"."""
    low, high = f"{gain.low:.1f}", f"{gain.high:.1f}"
    if low == high:
        return translate("Outlook", "about {factor}×").format(factor=f"{(gain.low + gain.high) / 2:.1f}")
    if gain.grounds is not Grounds.ANSWERS and 1.0 <= gain.low < _NEARLY_NOTHING:
        return translate("Outlook", "up to {factor}×").format(factor=high)
    return f"{low}–{high}×"


def outlook_sentence(outlook: PairExpectation | None) -> str:
    """The same with its grounds; empty where nothing is known."""
    match outlook:
        case ExpectedGain():
            text = translate("Outlook", "Expected here: {range} plain speed, {grounds}.")
            if outlook.is_loss:
                text = translate("Outlook", "Likely slower here: {range} plain speed, {grounds}.")
            elif outlook.is_little:
                text = translate("Outlook", "Little to gain here, {grounds}.")
            return text.format(
                range=range_text(outlook), grounds=grounds_text(outlook.grounds, outlook.answers)
            )
        case NoGain():
            return _no_gain_text(outlook)
        case _:
            return ""


def grounds_text(grounds: Grounds, answers: int = 0) -> str:
    """Where an expectation comes from, as the end of a sentence; `answers` are those behind it."""
    match grounds:
        case Grounds.ANSWERS:
            return translate("Outlook", "measured over the last {count} answers").format(count=answers)
        case Grounds.COSTS:
            return translate("Outlook", "estimated from times measured here")
        case Grounds.FORMAT:
            return translate("Outlook", "estimated from times measured here with similar models")
        case Grounds.SIZES:
            return translate("Outlook", "estimated from file sizes and the speed of this machine")


def _no_gain_text(outlook: NoGain) -> str:
    """With the reason: what the draft length that loses least costs, and gives at most."""
    text = translate(
        "Outlook",
        "Will not help on this machine, even if every guess is right: "
        "checking {checked} tokens costs {check} plain steps",
    )
    if outlook.is_fixed:
        text = translate(
            "Outlook",
            "Drafts of this length will not help on this machine, even if every guess is right: "
            "checking {checked} tokens costs {check} plain steps",
        )
    text = text.format(checked=outlook.checked, check=f"{outlook.check_steps:.1f}")
    if outlook.draft_steps > 0.0:
        more = translate("Outlook", "and drafting {drafted} of them {draft} more")
        text += ", " + more.format(drafted=outlook.drafted, draft=f"{outlook.draft_steps:.1f}")
    return f"{text}." if outlook.grounds.is_measured else f"{text}, {grounds_text(outlook.grounds)}."
