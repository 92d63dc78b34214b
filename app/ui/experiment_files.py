"""Files that experiments are read from and exported to, off the event loop and with failures in words."""

import re
import unicodedata
from collections.abc import Callable
from datetime import date
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject

from app.core.errors import SlipstreamError
from app.core.experiment import Experiment
from app.core.experiment_file import ExperimentFileError, FileProblem, from_json
from app.figures import bytes_text
from app.models.model_names import printable
from app.ui.file_writing import disk_reason, replace_file
from app.ui.tasks import Tasks

translate = QCoreApplication.translate

LARGEST_FILE = 256_000_000  # bytes; the longest suites take a few per cent of it
_LONGEST_NAME = 60  # characters of a model's name in a file's name
_LONGEST_SHOWN = 60  # characters of a file's name in a sentence
_LONGEST_FOLDER = 200


class ExportError(SlipstreamError):
    """A file that could not be read or written; `str()` is a sentence with its name."""


def read_experiment(
    owner: QObject,
    tasks: Tasks,
    path: Path,
    done: Callable[[Experiment], None],
    failed: Callable[[str], None],
) -> None:
    """Reads what `bench --json` or an export wrote; calls `done`, or `failed` with a sentence."""
    tasks.run(owner, lambda: _read(path), done, lambda error: failed(_sentence(error)))


def write_file(
    owner: QObject,
    tasks: Tasks,
    path: Path,
    content: Callable[[], bytes],
    done: Callable[[Path], None],
    failed: Callable[[str], None],
) -> None:
    """Replaces a file by `content`, which is made in another thread. What was there stays if that fails."""

    def work() -> Path:
        _write(path, content())
        return path

    tasks.run(owner, work, done, lambda error: failed(_sentence(error)))


def suggested_name(day: date | None, model: str, ending: str) -> str:
    """A file's name that every system takes: "slipstream-2026-11-30-qwen2.5-coder-1.5b.csv"."""
    letters = unicodedata.normalize("NFKD", model).encode("ascii", "ignore").decode().lower()
    named = re.sub(r"[^a-z0-9.]+", "-", letters)[:_LONGEST_NAME].strip("-.")
    parts = ("slipstream", day.isoformat() if day is not None else "", named)
    return "-".join(part for part in parts if part) + ending


def shown_name(path: Path) -> str:
    """A file's name for a sentence: very long ones end in "…"."""
    return printable(path.name, _LONGEST_SHOWN)


def _read(path: Path) -> Experiment:
    name = shown_name(path)
    try:
        if not path.is_file():  # a device or pipe would block or never end
            text = translate("ExperimentFiles", "“{name}” is not a file that can be opened.")
            raise ExportError(text.format(name=name))
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except OSError as error:
        text = translate("ExperimentFiles", "“{name}” cannot be read: {reason}.")
        raise ExportError(text.format(name=name, reason=disk_reason(error))) from error
    if len(content) > LARGEST_FILE:
        text = translate("ExperimentFiles", "“{name}” is too large for a comparison: more than {size}.")
        raise ExportError(text.format(name=name, size=bytes_text(LARGEST_FILE)))
    try:
        return from_json(content.removeprefix(b"\xef\xbb\xbf"))
    except ExperimentFileError as error:
        raise ExportError(_file_problem(error, name)) from error


def _file_problem(error: ExperimentFileError, name: str) -> str:
    match error.problem:
        case FileProblem.DAMAGED:
            text = translate(
                "ExperimentFiles", "“{name}” is damaged: a part of it is missing or cannot be read."
            )
        case FileProblem.OLDER:
            text = translate("ExperimentFiles", "“{name}” was written by an older version of Slipstream.")
        case FileProblem.NEWER:
            text = translate("ExperimentFiles", "“{name}” was written by a newer version of Slipstream.")
        case FileProblem.INCONSISTENT:
            text = translate("ExperimentFiles", "“{name}” cannot be shown: {reason}.")
        case _:
            text = translate("ExperimentFiles", "“{name}” is not a comparison of Slipstream.")
    return text.format(name=name, reason=error.reason)


def _write(path: Path, content: bytes) -> None:
    try:
        replace_file(path, content)
    except OSError as error:
        text = translate("ExperimentFiles", "“{name}” could not be saved in “{folder}”: {reason}.")
        folder = printable(str(path.parent), _LONGEST_FOLDER)
        raise ExportError(
            text.format(name=shown_name(path), folder=folder, reason=disk_reason(error))
        ) from error


def _sentence(error: Exception) -> str:
    if not isinstance(error, SlipstreamError):
        raise error
    return str(error)
