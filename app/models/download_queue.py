"""Which downloads are wanted, in which order, and which of them are under way."""

import logging
import time
from collections.abc import Callable, Iterable, Mapping
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
from app.models.download_places import remove_empty_folders
from app.models.download_store import DownloadStore
from app.models.download_work import DownloadWork, MakeTransfer, Publish
from app.models.hub_problems import HubError
from app.models.publishing import discard, held_bytes, publish
from app.models.wanted_download import WantedDownload

_CLOSING = 3.0  # seconds for all downloads together, and then for the list of them

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
        self._chores = DiskChores("download files")
        self._saves = DiskChores("download list")  # beside the others, which may take their time
        self._kept = () if store is None else store.load()
        self._rows = [WantedDownload(request, Paused(by_restart=True)) for request in self._kept]
        self._running: dict[DownloadWork, WantedDownload] = {}  # those on their way out as well
        self._busy: set[Path] = set()  # files that a thread has to do with
        self._doomed: dict[
            Path, WantedDownload
        ] = {}  # of these: what the thread is to delete, and whose it was
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
                row.want(row.where_it_lies(request), Queued())
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
            if not keep_part:
                self._doom(row)
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
        if not self._saves.close(_CLOSING):
            _log.warning("The list of downloads could not be saved in time.")
        if not self._chores.close(max(deadline - time.monotonic(), 0)):
            _log.warning("An unfinished download could not be deleted in time.")

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

    def _doom(self, row: WantedDownload) -> None:
        """What has come of a row goes: now, or when the thread is done that is still busy with it.

        What another row wants, too, stays.
        """
        wanted = {target for other in self._rows for target in other.targets}
        doomed = [target for target in row.targets if target not in wanted]
        self._doomed.update((target, row) for target in doomed if target in self._busy)
        free = {target: row for target in doomed if target not in self._busy}
        if free:
            self._busy.update(free)
            self._chores.do(lambda: self._clear_away(free))

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
            doomed = {target: self._doomed[target] for target in work.targets if target in self._doomed}
            if not doomed:  # from here on whoever cancels deletes
                del self._running[work]
                self._release(work.targets)
        if doomed:
            self._throw_away(doomed)
            with self._lock:
                del self._running[work]
                self._release(work.targets)
        self._go_on()

    def _clear_away(self, doomed: Mapping[Path, WantedDownload]) -> None:
        """A chore."""
        self._throw_away(doomed)
        with self._lock:
            self._release(doomed)
        self._go_on()

    def _release(self, targets: Iterable[Path]) -> None:
        self._busy.difference_update(targets)
        for target in targets:
            self._doomed.pop(target, None)

    def _throw_away(self, doomed: Mapping[Path, WantedDownload]) -> None:
        for target, row in doomed.items():
            try:
                self._discard(target)
                remove_empty_folders(row.request)
            except HubError as error:
                self._bring_back(row, Failed(error.problem, str(error), error.address))
            except Exception:  # noqa: BLE001 - the thread has to go on
                _log.exception("An unfinished download could not be deleted")

    def _bring_back(self, row: WantedDownload, state: Failed) -> None:
        """It could not be deleted, so it is still there; a newer row for it says so itself."""
        with self._lock:
            if self._find(row.request.key) is None:
                row.want(row.request, state)
                self._rows.append(row)
                self._measure(row)

    def _measure(self, row: WantedDownload) -> None:
        """Finds out what an earlier run left, unless the work itself says so first."""
        request, targets = row.request, row.targets

        def measure() -> None:
            if self._is_closed:
                return
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
            self._saves.do(lambda: store.save(wanted))
