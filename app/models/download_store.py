"""The downloads that are not finished, on disk, so that they go on after a restart or a power cut."""

import json
import logging
import os
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from app.models.cache_file import write_whole
from app.models.download import DownloadRequest

_VERSION = 1

_log = logging.getLogger(__name__)


class _Stored(Struct, frozen=True):
    version: int
    downloads: tuple[DownloadRequest, ...]


class DownloadStore:
    """A file of requests, in their order. One that is damaged, or of another version, is an empty one.

    How far each is stands beside its files, where the transfer keeps it.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def load(self) -> tuple[DownloadRequest, ...]:
        """What was saved last. Never raises: what cannot be used is logged."""
        try:
            raw = json.loads(self._path.read_bytes())
            stored = msgspec.convert(raw, _Stored, dec_hook=_path)
        except FileNotFoundError:
            return ()
        except (OSError, ValueError, RecursionError) as error:  # msgspec's and json's own included
            _log.warning("The list of downloads could not be read; it starts empty: %s", error)
            return ()
        if stored.version != _VERSION:
            _log.warning("The list of downloads is of another version; it starts empty.")
            return ()
        usable = tuple(request for request in stored.downloads if _makes_sense(request))
        if len(usable) < len(stored.downloads):
            _log.warning("Some entries of the list of downloads do not make sense and are left out.")
        return usable

    def save(self, requests: tuple[DownloadRequest, ...]) -> None:
        """Replaces what was saved. A disk that cannot be written is only logged."""
        values = msgspec.to_builtins(_Stored(_VERSION, requests), enc_hook=_text)
        content = json.dumps(values, indent=2)  # the standard one: names on disk need not be valid text
        try:
            write_whole(self._path, content.encode(), durable=True)
        except OSError as error:
            _log.warning("The list of downloads could not be saved: %s", error)


def _makes_sense(request: DownloadRequest) -> bool:
    return bool(request.files) and all(file.size >= 0 for file in request.files)


def _text(value: Any) -> str:
    if isinstance(value, Path):
        return os.fspath(value)
    raise NotImplementedError(type(value))


def _path(kind: type, value: Any) -> Path:
    if issubclass(kind, Path) and isinstance(value, str) and value and "\0" not in value:
        return Path(value)
    raise ValueError(f"{value!r} is no path")
