"""Transfers that do what a test says, step by step, and a disk that only remembers."""

from collections.abc import Callable, Sequence
from pathlib import Path
from queue import Queue
from threading import Condition, Event

from app.models.download import Download, DownloadRequest
from app.models.download_queue import DownloadQueue
from app.models.download_store import DownloadStore
from app.models.hub import RemoteFile
from app.models.hub_problems import HubError, HubProblem
from app.models.transfer_events import TransferEvents, TransferStopped

_PATIENCE = 60  # seconds; what takes that long hangs


class ScriptedTransfer:
    """Runs until told otherwise. Every step has been taken when its method returns."""

    def __init__(self, file: RemoteFile, destination: Path, events: TransferEvents, left: int) -> None:
        self.file = file
        self.destination = destination
        self._events = events
        self._left = left
        self._steps: Queue[tuple[Callable[[], bool], Event]] = Queue()
        self._has_begun = Event()
        self._is_stopped = Event()

    def run(self) -> None:
        """Tells what an earlier run left, then takes step after step."""
        self._events.held(self._left)
        self._has_begun.set()
        while True:
            if self._is_stopped.is_set():
                raise TransferStopped
            step, taken = self._steps.get()
            try:
                if step():
                    return
            finally:
                taken.set()

    def stop(self) -> None:
        """Ends `run`."""
        self._is_stopped.set()
        self._steps.put((lambda: False, Event()))

    def hold(self, count: int) -> None:
        """So many bytes are on the disk."""
        self._take(lambda: self._events.held(count))

    def wait(self, problem: HubProblem, seconds: float, attempt: int = 1, attempts: int = 5) -> None:
        """Something went wrong that may pass."""
        error = HubError(problem, f"{problem}.")
        self._take(lambda: self._events.retrying(error, seconds, attempt, attempts))

    def move(self) -> None:
        """The line is back."""
        self._take(self._events.transferring)

    def verify(self) -> None:
        """All has come and is checked."""
        self._take(self._events.verifying)

    def finish(self) -> None:
        """The file is whole."""

        def end() -> bool:
            self._events.held(self.file.size)
            return True

        self._take(end)

    def fail(self, error: Exception) -> None:
        """The transfer ends with this."""

        def end() -> None:
            raise error

        self._take(end)

    def wait_for_begin(self) -> None:
        """Returns when it runs."""
        assert self._has_begun.wait(_PATIENCE)

    def _take(self, step: Callable[[], object]) -> None:
        taken = Event()
        self._steps.put((lambda: step() is True, taken))
        assert taken.wait(_PATIENCE), "the transfer does not run"


class ScriptedDownloads:
    """A queue with such transfers. `left` are bytes that an earlier run left, by a file's name.

    `publish_error` is raised, once, when files are to get their names, and `discard_error` when one is to be
    deleted. What is left is measured only while `may_measure` is set; with `measures`, from the start.
    """

    def __init__(
        self,
        store: DownloadStore | None = None,
        left: dict[str, int] | None = None,
        clock: Callable[[], float] = lambda: 0.0,
        *,
        measures: bool = True,
    ) -> None:
        self.transfers: list[ScriptedTransfer] = []
        self.published: list[list[str]] = []
        self.discarded: list[str] = []
        self.publish_error: Exception | None = None
        self.discard_error: Exception | None = None
        self.may_measure = Event()
        if measures:
            self.may_measure.set()
        self._left = left or {}
        self._changed = Condition()
        self.queue = DownloadQueue(
            store,
            self._make,
            clock=clock,
            publish=self._publish,
            discard=self._discard,
            held_bytes=self._measure,
        )
        self.queue.on_change = self._note

    def until(self, condition: Callable[[], bool]) -> None:
        """Waits for something to be so, which has to become so by a change of the queue."""
        with self._changed:
            assert self._changed.wait_for(condition, _PATIENCE)

    def running(self, name: str, number: int = 1) -> ScriptedTransfer:
        """The first transfer of a file, or a later one, as soon as it runs."""

        def found() -> list[ScriptedTransfer]:
            return [made for made in self.transfers if made.file.name == name]

        self.until(lambda: len(found()) >= number)
        made = found()[number - 1]
        made.wait_for_begin()
        return made

    def row(self, request: DownloadRequest) -> Download:
        """How a download stands."""
        return next(row for row in self.queue.downloads() if row.key == request.key)

    def wait_for_state(self, request: DownloadRequest, kind: type[object]) -> Download:
        """Waits for a state of that kind."""
        self.until(
            lambda: any(
                row.key == request.key and isinstance(row.state, kind) for row in self.queue.downloads()
            )
        )
        return self.row(request)

    def listen_too(self) -> None:
        """Goes on to follow the queue beside somebody who listens to it."""
        listener = self.queue.on_change

        def tell_both() -> None:
            self._note()
            listener()

        self.queue.on_change = tell_both

    def _note(self) -> None:
        with self._changed:
            self._changed.notify_all()

    def _make(
        self, repo: str, commit: str, file: RemoteFile, destination: Path, events: TransferEvents
    ) -> ScriptedTransfer:
        made = ScriptedTransfer(file, destination, events, self._left.get(file.name, 0))
        self.transfers.append(made)
        return made

    def _measure(self, path: Path) -> int:
        assert self.may_measure.wait(_PATIENCE)
        return self._left.get(path.name, 0)

    def _discard(self, path: Path) -> None:
        if self.discard_error is not None:
            error, self.discard_error = self.discard_error, None
            raise error
        self.discarded.append(path.name)

    def _publish(self, files: Sequence[tuple[Path, RemoteFile]]) -> None:
        if self.publish_error is not None:
            error, self.publish_error = self.publish_error, None
            raise error
        self.published.append([path.name for path, _ in files])


def request_for(
    *names: str, folder: Path = Path("/models/publisher/model"), size: int = 1000, title: str = ""
) -> DownloadRequest:
    """A request for files of one size each."""
    files = tuple(RemoteFile(name, size, None) for name in names)
    return DownloadRequest("publisher/model", "c0ffee", files, folder, title or names[0])
