"""Python's cyclic garbage, collected in the window's thread alone."""

import gc

from PySide6.QtCore import QObject, QTimer

_INTERVAL_MS = 500


class GarbageCollector(QObject):
    """Takes over from Python's own, which runs in whatever thread allocates.

    A thread of ours that reads files could then destroy an object of Qt's that belongs to the window's
    thread, which Qt forbids, and which has ended the process. What exists when this is made is taken to last
    as long as the program, so that no collection has to look at it again.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        gc.disable()
        gc.collect()
        gc.freeze()
        self._timer = QTimer(self)
        self._timer.setInterval(_INTERVAL_MS)
        self._timer.timeout.connect(self._collect)
        self._timer.start()

    def close(self) -> None:
        """Lets Python do it again."""
        self._timer.stop()
        gc.unfreeze()
        gc.enable()

    def _collect(self) -> None:
        """The oldest generation that is due, as Python itself would decide."""
        due = [count > limit > 0 for count, limit in zip(gc.get_count(), gc.get_threshold(), strict=True)]
        if any(due):
            gc.collect(len(due) - 1 - due[::-1].index(True))
