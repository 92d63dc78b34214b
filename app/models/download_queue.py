"""Which downloads are wanted, in which order, and which of them are under way."""

import logging
import time
from collections.abc import Callable
from pathlib import Path
from threading import Lock

from app.models.disk_chores import DiskChores
from app.models.download import (
    Download,
    DownloadRequest,
    DownloadState,
    Failed,
    Finished,
    Paused,
    Queued,
    Transferring,
)
from app.models.download_store import DownloadStore
from app.models.download_work import DownloadWork, MakeTransfer, Publish
from app.models.publishing import discard, held_bytes, publish
from app.models.wanted_download import WantedDownload

_CLOSING = 3.0  # seconds for all threads together

_log = logging.getLogger(__name__)


def _nobody() -> None:
    """Nobody listens."""


class DownloadQueue:
    """Works on the first `at_once` of the rows that wait, each in a thread of its own, and then on the next.

    May be used from any thread; nothing here waits for the network or, after the start, for the disk.
    `on_change` is called after every change, from any thread, often: it has to be quick. What is not
    finished is kept in `store` and comes back, paused, with the next queue.
    """

    def __init__(
        self,
        store: DownloadStore | None,
        make_transfer: MakeTransfer,
        at_once: int = 2,
        clock: Callable[[], float] = time.monotonic,
        *,
        publish: Publish = publish,
        discard: Callable[[Path], None] = discard,
        held_bytes: Callable[[Path], int] = held_bytes,
    ) -> None:
        self.on_change: Callable[[], None] = _nobody
        self._store = store
        self._make_transfer = make_transfer
        self._at_once = at_once
        self._clock = clock
        self._publish = publish
        self._discard = discard
        self._held_bytes = held_bytes
        self._lock = Lock()
        self._chores = DiskChores("downloads")
        self._kept = () if store is None else store.load()
        self._rows = [WantedDownload(request, Paused(by_restart=True)) for request in self._kept]
        self._running: dict[DownloadWork, WantedDownload] = {}  # those on their way out as well
        self._busy: set[Path] = set()  # files that a thread has to do with
        self._is_closed = False
        for row in self._rows:
            self._measure(row)

    def downloads(self) -> tuple[Download, ...]:
        """All rows in their order."""
        with self._lock:
            return tuple(row.shown() for row in self._rows)

    def add(self, request: DownloadRequest) -> None:
        """Wants something. Again for what paused or failed: goes on with it, by the newer request.

        Nothing for what is under way, or finished and still in its place.
        """
        with self._lock:
            row = self._find(request.key)
            if row is None:
                row = WantedDownload(request, Queued())
                self._rows.append(row)
            elif isinstance(row.state, Paused | Failed | Finished) and not row.is_in_place(request):
                row.want(request, Queued())
            else:
                return
            self._measure(row)
        self._go_on()

    def pause(self, key: str) -> None:
        """Stops one, or lets it wait no longer for its turn. What came is kept."""
        with self._lock:
            self._pause(self._find(key))
        self._go_on()

    def pause_all(self) -> None:
        """Does so with all."""
        with self._lock:
            for row in self._rows:
                self._pause(row)
        self._go_on()

    def resume(self, key: str) -> None:
        """Lets one that was paused, or failed, wait for its turn."""
        with self._lock:
            row = self._find(key)
            if row is not None and isinstance(row.state, Paused | Failed) and row.targets:
                row.state = Queued()
        self._go_on()

    def retry_now(self, key: str) -> None:
        """Ends the wait before the next try; one that failed is resumed."""
        with self._lock:
            row = self._find(key)
            work = None if row is None else row.work
            if work is not None:
                work.try_now()
        if work is None:
            self.resume(key)
        else:
            self.on_change()

    def cancel(self, key: str, keep_part: bool) -> None:
        """Drops one that is not finished; what came of it stays on the disk, or goes."""
        with self._lock:
            row = self._find(key)
            if row is None or isinstance(row.state, Finished):
                return
            if row.work is not None and not row.work.stop():
                return  # too late: it is about to be finished
            self._rows.remove(row)
            row.work = None
            row.is_unwanted = not keep_part
            # Where a thread is still busy with the files, it deletes them itself, or they are another row's.
            if row.is_unwanted and self._busy.isdisjoint(row.targets):
                self._busy.update(row.targets)
                self._chores.do(lambda: self._clear_away(row.targets))
        self._go_on()

    def move(self, key: str, places: int) -> None:
        """Moves one that waits for its turn past so many others that wait; to the front with a minus."""
        with self._lock:
            free = [place for place, row in enumerate(self._rows) if isinstance(row.state, Queued)]
            waiting = [self._rows[place] for place in free]
            row = self._find(key)
            if row is None or row not in waiting:
                return
            at = waiting.index(row)
            waiting.insert(min(max(at + places, 0), len(waiting) - 1), waiting.pop(at))
            for place, moved in zip(free, waiting, strict=True):
                self._rows[place] = moved
        self._go_on()

    def remove(self, key: str) -> None:
        """Takes a finished one out of the list. Its files stay."""
        with self._lock:
            self._rows = [
                row for row in self._rows if row.request.key != key or not isinstance(row.state, Finished)
            ]
        self._go_on()

    def remove_finished(self) -> None:
        """Does so with all that are finished."""
        with self._lock:
            self._rows = [row for row in self._rows if not isinstance(row.state, Finished)]
        self._go_on()

    def close(self) -> None:
        """Stops everything, keeps what came, and remembers it. Ends within a moment."""
        with self._lock:
            if self._is_closed:
                return
            for row in self._rows:
                self._pause(row)
            self._is_closed = True
            running = list(self._running)
        deadline = time.monotonic() + _CLOSING
        for work in running:
            if not work.join(max(deadline - time.monotonic(), 0)):
                _log.warning("A download did not stop in time; it ends with the program.")
        self._chores.close()

    def _find(self, key: str) -> WantedDownload | None:
        return next((row for row in self._rows if row.request.key == key), None)

    def _pause(self, row: WantedDownload | None) -> None:
        if row is None:
            return
        if row.work is not None:
            if not row.work.stop():
                return  # too late: it is about to be finished
            row.held = row.work.progress()[1]
            row.work = None
            row.state = Paused()
        elif isinstance(row.state, Queued):
            row.state = Paused()

    def _go_on(self) -> None:
        """Begins what has its turn, remembers what is wanted, and tells."""
        with self._lock:
            for row in self._rows:
                if self._is_closed or len(self._running) >= self._at_once:
                    break
                if isinstance(row.state, Queued) and self._busy.isdisjoint(row.targets):
                    self._begin(row)
            self._remember()
        self.on_change()

    def _begin(self, row: WantedDownload) -> None:
        work = DownloadWork(
            row.request,
            row.targets,
            self._make_transfer,
            self._publish,
            self._held_bytes,
            clock=self._clock,
            told=self._tell,
            ended=self._work_ended,
            held=row.held,
        )
        work.start()
        row.work = work
        row.state = Transferring()
        self._running[work] = row
        self._busy.update(row.targets)

    def _tell(self) -> None:
        self.on_change()

    def _work_ended(self, work: DownloadWork, outcome: DownloadState) -> None:
        """Runs in its thread."""
        with self._lock:
            row = self._running[work]
            if row.request is work.request:
                row.held = work.progress()[1]
            if row.work is work:  # else it was told to stop, and the row has gone on without it
                row.state = outcome
                row.work = None
        if row.is_unwanted:
            self._throw_away(work.targets)
        with self._lock:
            del self._running[work]
            self._busy.difference_update(work.targets)
        self._go_on()

    def _clear_away(self, targets: tuple[Path, ...]) -> None:
        """A chore."""
        self._throw_away(targets)
        with self._lock:
            self._busy.difference_update(targets)
        self._go_on()

    def _throw_away(self, targets: tuple[Path, ...]) -> None:
        for target in targets:
            try:
                self._discard(target)
            except Exception:  # noqa: BLE001 - the row is gone: there is nobody to tell
                _log.exception("An unfinished download could not be deleted")

    def _measure(self, row: WantedDownload) -> None:
        """Finds out what an earlier run left, unless the work itself says so first."""
        request, targets = row.request, row.targets

        def measure() -> None:
            held = tuple(self._held_bytes(target) for target in targets)
            with self._lock:
                if row.work is None and row.request is request and not isinstance(row.state, Finished):
                    row.held = held
            self.on_change()

        if targets:
            self._chores.do(measure)

    def _remember(self) -> None:
        wanted = tuple(row.request for row in self._rows if not isinstance(row.state, Finished))
        if self._store is not None and wanted != self._kept:
            self._kept = wanted
            store = self._store
            self._chores.do(lambda: store.save(wanted))
