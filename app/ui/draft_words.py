"""What is said about a model that may draft."""

from PySide6.QtCore import QCoreApplication

from app.core.advice import DraftSize
from app.core.compatibility import LARGEST_DIFFERENCE, Incompatible, Rule
from app.figures import bytes_text
from app.ui.draft_candidates import (
    Candidate,
    CannotRollBack,
    Gone,
    Identifying,
    OtherVocabulary,
    SameFile,
    Suitable,
    Unreadable,
)
from app.ui.model_words import parameters_text

translate = QCoreApplication.translate

_OTHER_FAMILY = 0.1  # of the target's tokens: such a difference says more than a special token does


def name_text(candidate: Candidate) -> str:
    """The model's name, or the file's where there is no more to know."""
    return candidate.path.name if candidate.model is None else candidate.model.name


def details_text(candidate: Candidate) -> str:
    """Its parameters and its size: "0.5B · 491 MB"; empty for a file that is not there."""
    if candidate.model is None:
        return ""
    info = candidate.model.info
    return f"{parameters_text(info)} · {bytes_text(info.total_bytes)}"


def facts_text(candidate: Candidate) -> str:
    """The same with its number format: "0.5B · Q4_K_M · 491 MB"."""
    if candidate.model is None:
        return ""
    info = candidate.model.info
    return f"{parameters_text(info)} · {info.quantisation} · {bytes_text(info.total_bytes)}"


def tag_text(candidate: Candidate) -> str:
    """A word on a model that can draft; empty where there is none to say."""
    match candidate.verdict:
        case Suitable(size=DraftSize.SUITS):
            return translate("DraftPicker", "good size")
        case Suitable(size=DraftSize.LARGE):
            return translate("DraftPicker", "large: may be slower")
        case _:
            return ""


def reason_text(candidate: Candidate) -> str:
    """Why a model cannot draft, or what is being done about it; empty if it can."""
    match candidate.verdict:
        case Identifying():
            return translate("DraftPicker", "identifying…")
        case OtherVocabulary(reason=reason):
            return difference_text(reason)
        case SameFile():
            return translate("DraftPicker", "this is the model itself")
        case CannotRollBack():
            return translate("DraftPicker", "keeps a running state and cannot take back rejected tokens")
        case Unreadable(sentence=sentence):
            return sentence
        case Gone():
            return translate("DraftPicker", "it is no longer among your models")
        case Suitable():
            return ""


def difference_text(reason: Incompatible) -> str:
    """Which rule two vocabularies fail at, and where."""
    apart = abs(reason.target_size - reason.draft_size)
    if reason.rule in (Rule.BEGIN, Rule.END, Rule.SIZE) and apart > _OTHER_FAMILY * reason.target_size:
        text = translate("DraftPicker", "other vocabulary: {draft} tokens, not {target}")
        return text.format(draft=f"{reason.draft_size:,}", target=f"{reason.target_size:,}")
    match reason.rule:
        case Rule.SIZE:
            text = translate("DraftPicker", "sizes differ by {apart}, at most {most} are allowed")
            return text.format(apart=f"{apart:,}", most=LARGEST_DIFFERENCE)
        case Rule.TEXT:
            text = translate("DraftPicker", "differs at token {token}: '{target}' and '{draft}'")
            return text.format(token=f"{reason.token or 0:,}", target=reason.target, draft=reason.draft)
        case Rule.TYPE:
            text = translate("DraftPicker", "other kind of vocabulary: {draft}, not {target}")
        case Rule.BEGIN:
            text = translate("DraftPicker", "begins texts with another token: {draft}, not {target}")
        case Rule.END:
            text = translate("DraftPicker", "ends texts with another token: {draft}, not {target}")
        case Rule.NO_TOKENS:
            return translate("DraftPicker", "one of the two files has no tokens")
    return text.format(draft=reason.draft, target=reason.target)
