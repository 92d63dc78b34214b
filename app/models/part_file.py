"""An unfinished file and the notes beside it that let another run go on.

`name.part` has the bytes at their places, with holes. `name.part.json` is a text file: its first line says
which file it is, every other line that a range was written: `[first byte, length, CRC-32]`. Lines are only
added; the CRCs tell a later run which ranges really are on the disk, so nothing has to wait for the disk.
"""

import logging
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import BinaryIO

import msgspec
from msgspec import Struct, structs

from app.models.byte_ranges import ByteRanges
from app.models.hub_problems import HubError, HubProblem
from app.models.model_names import printable
from app.models.part_lock import open_locked

_VERSION = 1

_log = logging.getLogger(__name__)


class PartHead(Struct, frozen=True):
    """Which file a part is of. `hub_etag` is the hub's word for its content, `etag` its storage's."""

    repo: str
    path: str
    commit: str
    url: str
    size: int
    sha256: str | None
    hub_etag: str | None = None
    etag: str | None = None
    version: int = _VERSION

    def is_of_same_file(self, other: "PartHead") -> bool:
        """Whether both are of the same bytes: by their digest, else by name and commit."""
        if self.sha256 is not None or other.sha256 is not None:
            return (self.size, self.sha256) == (other.size, other.sha256)
        names = ("repo", "path", "commit", "size")
        return all(getattr(self, name) == getattr(other, name) for name in names)

    def has_same_name(self, other: "PartHead") -> bool:
        """Whether the hub has both under one name, though perhaps not at one time."""
        return (self.repo, self.path) == (other.repo, other.path)


class Claim(Struct, frozen=True, array_like=True):
    """A range that was written, with the CRC-32 of its bytes."""

    start: int
    length: int
    crc32: int

    @property
    def stop(self) -> int:
        """The place after its last byte."""
        return self.start + self.length


class Verified(Struct, frozen=True):
    """The part as it was when all of it had been checked: its size and the time of its last change."""

    verified: tuple[int, int]  # bytes, nanoseconds


class Notes(Struct, frozen=True):
    """What `name.part.json` says."""

    head: PartHead
    claims: tuple[Claim, ...]
    verified: Verified | None


def part_path(destination: Path) -> Path:
    """Where a file grows until it is whole."""
    return destination.with_name(destination.name + ".part")


def notes_path(destination: Path) -> Path:
    """Where it is noted what has come."""
    return destination.with_name(destination.name + ".part.json")


def read_notes(destination: Path) -> Notes | None:
    """What an earlier run noted; None where there is nothing that can be used."""
    path = notes_path(destination)
    try:
        first, *lines = path.read_bytes().split(b"\n")
        head = msgspec.json.decode(first, type=PartHead)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.DecodeError) as error:
        _log.info("%s cannot be used: %s", printable(str(path)), error)
        return None
    if head.version != _VERSION:
        return None
    claims, verified = [], None
    for line in filter(None, lines):
        try:
            if line.startswith(b"{"):
                verified = msgspec.json.decode(line, type=Verified)
            else:
                claims.append(msgspec.json.decode(line, type=Claim))
        except msgspec.DecodeError:
            continue  # the program ended while this was being written
    return Notes(head, _sensible(claims, head.size, _size(part_path(destination))), verified)


def is_verified(destination: Path, notes: Notes | None) -> bool:
    """Whether the part is whole and was checked, and nobody has touched it since."""
    return notes is not None and notes.verified is not None and notes.verified == _stamp(destination)


class PartFile:
    """A part that this process alone writes. Its bytes go through `writer`, one for each thread.

    `claims` is what an earlier run left, still to be checked; another version of the same file is forgotten.
    One that holds nothing when it is left is deleted. Raises OSError, everywhere, and at the start HubError:
    IN_USE, or NAME_CLASH where something is held of a file of another name.
    """

    def __init__(self, destination: Path, head: PartHead) -> None:
        self.path = part_path(destination)
        self._destination = destination
        self._lock = Lock()
        self._journal: BinaryIO | None = None
        self._held = open_locked(self.path)
        try:
            notes = read_notes(destination)
            if notes is not None and notes.head.is_of_same_file(head):
                self.head = structs.replace(head, hub_etag=notes.head.hub_etag, etag=notes.head.etag)
                self.claims = notes.claims
                self.is_verified = is_verified(destination, notes)
            elif notes is not None and notes.claims and not notes.head.has_same_name(head):
                raise _name_clash(destination, notes.head)
            else:
                self.head = head
                self.claims = ()
                self.is_verified = False
                os.truncate(self.path, 0)
            self._holds_something = bool(self.claims)
            if not self.is_verified:
                self._rewrite(self.claims)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> "PartFile":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self._holds_something and not self.is_verified:
            self._delete()
        self.close()

    def close(self) -> None:
        """Lets go of the files; what is recorded afterwards is lost."""
        with self._lock:
            if self._journal is not None:
                self._journal.close()
                self._journal = None
            self._held.close()

    def writer(self) -> BinaryIO:
        """The bytes, to be written at their places. A write may do less than all."""
        return self.path.open("r+b", buffering=0)

    def reader(self) -> BinaryIO:
        """The bytes."""
        return self.path.open("rb", buffering=0)

    def record(self, claim: Claim) -> None:
        """Notes that a range was written."""
        with self._lock:
            self._append(claim)
            self._holds_something = True

    def keep_etags(self, *, hub: str | None, storage: str | None) -> None:
        """Notes how the hub and its storage name the content. Before anything is recorded."""
        with self._lock:
            if (hub, storage) != (self.head.hub_etag, self.head.etag):
                self.head = structs.replace(self.head, hub_etag=hub, etag=storage)
                self._rewrite(self.claims)

    def start_over(self) -> None:
        """Forgets all bytes."""
        with self._lock:
            self.head = structs.replace(self.head, hub_etag=None, etag=None)
            self.claims = ()
            self._holds_something = self.is_verified = False
            self._rewrite(())
            os.truncate(self.path, 0)

    def flush(self) -> None:
        """Returns when all bytes are on the disk itself."""
        with self.path.open("r+b") as file:
            os.fsync(file.fileno())

    def mark_verified(self) -> None:
        """Notes that all of it was checked."""
        with self._lock:
            self._append(_stamp(self._destination))
            self.is_verified = True

    def _delete(self) -> None:
        """Before the lock goes, so that nobody else can have begun to fill it."""
        with self._lock:
            if self._journal is not None:
                self._journal.close()
                self._journal = None
            try:
                self.path.unlink(missing_ok=True)
                remove_notes(self._destination)
            except OSError as error:  # two empty files stay
                _log.info("%s could not be deleted: %s", printable(str(self.path)), error.strerror)

    def _append(self, entry: Claim | Verified) -> None:
        if self._journal is not None:
            self._journal.write(msgspec.json.encode(entry) + b"\n")

    def _rewrite(self, claims: Iterable[Claim]) -> None:
        path = notes_path(self._destination)
        fresh = _fresh(path)
        if self._journal is not None:
            self._journal.close()
            self._journal = None
        fresh.write_bytes(b"".join(msgspec.json.encode(entry) + b"\n" for entry in (self.head, *claims)))
        fresh.replace(path)
        self._journal = path.open("ab", buffering=0)


def remove_notes(destination: Path) -> None:
    """Deletes what is noted about a file. Raises OSError."""
    path = notes_path(destination)
    path.unlink(missing_ok=True)
    _fresh(path).unlink(missing_ok=True)


def _name_clash(destination: Path, other: PartHead) -> HubError:
    part = part_path(destination)
    return HubError(
        HubProblem.NAME_CLASH,
        f"{printable(str(part), 300)} is what has come of another file: {printable(other.path, 200)} of "
        f"{printable(other.repo, 200)}. Finish that download first, or delete {printable(part.name, 200)}, "
        "then try again.",
    )


def _fresh(path: Path) -> Path:
    return path.with_name(path.name + ".new")


def _stamp(destination: Path) -> Verified:
    status = part_path(destination).stat()
    return Verified((status.st_size, status.st_mtime_ns))


def _sensible(claims: Sequence[Claim], size: int, on_disk: int) -> tuple[Claim, ...]:
    """In rising order, without those that cannot be true, or that a later one has replaced."""
    known = ByteRanges()
    kept = []
    for claim in reversed(claims):
        possible = 0 <= claim.start < claim.stop <= min(size, on_disk)
        if possible and not known.touches(claim.start, claim.stop):
            known.add(claim.start, claim.stop)
            kept.append(claim)
    return tuple(sorted(kept, key=lambda claim: claim.start))


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:  # there is none
        return 0
