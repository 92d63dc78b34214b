"""The SHA-256 of a file, computed while it is being written."""

import hashlib
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from app.models.part_file import Claim
from app.models.stretches import Stretches

_PIECE = 1 << 20  # bytes


class FollowingDigest:
    """Reads what has been written as soon as all before it is there, most often still out of memory.

    What an earlier run left is compared with its CRC on the way; what is not as noted is missing again.
    """

    def __init__(self, stretches: Stretches, size: int) -> None:
        self._stretches = stretches
        self._size = size
        self._digest = hashlib.sha256()
        self._buffer = memoryview(bytearray(min(_PIECE, max(size, 1))))

    def follow(self, file: BinaryIO) -> str | None:
        """The hexadecimal digest of the whole file; None where the transfer ended before. Raises OSError."""
        position = 0
        while position < self._size:
            ahead = self._stretches.next_to_read(position)
            if ahead is None:
                return None
            stop, claim = ahead
            before = self._digest.copy()
            if self._read(file, position, stop, claim):
                position = stop
            elif self._stretches.has_ended:
                return None
            else:
                self._digest = before
                self._stretches.forget(position, stop)
        return self._digest.hexdigest()

    def _read(self, file: BinaryIO, position: int, stop: int, claim: Claim | None) -> bool:
        file.seek(position)
        crc = 0
        for piece in _pieces(file, stop - position, self._buffer):
            if self._stretches.has_ended:
                return False
            self._digest.update(piece)
            if claim is not None:
                crc = zlib.crc32(piece, crc)
            position += len(piece)
        if position < stop or (claim is not None and crc != claim.crc32):
            return False
        if claim is not None:
            self._stretches.confirm(claim)
        return True


def sha256_of(path: Path, has_ended: Callable[[], bool]) -> str | None:
    """The hexadecimal digest of a file that is whole; None where it was told to end. Raises OSError."""
    digest = hashlib.sha256()
    with path.open("rb", buffering=0) as file:
        for piece in _pieces(file, path.stat().st_size, memoryview(bytearray(_PIECE))):
            if has_ended():
                return None
            digest.update(piece)
    return digest.hexdigest()


def _pieces(file: BinaryIO, count: int, buffer: memoryview) -> Iterator[memoryview]:
    """At most `count` bytes; every piece is good until the next one."""
    while count > 0:
        read = file.readinto(buffer[:count])  # type: ignore[attr-defined]  # a raw file has it
        if not read:
            return
        yield buffer[:read]
        count -= read
