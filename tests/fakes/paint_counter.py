"""Counting how often a widget is painted."""

from PySide6.QtCore import QCoreApplication, QEvent, QObject
from PySide6.QtWidgets import QWidget


class PaintCounter(QObject):
    """Counts a shown widget's paint events."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self._count = 0
        widget.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Paint:
            self._count += 1
        return False

    def take(self) -> int:
        """Lets all that is due be painted; how often that was since the last call."""
        QCoreApplication.processEvents()
        taken, self._count = self._count, 0
        return taken
