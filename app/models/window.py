"""A file read forwards, in which no length is believed before it is compared with the file's own.

Plain reads instead of a memory map: a mapped file that shrinks while it is looked at ends the process.

A file may be a copy of another one's header alone. A mark at its end says so, with the size of the whole
file, and the copy is then read as if it were the whole.
"""

import os
import stat
import struct
from pathlib import Path
from typing import BinaryIO, NoReturn

from app.core.errors import FileProblem, ModelFileError

STRIDE = 1024  # strings between two marks

_WINDOW = 1 << 20  # bytes read at once
_MOST_STRINGS = 1 << 24  # in all arrays of a file together
_MOST_TEXT = 64 << 20  # bytes of all single strings together

_LENGTH = struct.Struct("<Q")
_COPY_MARK = b"\0Slipstream: the header of a model, copied\0"
_MARK_BYTES = len(_COPY_MARK) + _LENGTH.size


class CopyTooShortError(ModelFileError):
    """The header of a file is longer than the copy of it."""

    def __init__(self, path: Path) -> None:
        sentence = f"{path.name} is the beginning of a model's header. Download the model itself."
        super().__init__(path, FileProblem.TRUNCATED, sentence)


class Window:
    """Reads values of a file one after another. Raises ModelFileError where the file ends too early."""

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self._path = path
        self._file = file
        self._bytes = b""
        self._start = 0  # offset of the bytes held, in the file
        self._at = 0  # position within them
        self._text_left = _MOST_TEXT
        self._strings_left = _MOST_STRINGS
        self._held = os.fstat(file.fileno()).st_size  # bytes that can be read
        self.size = self._held
        try:
            whole = size_in_mark(file)
        except OSError as error:
            unreadable(path, error)
        self._is_copy = whole is not None
        if whole is not None:
            self._held, self.size = self._held - _MARK_BYTES, whole

    @property
    def position(self) -> int:
        """Offset in the file of what is read next."""
        return self._start + self._at

    def unpack(self, layout: str) -> tuple[int, ...]:
        """The next whole numbers, in a layout of the struct module."""
        length = struct.calcsize(layout)
        self._need(length)
        self._at += length
        return struct.unpack_from(layout, self._bytes, self._at - length)

    def take(self, length: int) -> bytes:
        """The next bytes."""
        self._need(length)
        self._at += length
        return self._bytes[self._at - length : self._at]

    def text(self) -> str:
        """The next string, with its length in front. Bytes that are not UTF-8 are replaced."""
        (length,) = self.unpack("<Q")
        if length <= self.size - self.position and length > self._text_left:
            damaged(self._path, "a text in its header is absurdly long")
        self._text_left -= length
        return self.take(length).decode("utf-8", "replace")

    def skip(self, length: int) -> None:
        """Leaves out bytes, which must be there."""
        if length > self.size - self.position:
            truncated(self._path, "ends inside its header")
        self._seek(self.position + length)

    def skip_strings(self, count: int) -> tuple[int, ...]:
        """Walks over strings. Gives the offset of every `STRIDE`th one, from the first."""
        if count > self._strings_left:
            damaged(self._path, f"it claims an array of {count} texts")
        self._strings_left -= count
        begin = self.position
        marks = []
        for first in range(0, count, STRIDE):
            marks.append(self.position - begin)
            remaining = min(STRIDE, count - first)
            while remaining:
                remaining -= self._walk(remaining)
        return tuple(marks)

    def _walk(self, count: int) -> int:
        """Steps over up to `count` strings that begin within the bytes held; gives how many."""
        self._need(_LENGTH.size)
        unpack, held, at = _LENGTH.unpack_from, self._bytes, self._at
        last = len(held) - _LENGTH.size
        for walked in range(count):  # runs hundreds of thousands of times for one file
            if at > last:
                self.skip(at - self._at)
                return walked
            at += 8 + unpack(held, at)[0]
        self.skip(at - self._at)
        return count

    def _need(self, length: int) -> None:
        """Makes sure that the next `length` bytes are held."""
        if self._at + length <= len(self._bytes):
            return
        if length > self.size - self.position:
            truncated(self._path, "ends inside its header")
        self._start, self._at = self.position, 0
        try:
            self._file.seek(self._start)
            self._bytes = self._file.read(max(min(max(length, _WINDOW), self._held - self._start), 0))
        except OSError as error:
            unreadable(self._path, error)
        if len(self._bytes) < length:
            if self._is_copy:
                raise CopyTooShortError(self._path)
            truncated(self._path, "became shorter while it was read")

    def _seek(self, position: int) -> None:
        at = position - self._start
        if at <= len(self._bytes):
            self._at = at
        else:
            self._start, self._at, self._bytes = position, 0, b""


def copy_mark(whole_bytes: int) -> bytes:
    """What ends a copy of a header; `whole_bytes` is the size of the file that it was copied from."""
    return _COPY_MARK + _LENGTH.pack(whole_bytes)


def size_in_mark(file: BinaryIO) -> int | None:
    """The size that the mark at the end of a file gives; None where there is no mark. Moves to the beginning.

    Raises OSError.
    """
    end = file.seek(0, os.SEEK_END)
    file.seek(max(end - _MARK_BYTES, 0))
    mark = file.read(_MARK_BYTES)
    file.seek(0)
    return _LENGTH.unpack(mark[-_LENGTH.size :])[0] if mark[: -_LENGTH.size] == _COPY_MARK else None


def open_file(path: Path) -> BinaryIO:
    """Opens an ordinary file. Raises ModelFileError (MISSING) for anything else."""
    try:
        mode = path.stat().st_mode
        if stat.S_ISREG(mode):
            return path.open("rb")
    except (OSError, ValueError) as error:  # ValueError: a path that no system accepts
        unreadable(path, error)
    what = "a folder" if stat.S_ISDIR(mode) else "not an ordinary file"
    raise ModelFileError(path, FileProblem.MISSING, f"{path.name} is {what}. Choose a .gguf file.")


def unreadable(path: Path, error: Exception) -> NoReturn:
    """Raises the ModelFileError (MISSING) for an error of the system."""
    if isinstance(error, FileNotFoundError):
        sentence = f"{path.name} does not exist."
    else:
        sentence = f"{path.name} cannot be read: {getattr(error, 'strerror', None) or error}."
    raise ModelFileError(path, FileProblem.MISSING, sentence) from error


def truncated(path: Path, what: str) -> NoReturn:
    """Raises the ModelFileError for a file that is too short; `what` completes "it ..."."""
    sentence = f"{path.name} is incomplete: it {what}. Download it again."
    raise ModelFileError(path, FileProblem.TRUNCATED, sentence)


def damaged(path: Path, what: str) -> NoReturn:
    """Raises the ModelFileError for content that cannot be true; `what` is a clause of its own."""
    raise ModelFileError(path, FileProblem.DAMAGED, f"{path.name} is damaged: {what}. Download it again.")
