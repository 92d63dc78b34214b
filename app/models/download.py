"""Downloads: what is wanted, and how far it is."""

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from app.models.hub import RemoteFile
from app.models.hub_problems import HubProblem


def key_of(repo: str, files: Sequence[RemoteFile]) -> str:
    """Tells downloads apart: the same file, or first of a set, of the same repository is wanted once."""
    return f"{repo}/{files[0].path}"


class DownloadRequest(Struct, frozen=True):
    """One row of the panel: a file, or all parts of a split set, of one repository at one commit."""

    repo: str
    commit: str
    files: tuple[RemoteFile, ...]
    folder: Path  # where the files go, each under the name that `target_of` gives
    title: str  # for people, such as "Qwen2.5 Coder 1.5B Instruct Q4_K_M"

    @property
    def total_bytes(self) -> int:
        """The size of all files."""
        return sum(file.size for file in self.files)

    @property
    def key(self) -> str:
        """What tells it apart from others."""
        return key_of(self.repo, self.files)


class Queued(Struct, frozen=True, tag="queued"):
    """Waits for its turn."""


class Transferring(Struct, frozen=True, tag="transferring"):
    """Bytes are coming, or are about to."""


class Retrying(Struct, frozen=True, tag="retrying"):
    """Something went wrong that may pass; the next try is at `at` (of time.monotonic)."""

    problem: HubProblem
    sentence: str
    at: float
    attempt: int  # from 1
    attempts: int  # 0: as many as it takes


class Verifying(Struct, frozen=True, tag="verifying"):
    """All bytes are there; the rest of the checksum is being computed."""


class Paused(Struct, frozen=True, tag="paused"):
    """A person, or the end of the program, stopped it. What came is kept."""

    by_restart: bool = False  # left over from an earlier run


class Failed(Struct, frozen=True, tag="failed"):
    """It needs a person. What came is kept, except where it was worthless."""

    problem: HubProblem
    sentence: str
    address: str | None = None  # a page to open


class Finished(Struct, frozen=True, tag="finished"):
    """All files are in place, checked."""

    path: Path  # the file to load


DownloadState = Queued | Transferring | Retrying | Verifying | Paused | Failed | Finished


class Download(Struct, frozen=True):
    """A row as it stands."""

    request: DownloadRequest
    state: DownloadState
    received_bytes: int
    rate: float = 0.0  # bytes per second over the last seconds; 0 where nothing moves
    is_measured: bool = True  # False until somebody has looked what an earlier run left

    @property
    def key(self) -> str:
        """The request's."""
        return self.request.key

    @property
    def is_active(self) -> bool:
        """True where it moves, or will without a person."""
        return isinstance(self.state, Queued | Transferring | Retrying | Verifying)

    @property
    def may_hold_bytes(self) -> bool:
        """False where it is known that nothing has come."""
        return self.received_bytes > 0 or not self.is_measured

    @property
    def seconds_left(self) -> float | None:
        """At the present rate; None where nothing moves."""
        left = self.request.total_bytes - self.received_bytes
        return left / self.rate if self.rate > 0 and isinstance(self.state, Transferring) else None
