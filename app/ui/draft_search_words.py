"""What is said about draft models on the hub."""

from PySide6.QtCore import QCoreApplication

from app.figures import bytes_text, count_text
from app.models.draft_facts import Outlook
from app.models.draft_suggestions import DraftSuggestion, Grounds
from app.models.model_names import printable
from app.ui.draft_search import Checked, Checking, DoesNotFit, Finding, NotChecked, Unusable
from app.ui.draft_words import difference_text
from app.ui.hub_model_words import row_name
from app.ui.whereabouts import Whereabouts

translate = QCoreApplication.translate

_ENDING = "-gguf"


def draft_name(suggestion: DraftSuggestion) -> str:
    """The draft's name without what all repositories here have in theirs: "Qwen2.5-Coder-0.5B-Instruct"."""
    name = printable(suggestion.model.found.name, 80)
    bare = name[: -len(_ENDING)] if name.casefold().endswith(_ENDING) else name
    return bare or name


def file_text(suggestion: DraftSuggestion) -> str:
    """ "Q4_K_M · 491 MB"."""
    return f"{row_name(suggestion.row)} · {bytes_text(suggestion.row.total_bytes)}"


def verdict_text(finding: Finding) -> str:
    """What is known of the vocabulary, in short."""
    match finding.verdict:
        case Checked():
            return translate("DraftSearch", "same vocabulary, checked")
        case Checking():
            return translate("DraftSearch", "likely the same vocabulary, checking…")
        case NotChecked():
            return translate("DraftSearch", "likely the same vocabulary")
        case DoesNotFit() | Unusable():
            return translate("DraftSearch", "does not fit")


def reason_text(finding: Finding) -> str:
    """Why it does not fit, without its name; empty where it may."""
    match finding.verdict:
        case DoesNotFit(reason=reason):
            return translate("DraftSearch", "does not fit: {reason}").format(reason=difference_text(reason))
        case Unusable(sentence=""):
            return translate("DraftSearch", "keeps a running state and cannot take back rejected tokens")
        case Unusable(sentence=sentence):
            return translate("DraftSearch", "cannot be used: {reason}").format(reason=printable(sentence))
        case _:
            return ""


def not_checked_text(finding: Finding) -> str:
    """Why its vocabulary is not known, in a sentence; empty unless checking it has failed."""
    if not (isinstance(finding.verdict, NotChecked) and finding.has_failed):
        return ""
    text = translate("DraftSearch", "The vocabulary could not be checked: {reason}")
    return text.format(reason=printable(finding.verdict.sentence))


def where_text(where: Whereabouts) -> str:
    """Where its file is already, or will be; empty where it is on the hub alone."""
    match where:
        case Whereabouts.HERE:
            return translate("DraftSearch", "on this computer already")
        case Whereabouts.COMING:
            return translate("DraftSearch", "being downloaded")
        case Whereabouts.ELSEWHERE:
            return ""


def loss_text(finding: Finding) -> str:
    """Why one of several was passed over, in a line that names it."""
    found = finding.suggestion.model.found
    return f"{printable(found.publisher, 60)}/{draft_name(finding.suggestion)} {reason_text(finding)}"


def grounds_text(suggestion: DraftSuggestion) -> str:
    """Why it is suggested."""
    match suggestion.grounds:
        case Grounds.KNOWN_PAIR:
            return translate("DraftSearch", "known to go with it")
        case Grounds.SAME_BASE:
            return translate("DraftSearch", "made from the same family")
        case Grounds.SAME_FAMILY:
            return translate("DraftSearch", "same family")


def details_text(suggestion: DraftSuggestion) -> str:
    """A row's second line: "494M · Q4_K_M · 491 MB · Qwen · known to go with it"."""
    found = suggestion.model.found
    parts = (
        count_text(found.parameters) if found.parameters else "",
        file_text(suggestion),
        printable(found.publisher, 60),
        grounds_text(suggestion),
    )
    return " · ".join(part for part in parts if part)


def outlook_text(outlook: Outlook) -> str:
    """Why no draft is suggested."""
    match outlook:
        case Outlook.TOO_SMALL:
            return translate(
                "DraftSearch",
                "This model is small and quick by itself. As a rule of thumb a draft pays from about 7B on.",
            )
        case Outlook.NOT_POSSIBLE:
            return translate(
                "DraftSearch",
                "This model keeps a running state and cannot take back rejected tokens, so that no draft can "
                "help it.",
            )
        case Outlook.NO_NAME:
            return translate(
                "DraftSearch", "Nothing tells what family this model is of, so that none can be suggested."
            )
        case Outlook.NO_TEXT:
            return translate("DraftSearch", "Drafts are for models that write text.")
        case Outlook.HOPEFUL:
            return ""


def size_note(suggestion: DraftSuggestion) -> str:
    """A caution where the target is quick by itself; empty elsewhere."""
    if not suggestion.small_target:
        return ""
    return translate(
        "DraftSearch",
        "This model is small and quick by itself: the gain may be small.",
    )
