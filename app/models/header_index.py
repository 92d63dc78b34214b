"""What the headers of model files said, remembered by path, size and time of change of every part.

Refusals are remembered like answers, so that a broken file is not read again at every look. Two kinds are
not: that a file cannot be read, and that parts of a set are missing, which both may change while the file
itself does not.
"""

import logging
import os
from pathlib import Path
from threading import Lock
from typing import Any

import msgspec
from msgspec import Struct

from app import __version__
from app.core.errors import FileProblem, ModelFileError
from app.models.cache_file import CacheFile
from app.models.info import ModelInfo, read_info
from app.models.model_names import printable
from app.models.parts import parts_of
from app.models.window import unreadable

_VERSION = "1"
_MOST_FILES = 5000
_LARGEST_ENTRY = 1 << 18  # bytes; a header that is larger is read again after the next start

_log = logging.getLogger(__name__)


class Stamp(Struct, frozen=True, array_like=True):
    """What changes when a file does. Size in bytes."""

    size: int
    mtime_ns: int


class _Refusal(Struct, frozen=True):
    path: Path
    problem: FileProblem
    sentence: str


class _Entry(Struct, frozen=True):
    parts: tuple[Path, ...]
    stamps: tuple[Stamp, ...]
    outcome: ModelInfo | None
    refusal: _Refusal | None


class HeaderIndex:
    """Reads headers, each only once. With a path it is kept on disk. May be used from several threads.

    A file that is missing, damaged or written by another version of the program is an empty index.
    """

    def __init__(self, path: Path | None) -> None:
        self._file = CacheFile(path, "header", f"{_VERSION} {__version__}")
        self._lock = Lock()
        self._stored = _decode(self._file.read())
        self._entries: dict[bytes, _Entry] = {}  # those that were asked for
        self._changed = False

    def read(self, path: Path) -> ModelInfo:
        """What `read_info` gives, with absolute paths. Raises ModelFileError as it does."""
        parts = tuple(part.absolute() for part in parts_of(path))
        stamps = tuple(stamp_of(part) for part in parts)
        key = os.fsencode(parts[0])
        entry = self._known(key)
        if entry is None or (entry.parts, entry.stamps) != (parts, stamps):
            entry = _look(parts, stamps)
            self._remember(key, entry)
        if entry.refusal is not None:
            raise ModelFileError(entry.refusal.path, entry.refusal.problem, entry.refusal.sentence)
        assert entry.outcome is not None
        return entry.outcome

    def save(self) -> None:
        """Writes what is new to disk. A disk that cannot be written is only logged."""
        with self._lock:
            if not self._changed:
                return
            self._changed = False
            for key in list(self._stored)[: max(len(self._stored) - _MOST_FILES, 0)]:
                del self._stored[key]
            content = msgspec.msgpack.encode(self._stored)
        self._file.write(content)

    def _known(self, key: bytes) -> _Entry | None:
        with self._lock:
            if key not in self._entries and key in self._stored:
                try:
                    self._entries[key] = _decoder().decode(self._stored[key])
                except msgspec.MsgspecError as error:
                    _log.warning("An entry of the header cache does not make sense: %s", error)
            return self._entries.get(key)

    def _remember(self, key: bytes, entry: _Entry) -> None:
        encoded = msgspec.msgpack.encode(entry, enc_hook=_encoded_path)
        with self._lock:
            self._entries[key] = entry
            self._stored.pop(key, None)
            if len(encoded) <= _LARGEST_ENTRY:
                self._stored[key] = encoded
            self._changed = True


def stamp_of(path: Path) -> Stamp:
    """A file's size and time of change. Raises ModelFileError (MISSING)."""
    try:
        status = path.stat()
    except (OSError, ValueError) as error:
        unreadable(path, error)
    return Stamp(status.st_size, status.st_mtime_ns)


def _look(parts: tuple[Path, ...], stamps: tuple[Stamp, ...]) -> _Entry:
    try:
        return _Entry(parts, stamps, read_info(parts[0]), None)
    except ModelFileError as error:
        if error.problem is FileProblem.MISSING:
            raise
        return _Entry(parts, stamps, None, _Refusal(error.path, error.problem, printable(str(error))))


def _decoder() -> "msgspec.msgpack.Decoder[_Entry]":
    return msgspec.msgpack.Decoder(_Entry, dec_hook=_decoded_path)


def _encoded_path(value: Any) -> bytes:
    if isinstance(value, Path):
        return os.fsencode(value)
    raise NotImplementedError(type(value))


def _decoded_path(kind: type, value: Any) -> Path:
    if issubclass(kind, Path) and isinstance(value, bytes):
        return Path(os.fsdecode(value))
    raise NotImplementedError(kind)


def _decode(content: bytes | None) -> dict[bytes, bytes]:
    if content is None:
        return {}
    try:
        return msgspec.msgpack.decode(content, type=dict[bytes, bytes])
    except msgspec.MsgspecError as error:
        _log.warning("The header cache does not make sense: %s", error)
        return {}
