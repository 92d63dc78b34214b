"""The files in the models folders that cannot be used: a list with the reasons."""

from collections.abc import Iterable
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QStyleOptionViewItem

from app.models.library import UnusableFile
from app.models.model_names import printable
from app.ui.model_words import reason_text
from app.ui.plain_tip import plain_tip
from app.ui.row_delegate import PADDING, RowDelegate

Index = QModelIndex | QPersistentModelIndex

_NOWHERE = QModelIndex()
_LINE, _MARGIN = 20, 10  # pixels
_MOST_LINES = 3  # of a reason
_WRAPPED = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop


class UnusableColumn(IntEnum):
    """The columns, from left to right."""

    FILE = 0
    ACTIONS = 1


class UnusableTable(QAbstractTableModel):
    """One row a file, or a set of files that belong together."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._files: tuple[UnusableFile, ...] = ()

    def show_files(self, files: Iterable[UnusableFile]) -> None:
        """Takes over a listing."""
        wanted = tuple(files)
        if wanted != self._files:
            self.beginResetModel()
            self._files = wanted
            self.endResetModel()

    def file_of(self, index: Index) -> UnusableFile:
        """The file in a row."""
        return self._files[index.row()]

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        """The number of files."""
        return 0 if parent.isValid() else len(self._files)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        """The number of columns."""
        return 0 if parent.isValid() else len(UnusableColumn)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """A file's name; its path and the whole reason as a tooltip."""
        if not index.isValid() or index.column() != UnusableColumn.FILE:
            return None
        file = self._files[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return printable(file.path.name)
            case Qt.ItemDataRole.AccessibleTextRole:
                return file.sentence
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tip(f"{printable(str(file.path))}\n\n{file.sentence}")
            case _:
                return None


class UnusableDelegate(RowDelegate):
    """The name, and under it the reason in as many lines as it needs."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """As high as the reason at the column's width."""
        if index.column() != UnusableColumn.FILE:
            return QSize(self.view.buttons.width, 2 * _LINE + 2 * _MARGIN)
        width = self.view.columnWidth(UnusableColumn.FILE) - 2 * PADDING
        return QSize(width, self._reason_height(index, width) + _LINE + 2 * _MARGIN)

    def paint_cell(self, painter: QPainter, place: QRect, index: Index) -> None:
        """Paints the name and the reason."""
        colours = self.theme.colours
        top = QRect(place.left(), place.top() + _MARGIN, place.width(), _LINE)
        self.paint_text(painter, top, str(index.data()), colours.text, strong=True)
        height = self._reason_height(index, place.width())
        painter.setFont(self.font)
        painter.setPen(colours.warning)
        below = QRect(place.left(), top.bottom() + 1, place.width(), height)
        painter.drawText(below, _WRAPPED, self._reason(index))

    def _reason(self, index: Index) -> str:
        table = index.model()
        assert isinstance(table, UnusableTable)
        return reason_text(table.file_of(index))

    def _reason_height(self, index: Index, width: int) -> int:
        metrics = QFontMetrics(self.font)
        needed = metrics.boundingRect(QRect(0, 0, max(width, 1), 10_000), int(_WRAPPED), self._reason(index))
        return max(min(needed.height(), _MOST_LINES * metrics.lineSpacing()), _LINE)
