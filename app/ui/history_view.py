"""The list of the history: rows of two lines, with buttons to open and to delete."""

from PySide6.QtCore import QModelIndex, QRect, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QWidget

from app.core.experiment_entry import ExperimentEntry
from app.core.gain import Gain
from app.core.sameness import Sameness
from app.ui.history_table import HistoryColumn, HistoryFilter, HistoryRole
from app.ui.icons import Icons
from app.ui.row_buttons import RowButton, RowButtons
from app.ui.row_delegate import Index, RowDelegate
from app.ui.rows_header import RowsHeader
from app.ui.rows_view import RowsView
from app.ui.theme import Theme

OPEN, DELETE = "open", "delete"

_ROW_HEIGHT = 57  # pixels, with the line under it
_HEADER_HEIGHT = 37
_WIDTHS = {HistoryColumn.DATE: 108, HistoryColumn.RESULT: 224}
_MODELS_SHARE = 0.58  # of what is left for models and prompts
_LINE = 18  # pixels, of each of the two lines


class HistoryView(RowsView):
    """Enter, a double click or the button choose a row; Delete or the other button want it deleted."""

    deletion_requested = Signal(QModelIndex)

    def __init__(
        self, theme: Theme, icons: Icons, rows: HistoryFilter, parent: QWidget | None = None
    ) -> None:
        super().__init__(theme, RowButtons(theme, icons, self._row_buttons()), parent)
        self.setObjectName("history_table")
        self.setAccessibleName(self.tr("Comparisons"))
        self.setModel(rows)
        self.setItemDelegate(_HistoryDelegate(theme, self, self))
        self.verticalHeader().setDefaultSectionSize(_ROW_HEIGHT)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header = RowsHeader(theme, _HEADER_HEIGHT, self)
        header.setSectionsClickable(False)
        self.setHorizontalHeader(header)
        self.button_clicked.connect(self._act)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Shares the room between models and prompts."""
        super().resizeEvent(event)
        widths = {**_WIDTHS, HistoryColumn.ACTIONS: self.buttons.width}
        room = self.viewport().width() - sum(widths.values())
        widths[HistoryColumn.MODELS] = round(_MODELS_SHARE * room)
        widths[HistoryColumn.PROMPT] = room - widths[HistoryColumn.MODELS]
        for column, width in widths.items():
            self.setColumnWidth(column, max(width, 0))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Delete wants the current row deleted: once, however long the key is held."""
        if event.key() == Qt.Key.Key_Delete and self.currentIndex().isValid():
            if not event.isAutoRepeat():
                self.deletion_requested.emit(self.currentIndex().siblingAtColumn(0))
        else:
            super().keyPressEvent(event)

    def _act(self, name: str, index: QModelIndex) -> None:
        if name == DELETE:
            self.deletion_requested.emit(index)
        else:
            self.row_chosen.emit(index)

    def _row_buttons(self) -> tuple[RowButton, ...]:
        return RowButton(OPEN, self.tr("Open")), RowButton(DELETE, self.tr("Delete"), "delete")


class _HistoryDelegate(RowDelegate):
    def paint_cell(self, painter: QPainter, place: QRect, index: Index) -> None:
        """Paints both lines of a cell."""
        details = str(index.data(HistoryRole.DETAILS))
        top = place.top() + (place.height() - (2 * _LINE if details else _LINE)) // 2
        first = QRect(place.left(), top, place.width(), _LINE)
        strong = index.column() in (HistoryColumn.MODELS, HistoryColumn.RESULT)
        self.paint_text(painter, first, str(index.data()), self._ink(index), strong=strong)
        if details:
            self._paint_small(painter, first.translated(0, _LINE), details, self._small_ink(index))

    def _ink(self, index: Index) -> QColor:
        colours = self.theme.colours
        entry: ExperimentEntry = index.data(HistoryRole.ENTRY)
        if index.column() != HistoryColumn.RESULT:
            return colours.text
        if entry.gain is Gain.FASTER and not entry.may_change and entry.sameness is not Sameness.DIFFERS:
            return colours.accent
        if entry.gain is Gain.FASTER:
            return colours.warning
        return colours.text if entry.gain is Gain.SLOWER else colours.muted

    def _small_ink(self, index: Index) -> QColor:
        colours = self.theme.colours
        entry: ExperimentEntry = index.data(HistoryRole.ENTRY)
        differs = entry.sameness is Sameness.DIFFERS
        return colours.warning if index.column() == HistoryColumn.RESULT and differs else colours.muted

    def _paint_small(self, painter: QPainter, place: QRect, text: str, ink: QColor) -> None:
        font = self.theme.body_font(12)
        painter.setFont(font)
        painter.setPen(ink)
        shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, place.width())
        painter.drawText(place, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)
