"""The downloads, for the window."""

import time
from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from app.models.download import Download, DownloadRequest, Finished, Paused
from app.models.download_queue import DownloadQueue
from app.ui.steady_downloads import SteadyDownloads

_INTERVAL = 250  # milliseconds between two looks: each repaint takes time from a running engine


class DownloadsService(QObject):
    """Tells what the queue does, four times a second at most, and nothing while nothing moves.

    What a person does is told at once. `clock` is that of waits.
    """

    downloads_changed = Signal(object)  # tuple[Download, ...], in their order
    download_finished = Signal(object)  # Download
    _woken = Signal()

    def __init__(
        self,
        queue: DownloadQueue,
        parent: QObject | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(parent)
        self._queue = queue
        self._steady = SteadyDownloads(clock)
        self._downloads = self._steady.shown(queue.downloads())
        self._has_news = False
        self._is_closed = False
        self._pause = QTimer(self, singleShot=True, interval=_INTERVAL)
        self._pause.timeout.connect(self._look_again)
        self._woken.connect(self._wake, Qt.ConnectionType.QueuedConnection)
        queue.on_change = self._note
        self._note()  # what changed before anybody listened

    @property
    def downloads(self) -> tuple[Download, ...]:
        """As told last."""
        return self._downloads

    @property
    def active_count(self) -> int:
        """How many move, or will without a person."""
        return sum(download.is_active for download in self._downloads)

    @property
    def left_over(self) -> tuple[Download, ...]:
        """Those that an earlier run of the program left over, and that nobody has decided on yet."""
        return tuple(download for download in self._downloads if _is_left_over(download))

    def find(self, key: str) -> Download | None:
        """The row of that key."""
        return next((download for download in self._downloads if download.key == key), None)

    def add(self, request: DownloadRequest) -> None:
        """Wants something; see DownloadQueue."""
        self._queue.add(request)
        self._look()

    def pause(self, key: str) -> None:
        """Stops one and keeps what came."""
        self._queue.pause(key)
        self._look()

    def pause_all(self) -> None:
        """Stops all."""
        self._queue.pause_all()
        self._look()

    def resume(self, key: str) -> None:
        """Goes on with one that was paused, or failed."""
        self._queue.resume(key)
        self._look()

    def resume_all(self) -> None:
        """Goes on with all that are paused."""
        for download in self._downloads:
            if isinstance(download.state, Paused):
                self._queue.resume(download.key)
        self._look()

    def retry_now(self, key: str) -> None:
        """Ends a wait, or tries again what failed."""
        self._queue.retry_now(key)
        self._look()

    def cancel(self, key: str, *, keep_part: bool) -> None:
        """Drops one, and what came of it unless that is kept."""
        self._queue.cancel(key, keep_part)
        self._look()

    def move(self, key: str, places: int) -> None:
        """Changes the order of those that wait."""
        self._queue.move(key, places)
        self._look()

    def remove(self, key: str) -> None:
        """Takes a finished one out of the list."""
        self._queue.remove(key)
        self._look()

    def remove_finished(self) -> None:
        """Takes all that are finished out of the list."""
        self._queue.remove_finished()
        self._look()

    def close(self) -> None:
        """Stops everything, and remembers it for the next start."""
        if self._is_closed:
            return
        self._is_closed = True
        self._pause.stop()
        self._queue.close()

    def _note(self) -> None:
        """Called from any thread, often."""
        if not (self._has_news or self._is_closed):
            self._has_news = True
            self._woken.emit()

    def _wake(self) -> None:
        if not self._pause.isActive():
            self._look()

    def _look_again(self) -> None:
        if self._has_news or any(download.rate for download in self._downloads):
            self._look()

    def _look(self) -> None:
        if self._is_closed:
            return
        self._has_news = False
        before = {download.key: download.state for download in self._downloads}
        downloads = self._steady.shown(self._queue.downloads())
        self._pause.start()
        if downloads == self._downloads:
            return
        self._downloads = downloads
        self.downloads_changed.emit(downloads)
        for download in downloads:
            if isinstance(download.state, Finished) and not isinstance(before.get(download.key), Finished):
                self.download_finished.emit(download)


def _is_left_over(download: Download) -> bool:
    return isinstance(download.state, Paused) and download.state.by_restart
