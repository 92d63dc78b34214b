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
    downloads: list[Any]


class DownloadStore:
    """A file of requests, in their order. One that is damaged, or of another version, is an empty one.

    What cannot be used is kept aside, the last of it, in a file ending in `.bad`. How far each download is
    stands beside its files, where the transfer keeps it.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def load(self) -> tuple[DownloadRequest, ...]:
        """What was saved last. Never raises: what cannot be used is logged."""
        try:
            stored = msgspec.convert(json.loads(self._path.read_bytes()), _Stored)
        except FileNotFoundError:
            return ()
        except (OSError, ValueError, RecursionError) as error:  # msgspec's and json's own included
            _log.warning("The list of downloads could not be read; it starts empty: %s", error)
            self._put_aside()
            return ()
        if stored.version != _VERSION:
            _log.warning("The list of downloads is of another version; it starts empty.")
            self._put_aside()
            return ()
        usable = tuple(request for entry in stored.downloads if (request := _request(entry)) is not None)
        if len(usable) < len(stored.downloads):
            _log.warning("Some entries of the list of downloads do not make sense and are left out.")
            self._put_aside()
            self.save(usable)
        return usable

    def save(self, requests: tuple[DownloadRequest, ...]) -> None:
        """Replaces what was saved. A disk that cannot be written is only logged."""
        values = msgspec.to_builtins(_Stored(_VERSION, list(requests)), enc_hook=_text)
        content = json.dumps(values, indent=2)  # the standard one: names on disk need not be valid text
        try:
            write_whole(self._path, content.encode(), durable=True)
        except OSError as error:
            _log.warning("The list of downloads could not be saved: %s", error)

    def _put_aside(self) -> None:
        """So that the next save does not take away what another version could have read."""
        aside = self._path.with_name(self._path.name + ".bad")
        try:
            self._path.replace(aside)
        except OSError as error:
            _log.warning("It could not be kept aside: %s", error)
        else:
            _log.warning("It is kept as %s.", aside.name)


def _request(entry: Any) -> DownloadRequest | None:
    """None for what makes no sense."""
    try:
        request = msgspec.convert(entry, DownloadRequest, dec_hook=_path)
    except (ValueError, RecursionError) as error:
        _log.warning("A download that was remembered cannot be used: %s", error)
        return None
    makes_sense = bool(request.files) and all(file.size >= 0 for file in request.files)
    return request if makes_sense else None


def _text(value: Any) -> str:
    if isinstance(value, Path):
        return os.fspath(value)
    raise NotImplementedError(type(value))


def _path(kind: type, value: Any) -> Path:
    if issubclass(kind, Path) and isinstance(value, str) and value and "\0" not in value:
        return Path(value)
    raise ValueError(f"{value!r} is no path")
