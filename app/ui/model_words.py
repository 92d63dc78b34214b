"""What the lists say about a model."""

import re
from datetime import date

from PySide6.QtCore import QCoreApplication, QDate, QLocale

from app.figures import MISSING, bytes_text, count_text
from app.models.info import ModelInfo
from app.models.library import Listing, UnusableFile
from app.ui.moments import local_moment

translate = QCoreApplication.translate

_SIZE_LABEL = re.compile(r"(\d+x)?(?P<count>\d+(\.\d+)?)(?P<unit>[KMBT])", re.IGNORECASE)
_UNITS = {"K": 1e3, "M": 1e6, "B": 1e9, "T": 1e12}


def parameters_text(info: ModelInfo) -> str:
    """The size that people know a model by ("7B", "8x7B"), as long as it can be true; else the count."""
    label = _SIZE_LABEL.fullmatch(info.size_label or "")
    if label is not None and info.size_label is not None:
        claimed = float(label["count"]) * _UNITS[label["unit"].upper()]
        if label[1] or claimed / 2 <= info.parameters <= claimed * 2:
            return info.size_label
    return count_text(info.parameters)


def quantisation_text(info: ModelInfo) -> str:
    """The number format, with the parts of a split set: "Q4_K_M · 3 parts"."""
    if len(info.parts) == 1:
        return info.quantisation
    text = translate("Models", "{quantisation} · {parts} parts")
    return text.format(quantisation=info.quantisation, parts=len(info.parts))


def age_text(modified: float, today: date) -> str:
    """How long ago a day was: "today", "3 days ago", "last week", and later the date."""
    moment = local_moment(modified)
    if moment is None:
        return MISSING
    day = moment.date()
    days = (today - day).days
    match days:
        case 0:
            return translate("Models", "today")
        case 1:
            return translate("Models", "yesterday")
        case 2 | 3 | 4 | 5 | 6:
            return translate("Models", "{days} days ago").format(days=days)
        case 7 | 8 | 9 | 10 | 11 | 12 | 13:
            return translate("Models", "last week")
        case _:
            return QLocale().toString(QDate(day.year, day.month, day.day), "d MMM yyyy")


def total_text(listing: Listing, shown: int | None = None) -> str:
    """The number of models and their size: "7 models · 8.8 GB"; with a filter "2 of 7 models"."""
    count = len(listing.models)
    if shown is not None:
        return translate("Models", "{shown} of {count} models").format(shown=shown, count=count)
    if count == 1:
        text = translate("Models", "1 model · {size}")
    else:
        text = translate("Models", "{count} models · {size}")
    return text.format(count=count, size=bytes_text(listing.total_bytes))


def reason_text(file: UnusableFile) -> str:
    """Why a file cannot be used, without the file's name in front, which stands beside it.

    "a.gguf is incomplete: it ends early." becomes "Incomplete: it ends early."
    """
    text = file.sentence.removeprefix(file.path.name).strip().removeprefix("is ")
    return text[:1].upper() + text[1:]
