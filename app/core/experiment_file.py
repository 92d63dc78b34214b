"""Experiments as JSON: one format for the window's history, its export, and `bench --json`."""

import json
import re
from enum import StrEnum

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from app.core.errors import SlipstreamError
from app.core.experiment import Experiment, Run, Variant
from app.core.experiment_check import inconsistency
from app.core.options import DraftLength

FORMAT = 3  # what is written
_OLDEST = 2  # that is still read

_BEGINNING = re.compile(rb'\s*\{\s*"created"\s*:\s*[\d.]+\s*,\s*"kind"\s*:')  # of what `to_json` writes


class FileProblem(StrEnum):
    """Why bytes cannot be shown as an experiment."""

    FOREIGN = "foreign"  # something else
    DAMAGED = "damaged"  # an experiment once
    OLDER = "older"  # of another version
    NEWER = "newer"
    INCONSISTENT = "inconsistent"  # figures that cannot be true together


class ExperimentFileError(SlipstreamError):
    """Bytes that are no experiment, or none that this version reads.

    `reason` is a clause on what does not hold together, where that is the problem. `str()` is a sentence
    on "this file".
    """

    def __init__(self, problem: FileProblem, reason: str = "") -> None:
        super().__init__(_SENTENCES[problem].format(reason=reason))
        self.problem = problem
        self.reason = reason


_SENTENCES = {
    FileProblem.FOREIGN: "This file is not a comparison of Slipstream.",
    FileProblem.DAMAGED: "This file is damaged: a part of it is missing or cannot be read.",
    FileProblem.OLDER: "This comparison was written by an older version of Slipstream.",
    FileProblem.NEWER: "This comparison was written by a newer version of Slipstream.",
    FileProblem.INCONSISTENT: "This comparison cannot be shown: {reason}.",
}


class _File(Experiment, frozen=True):
    """An experiment, and the version of this format."""

    format: int = FORMAT


class _Parts(Experiment, frozen=True, kw_only=True):
    """An experiment whose runs are not read yet: all at once would keep other threads waiting."""

    runs: tuple[msgspec.Raw, ...]  # type: ignore[assignment]
    format: int = 1


class _Head(Struct):
    runs: msgspec.Raw  # every version has them
    format: int = 1


def is_read(format_: int) -> bool:
    """Whether this version reads what is written in that format: its own, and the one before it."""
    return _OLDEST <= format_ <= FORMAT


def to_json(experiment: Experiment) -> bytes:
    """The experiment as indented UTF-8 JSON. Halves of characters, which it cannot hold, become "?"."""
    file = _File(**asdict(experiment))
    try:
        content = msgspec.json.encode(file)
    except UnicodeEncodeError:
        plain = json.dumps(msgspec.to_builtins(file), ensure_ascii=False)
        content = plain.encode("utf-8", "replace")
    return msgspec.json.format(content, indent=1) + b"\n"


def from_json(content: bytes) -> Experiment:
    """Reads what `to_json` wrote, perhaps elsewhere, or earlier: what it gives holds together.

    Raises ExperimentFileError.
    """
    try:
        parts = asdict(_parts(content))
        format_ = parts.pop("format")
        if not is_read(format_):
            raise _of_another_version(content)
        if format_ < FORMAT:
            parts["variants"] = tuple(map(_of_format_2, parts["variants"]))
        parts["runs"] = tuple(msgspec.json.decode(run, type=Run) for run in parts["runs"])
        experiment = Experiment(**parts)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        is_one = _BEGINNING.match(content) is not None
        raise ExperimentFileError(FileProblem.DAMAGED if is_one else FileProblem.FOREIGN) from error
    problem = inconsistency(experiment)
    if problem is not None:
        raise ExperimentFileError(FileProblem.INCONSISTENT, problem)
    return experiment


def _parts(content: bytes) -> _Parts:
    """Raises MsgspecError, and ExperimentFileError for what another version may have wanted so."""
    try:
        return msgspec.json.decode(content, type=_Parts)
    except msgspec.ValidationError:
        if not is_read(msgspec.json.decode(content, type=_Head).format):
            raise _of_another_version(content) from None
        raise


def _of_format_2(variant: Variant) -> Variant:
    """A variant from when every draft length was fixed, and so not mentioned."""
    if not variant.drafts:
        return variant
    return replace(variant, speculation=replace(variant.speculation, draft_length=DraftLength.FIXED))


def _of_another_version(content: bytes) -> ExperimentFileError:
    is_newer = msgspec.json.decode(content, type=_Head).format > FORMAT
    return ExperimentFileError(FileProblem.NEWER if is_newer else FileProblem.OLDER)
