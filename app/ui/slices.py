"""Long work in the window's own thread, done in short slices between its other duties."""

from collections.abc import Iterator
from time import perf_counter

import shiboken6
from PySide6.QtCore import QObject, QTimer

_SLICE_S = 0.006


class Slices(QObject):
    """Runs generators one after the other, each from pause to pause, a few milliseconds at a time.

    No timer runs while there is nothing to do.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._work: dict[tuple[int, str], tuple[QObject, Iterator[None]]] = {}
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.run)

    @property
    def is_busy(self) -> bool:
        """Whether something is left to do."""
        return bool(self._work)

    def start(self, owner: QObject, name: str, work: Iterator[None]) -> None:
        """Takes work to do until its owner is gone; it replaces what the owner has started by that name."""
        self._work.pop((id(owner), name), None)
        self._work[id(owner), name] = (owner, work)
        self._timer.start()

    def run(self) -> None:
        """Does one slice now."""
        self._run_until(perf_counter() + _SLICE_S)

    def finish(self) -> None:
        """Does everything now."""
        self._run_until(float("inf"))

    def _run_until(self, end: float) -> None:
        while self._work and perf_counter() < end:
            key = next(iter(self._work))
            owner, work = self._work[key]
            more = shiboken6.isValid(owner)
            while more and perf_counter() < end:
                more = next(work, _DONE) is not _DONE
            if not more and self._work.get(key, (None, None))[1] is work:
                del self._work[key]
        if self._work:
            self._timer.start()
        else:
            self._timer.stop()


_DONE = object()
