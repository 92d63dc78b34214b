"""Words beside each other that go on in the next line where there is no more room."""

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QLabel, QWidget

from app.ui.column import Growing

_GAP = 14  # pixels
_LINE = 20


class Flow(Growing):
    """Labels from left to right, top to bottom."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._labels: list[QLabel] = []

    def show_labels(self, labels: list[QLabel]) -> None:
        """Shows these in place of others."""
        for old in self._labels:
            old.hide()
            old.deleteLater()
        self._labels = labels
        for made in labels:
            made.setParent(self)
            made.show()
        self.height_changed.emit()

    @property
    def text(self) -> str:
        """All that is said."""
        return " · ".join(made.text() for made in self._labels)

    def height_at(self, width: int) -> int:
        """Places the labels; the height that they need."""
        at, lines = QPoint(0, 0), 1
        for made in self._labels:
            made.setWordWrap(False)
            hint = made.sizeHint().width()
            if at.x() and at.x() + hint > width:
                at, lines = QPoint(0, at.y() + lines * _LINE), 1
            if hint > width:  # it goes on in the next line by itself, and so does what follows
                made.setWordWrap(True)
                lines = max(1, -(-made.heightForWidth(width) // _LINE))
            made.setGeometry(at.x(), at.y(), min(hint, width), lines * _LINE)
            at.setX(at.x() + hint + _GAP)
        return at.y() + lines * _LINE if self._labels else 0
