"""What the loopback hub serves: bytes, a file on disk, or bytes that are made up as they are asked for."""

import hashlib
import os
import random
from functools import cached_property
from pathlib import Path
from socket import socket
from typing import BinaryIO, Protocol

GGUF_START = b"GGUF\x03\x00\x00\x00"  # magic and version
_BLOCK = 65_536  # bytes


class Content(Protocol):
    """The bytes of one file."""

    @property
    def size(self) -> int:
        """In bytes."""

    @property
    def sha256(self) -> str:
        """Hexadecimal."""

    def read(self, start: int, count: int) -> bytes:
        """`count` bytes from `start`, fewer at the end."""

    def send(self, connection: socket, start: int, count: int) -> int:
        """Sends at most `count` bytes from `start`; returns how many went."""

    def close(self) -> None:
        """Lets go of what it holds."""


class BytesContent:
    """Bytes in memory."""

    def __init__(self, data: bytes) -> None:
        self._data = memoryview(data)
        self.size = len(data)

    @cached_property
    def sha256(self) -> str:
        """Hexadecimal."""
        return hashlib.sha256(self._data).hexdigest()

    def read(self, start: int, count: int) -> bytes:
        """`count` bytes from `start`, fewer at the end."""
        return bytes(self._data[start : start + count])

    def send(self, connection: socket, start: int, count: int) -> int:
        """Sends at most `count` bytes from `start`; returns how many went."""
        return connection.send(self._data[start : start + count])

    def close(self) -> None:
        """Nothing is held."""


class FileContent:
    """A file on disk; the kernel sends it, where it can, without a copy in this process."""

    def __init__(self, path: Path) -> None:
        self._file: BinaryIO = path.open("rb")
        self.size = path.stat().st_size

    @cached_property
    def sha256(self) -> str:
        """Hexadecimal; reads the whole file once."""
        with Path(self._file.name).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    def read(self, start: int, count: int) -> bytes:
        """`count` bytes from `start`, fewer at the end."""
        with Path(self._file.name).open("rb") as file:
            file.seek(start)
            return file.read(count)

    def send(self, connection: socket, start: int, count: int) -> int:
        """Sends at most `count` bytes from `start`; returns how many went."""
        if hasattr(os, "sendfile"):
            return os.sendfile(connection.fileno(), self._file.fileno(), start, count)
        return connection.send(self.read(start, count))

    def close(self) -> None:
        """Closes the file."""
        self._file.close()


class GeneratedContent:
    """Any number of bytes that take no room: no two blocks of 64 KiB are the same.

    Starts as a GGUF file does; all else is noise. The same size and seed give the same bytes.
    """

    def __init__(self, size: int, seed: int = 0, start: bytes = GGUF_START) -> None:
        self.size = size
        self._start = start
        self._noise = random.Random(seed).randbytes(_BLOCK - 8)

    @cached_property
    def sha256(self) -> str:
        """Hexadecimal; makes all bytes once."""
        digest = hashlib.sha256()
        for start in range(0, self.size, 1 << 20):
            digest.update(self.read(start, 1 << 20))
        return digest.hexdigest()

    def read(self, start: int, count: int) -> bytes:
        """`count` bytes from `start`, fewer at the end."""
        stop = min(start + count, self.size)
        first = start // _BLOCK
        blocks = b"".join(self._block(number) for number in range(first, -(-stop // _BLOCK)))
        return blocks[start - first * _BLOCK : stop - first * _BLOCK]

    def send(self, connection: socket, start: int, count: int) -> int:
        """Sends at most `count` bytes from `start`; returns how many went."""
        return connection.send(self.read(start, min(count, 4 * _BLOCK)))

    def close(self) -> None:
        """Nothing is held."""

    def _block(self, number: int) -> bytes:
        block = number.to_bytes(8, "little") + self._noise
        return self._start + block[len(self._start) :] if number == 0 else block


Source = bytes | str | Path | Content


def content_of(source: Source) -> Content:
    """Bytes, text, or the path of a file, as a content."""
    if isinstance(source, str):
        return BytesContent(source.encode())
    if isinstance(source, bytes):
        return BytesContent(source)
    return FileContent(source) if isinstance(source, Path) else source


def content_etag(content: Content) -> str:
    """What the storage calls a content: not its digest."""
    return '"' + hashlib.sha256(b"stored " + content.sha256.encode()).hexdigest() + '"'
