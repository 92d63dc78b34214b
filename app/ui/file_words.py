"""What the table of a repository's files says."""

from PySide6.QtCore import QCoreApplication

from app.core.fit import Fit
from app.figures import bytes_text
from app.models.download import Download, Failed, Paused, Queued, Retrying, Transferring, Verifying
from app.models.hub import RemoteModel
from app.models.model_names import printable
from app.models.quantisations import Quality, Reason
from app.ui.fit_hints import FitHint
from app.ui.hub_model_words import row_name
from app.ui.widgets import Tone

translate = QCoreApplication.translate

_MOST_NAMED = 12  # files in a tooltip


def quality_text(quality: Quality, *, recommended: bool) -> str:
    """A plain word: "good, recommended"."""
    word = _quality_word(quality)
    if not recommended:
        return word
    return translate("Files", "{quality}, recommended").format(quality=word) if word else _recommended()


def quality_tip(quality: Quality, reason: Reason | None) -> str:
    """What the word means and, for the recommended row, why it is that."""
    meaning = _quality_meaning(quality)
    if reason is None:
        return meaning
    why = translate("Files", "Recommended: {reason}.").format(reason=_reason(reason))
    return f"{meaning}\n{why}" if meaning else why


def advice_text(row: RemoteModel, reason: Reason) -> str:
    """Which file to take, and why: "Q4_K_M is recommended: the usual balance of quality, size and speed."."""
    text = translate("Files", "{name} is recommended: {reason}.")
    return text.format(name=row_name(row), reason=_reason(reason))


def no_advice_text(*, something_fits: bool) -> str:
    """Why no file is recommended."""
    if something_fits:
        return translate(
            "Files",
            "Nothing here is recommended: what fits this machine is squeezed so hard that a smaller model "
            "would answer better.",
        )
    return translate(
        "Files", "Nothing here fits this machine's memory. Look for a smaller model of the family."
    )


def fit_text(hint: FitHint | None) -> str:
    """Whether it fits; None: that is being found out."""
    if hint is None:
        return translate("Files", "checking…")
    match hint.fit:
        case Fit.FITS:
            return translate("Files", "fits")
        case Fit.FITS_WITHOUT_DRAFT:
            return translate("Files", "fits without draft")
        case Fit.TIGHT:
            return translate("Files", "tight")
        case Fit.TOO_LARGE:
            return translate("Files", "too large")
        case Fit.UNKNOWN:
            return translate("Files", "unknown")


def fit_tone(hint: FitHint | None) -> Tone:
    """The colour that goes with it."""
    if hint is None:
        return "faint"
    match hint.fit:
        case Fit.FITS:
            return "good"
        case Fit.FITS_WITHOUT_DRAFT:
            return "text"
        case Fit.TIGHT:
            return "warning"
        case Fit.TOO_LARGE:
            return "bad"
        case Fit.UNKNOWN:
            return "muted"


def fit_tip(hint: FitHint | None) -> str:
    """What it will need, and what the word means."""
    if hint is None:
        return translate(
            "Files", "The beginning of a file is being read to see how much memory it will need."
        )
    needed = ""
    if hint.needed_bytes is not None:
        if hint.fit is Fit.UNKNOWN:
            text = translate("Files", "Needs {size} of memory or more.")
        elif hint.exact:
            text = translate("Files", "Needs {size} of memory.")
        else:
            text = translate("Files", "Needs about {size} of memory.")
        needed = text.format(size=bytes_text(hint.needed_bytes))
    return " ".join(part for part in (needed, _fit_meaning(hint.fit)) if part)


def files_tip(row: RemoteModel) -> str:
    """The names of all files."""
    names = [printable(file.path) for file in row.files[:_MOST_NAMED]]
    if len(row.files) > _MOST_NAMED:
        names.append(translate("Files", "and {count} more").format(count=len(row.files) - _MOST_NAMED))
    return "\n".join(names)


def note_text(row: RemoteModel, *, ambiguous: bool) -> str:
    """A second line where the first does not tell all: how many files, and which where several are alike."""
    count = len(row.files)
    files = translate("Files", "{count} files").format(count=count) if count > 1 else ""
    name = printable(row.files[0].path) if ambiguous and row.quantisation else ""
    return " · ".join(part for part in (files, name) if part)


def progress_text(download: Download) -> str:
    """How far a download is, in a word or two; empty where a button says it all."""
    match download.state:
        case Queued():
            return translate("Files", "queued")
        case Transferring() | Retrying():
            return percent_of(download)
        case Verifying():
            return translate("Files", "checking…")
        case _:
            return ""


def percent_of(download: Download) -> str:
    """Whole percent, never rounded up."""
    total = download.request.total_bytes
    return f"{100 * download.received_bytes // total if total else 0} %"


def download_tip(download: Download) -> str:
    """What the state of a download means."""
    match download.state:
        case Retrying(sentence=sentence) | Failed(sentence=sentence):
            return printable(sentence)
        case Paused():
            return translate("Files", "Paused at {percent}.").format(percent=percent_of(download))
        case _:
            return ""


def spoken(row: RemoteModel, parts: tuple[str, ...]) -> str:
    """A whole row for screen readers."""
    return ", ".join(part for part in (row_name(row), *parts) if part)


def _reason(reason: Reason) -> str:
    match reason:
        case Reason.USUAL:
            return translate("Files", "the usual balance of quality, size and speed")
        case Reason.SMALL_MODEL:
            return translate("Files", "the model is so small that the better quality costs little")
        case Reason.BEST_THAT_FITS:
            return translate("Files", "the best of these that this machine has room for")


def _recommended() -> str:
    return translate("Files", "recommended")


def _quality_word(quality: Quality) -> str:
    match quality:
        case Quality.VERY_LOW:
            return translate("Files", "very low")
        case Quality.LOW:
            return translate("Files", "low")
        case Quality.FAIR:
            return translate("Files", "fair")
        case Quality.GOOD:
            return translate("Files", "good")
        case Quality.VERY_GOOD:
            return translate("Files", "very good")
        case Quality.NEAR_ORIGINAL:
            return translate("Files", "near original")
        case Quality.ORIGINAL:
            return translate("Files", "original")
        case Quality.UNKNOWN:
            return ""


def _quality_meaning(quality: Quality) -> str:
    match quality:
        case Quality.VERY_LOW:
            return translate("Files", "Answers suffer much. Only where nothing else fits.")
        case Quality.LOW:
            return translate("Files", "Answers suffer visibly. A smaller model is often the better choice.")
        case Quality.FAIR:
            return translate("Files", "An older format: others of its size keep more.")
        case Quality.GOOD:
            return translate("Files", "Little is lost, at a third of the original's size.")
        case Quality.VERY_GOOD:
            return translate("Files", "Hardly anything is lost.")
        case Quality.NEAR_ORIGINAL:
            return translate("Files", "Answers are as good as the original's.")
        case Quality.ORIGINAL:
            return translate(
                "Files", "The weights as they were published: the largest, and the slowest here."
            )
        case Quality.UNKNOWN:
            return ""


def _fit_meaning(fit: Fit) -> str:
    match fit:
        case Fit.FITS:
            return translate("Files", "There is room for it and a draft model.")
        case Fit.FITS_WITHOUT_DRAFT:
            return translate("Files", "There is room for it, but not for a draft model beside it.")
        case Fit.TIGHT:
            return translate("Files", "Other programs will have to give way.")
        case Fit.TOO_LARGE:
            return translate("Files", "This machine has not enough memory for it.")
        case Fit.UNKNOWN:
            return translate("Files", "Its header does not tell how much in all.")
