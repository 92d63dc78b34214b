"""Brings one file from the hub to the disk, over any line, and goes on where an earlier run stopped."""

from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING

from app.models.digest import FollowingDigest
from app.models.disk_trouble import MARGIN_BYTES, disk_error, free_bytes, no_room
from app.models.hub import RemoteFile
from app.models.hub_problems import HubError, HubProblem
from app.models.model_names import printable
from app.models.part_file import PartFile, PartHead
from app.models.patience import Patience
from app.models.publishing import discard, held_bytes, is_in_place
from app.models.stretches import Stretches
from app.models.transfer_crew import Accepted, Crew
from app.models.transfer_events import Traffic, TransferEvents, TransferStopped

if TYPE_CHECKING:
    from app.models.transfer_connection import TransferConnection
    from app.models.transfer_source import TransferSource

_LARGE_BYTES = 32_000_000  # from here on, several connections
_ENOUGH_BYTES = 256 << 10  # what has to come between two troubles for them not to be in a row
_CHANGES = 2  # how often the bytes on the server may turn out to be other ones


class Transfer:
    """One file, into `name.part` beside its destination; see `publish` for its name.

    Times are in seconds: `stall_seconds` without a byte are trouble, and `pauses` are waited after troubles
    in a row. `wait(seconds)` is called in place of waiting, for tests.
    """

    def __init__(
        self,
        repo: str,
        commit: str,
        file: RemoteFile,
        destination: Path,
        events: TransferEvents,
        *,
        endpoint: str | None = None,
        connections: int = 4,
        block_bytes: int = 4 << 20,
        stall_seconds: float = 20.0,
        pauses: Sequence[float] = (1, 2, 4, 8, 16),
        wait: Callable[[float], None] | None = None,
        clock: Callable[[], float] = monotonic,
        free_space: Callable[[Path], int] = free_bytes,
    ) -> None:
        self._repo = repo
        self._commit = commit
        self._file = file
        self._destination = destination
        self._events = events
        self._endpoint = endpoint
        self._connections = connections if file.size >= _LARGE_BYTES else 1
        self._block_bytes = block_bytes
        self._stall_seconds = stall_seconds
        self._patience = [Patience(pauses, min(block_bytes, _ENOUGH_BYTES)) for _ in range(self._connections)]
        self._wait = wait
        self._clock = clock
        self._free_space = free_space
        self._lock = Lock()
        self._is_stopped = False
        self._crew: Crew | None = None

    def stop(self) -> None:
        """Ends `run` within a moment, from any thread, or at once if it has not begun; what came is kept."""
        with self._lock:
            self._is_stopped = True
            crew = self._crew
        if crew is not None:
            crew.report(TransferStopped())

    def run(self) -> None:
        """Returns when the part is whole and verified. Raises HubError, or TransferStopped after `stop`."""
        try:
            self._look_for_stop()
            self._destination.parent.mkdir(parents=True, exist_ok=True)
            if self._is_in_place():
                return
            source = self._make_source()
            with PartFile(self._destination, self._head(source.url)) as part:
                if not part.is_verified:
                    self._bring(part, source)
                self._events.held(self._file.size)
        except OSError as error:
            missing = self._file.size - held_bytes(self._destination)
            raise disk_error(error, self._destination, missing) from error

    def _make_source(self) -> "TransferSource":
        from app.models.transfer_source import TransferSource

        return TransferSource(
            self._repo, self._commit, self._file, endpoint=self._endpoint, seconds=self._stall_seconds
        )

    def _head(self, url: str) -> PartHead:
        file = self._file
        return PartHead(self._repo, file.path, self._commit, url, file.size, file.sha256)

    def _look_for_stop(self) -> None:
        if self._is_stopped:
            raise TransferStopped

    def _is_in_place(self) -> bool:
        if not self._destination.exists():
            return False
        self._events.verifying()
        if not is_in_place(self._destination, self._file, lambda: self._is_stopped):
            return False
        discard(self._destination)  # what a run left that was killed between the rename and the end
        self._events.held(self._file.size)
        return True

    def _bring(self, part: PartFile, source: "TransferSource") -> None:
        held = sum(claim.length for claim in part.claims)
        self._events.held(held)
        self._look_for_room(self._file.size - held)
        digest = self._fetch(part, source)
        if self._file.sha256 is not None and digest != self._file.sha256:
            part.start_over()
            self._events.held(0)
            raise HubError(
                HubProblem.CHECKSUM,
                f"All of {printable(self._file.name, 200)} came, but its checksum is not the one that the "
                "hub states: bytes were changed on the way, or on the disk. It was thrown away. Try again; "
                "if this comes back, check the disk, or try another network.",
            )
        part.mark_verified()

    def _look_for_room(self, missing: int) -> None:
        free = self._free_space(self._destination.parent)
        if missing and free < missing + MARGIN_BYTES:
            raise no_room(self._destination, missing, free)

    def _fetch(self, part: PartFile, source: "TransferSource") -> str:
        """The digest of the whole file, which is on the disk then."""
        from app.models.transfer_connection import StartOver

        with_ranges, changes = True, 0
        while True:
            try:
                return self._attempt(part, source, with_ranges)
            except StartOver as start_over:
                changes += start_over.is_change
                if changes > _CHANGES:
                    raise source.unsteady() from start_over
                with_ranges = start_over.with_ranges
            part.start_over()
            self._events.held(0)

    def _attempt(self, part: PartFile, source: "TransferSource", with_ranges: bool) -> str:
        from app.models.transfer_connection import Job, TransferConnection

        crew = Crew()
        stretches = Stretches(
            self._file.size, part.claims, block_bytes=self._block_bytes, connections=self._connections
        )
        traffic = Traffic(self._events, lambda: stretches.here, self._clock)
        job = Job(
            file=self._file,
            source=source,
            part=part,
            stretches=stretches,
            traffic=traffic,
            at_file=crew.at_file,
            accepted=lambda: crew.report(Accepted()),
            wait=self._wait or crew.wait,
            with_ranges=with_ranges,
            block_bytes=self._block_bytes,
            stall_seconds=self._stall_seconds,
        )
        connections = [
            TransferConnection(job, number, patience) for number, patience in enumerate(self._patience)
        ]
        with self._lock:
            self._look_for_stop()
            self._crew = crew
        try:
            if stretches.is_whole:
                traffic.became_whole()
            crew.start(lambda: self._read(crew, part, stretches))
            digest = self._supervise(crew, connections)
            traffic.became_whole()
            return digest
        finally:
            with self._lock:
                self._crew = None
            traffic.end()
            stretches.end()
            for connection in connections:
                connection.cutter.cut()
            crew.dismiss()

    def _supervise(self, crew: Crew, connections: "Sequence[TransferConnection]") -> str:
        """One connection begins; the others come when it has got what it asked for."""
        crew.start(connections[0].run)
        working = 1
        while True:
            news = crew.news()
            if isinstance(news, str):
                return news
            if isinstance(news, Accepted):
                for connection in connections[1:]:
                    crew.start(connection.run)
                working = len(connections)
            elif isinstance(news, HubError) and news.problem.may_pass and working > 1:
                working -= 1  # it has lost its patience; the others may have more luck
            elif isinstance(news, BaseException):
                raise news

    def _read(self, crew: Crew, part: PartFile, stretches: Stretches) -> str | None:
        with crew.at_file():
            with part.reader() as file:
                digest = FollowingDigest(stretches, self._file.size).follow(file)
            if digest is not None and self._file.sha256 in (None, digest):
                part.flush()  # before it gets its name, or a power cut could leave a name without bytes
        return digest
