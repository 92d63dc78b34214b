"""What the hub says of a repository, taken with care: a figure that makes no sense is one that is missing."""

import re
import time
from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING

from app.models.hub import FoundModel, Gate, RemoteFile
from app.models.model_names import printable
from app.models.stated import is_sha256

if TYPE_CHECKING:
    from huggingface_hub import ModelInfo
    from huggingface_hub.hf_api import RepoFile

_LARGEST = 2**60  # of any figure
_EARLIEST = 1_451_606_400.0  # seconds since 1970: 2016, when there was no hub
_DAY = 24 * 3600.0  # seconds that a clock may be wrong by
_LONGEST_WORD = 80  # characters
_BASE_MODEL = re.compile(r"base_model:(?:[a-z]+:)?(?P<repo>[^/:\s]+/[^/:\s]+)")
_LICENCE = "license:"
_GATES = {"auto": Gate.AUTOMATIC, "manual": Gate.MANUAL, True: Gate.MANUAL}


def found_model(info: "ModelInfo") -> FoundModel:
    """What a search shows."""
    gguf = info.gguf if isinstance(info.gguf, dict) else {}
    gated: object = info.gated
    return FoundModel(
        repo=str(info.id),
        downloads=_figure(info.downloads),
        likes=_figure(info.likes),
        updated=_moment(info.last_modified),
        gate=_GATES.get(gated, Gate.OPEN) if isinstance(gated, str | bool) else Gate.OPEN,
        architecture=_word(gguf.get("architecture")),
        parameters=_figure(gguf.get("total")) or None,
        context_length=_figure(gguf.get("context_length")) or None,
    )


def licence(info: "ModelInfo") -> str | None:
    """The licence's short name; of a licence of the publisher's own, the name that the card gives it."""
    card = info.card_data
    stated = _word(getattr(card, "license", None))
    if stated in (None, "other"):
        stated = _word(getattr(card, "license_name", None)) or stated
    if stated is None:
        tags = [tag.removeprefix(_LICENCE) for tag in _texts(info.tags) if tag.startswith(_LICENCE)]
        stated = _word(tags[0]) if tags else None
    return stated


def base_models(info: "ModelInfo") -> tuple[str, ...]:
    """The repositories that it was made from, as the hub lists them, the card says, or the tags do."""
    listed: object = info.base_models
    if isinstance(listed, dict):
        entries = listed.get("models")
        listed = [entry.get("id") for entry in _entries(entries) if isinstance(entry, dict)]
    stated: object = getattr(info.card_data, "base_model", None)
    tagged = [found["repo"] for tag in _texts(info.tags) if (found := _BASE_MODEL.fullmatch(tag))]
    names = [*_texts(listed), *_texts([stated] if isinstance(stated, str) else stated), *tagged]
    return tuple(dict.fromkeys(printable(name, _LONGEST_WORD * 2) for name in names))


def remote_file(listed: "RepoFile") -> RemoteFile | None:
    """A file of a repository's tree; None where its size or its name makes no sense."""
    size = _figure(listed.size)
    if not _is_text(listed.path) or not size:
        return None
    digest: object = listed.lfs.sha256 if listed.lfs is not None else None
    sound = isinstance(digest, str) and is_sha256(digest.lower())
    return RemoteFile(listed.path, size, str(digest).lower() if sound else None)


def _figure(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _LARGEST else None


def _moment(value: object) -> float | None:
    """Seconds since 1970, of a time when there was a hub, and that has come."""
    seconds = value.timestamp() if isinstance(value, datetime) else 0.0
    return seconds if _EARLIEST <= seconds <= time.time() + _DAY else None


def _word(value: object) -> str | None:
    if isinstance(value, list) and value:
        value = value[0]
    return printable(value.strip(), _LONGEST_WORD) or None if isinstance(value, str) else None


def _is_text(value: object) -> bool:
    """Whether it can be written: half of a pair of signs, which JSON allows, cannot."""
    return isinstance(value, str) and value.encode(errors="ignore").decode() == value


def _texts(values: object) -> Iterable[str]:
    return [value for value in _entries(values) if isinstance(value, str) and value]


def _entries(values: object) -> list[object]:
    return list(values) if isinstance(values, list | tuple) else []
