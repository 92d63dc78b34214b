"""The table of a suite's prompts."""

from PySide6.QtCore import QModelIndex, QRect, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QWidget

from app.core.suite_result import SuiteRow
from app.ui.icons import Icons
from app.ui.row_buttons import RowButtons
from app.ui.row_delegate import PADDING
from app.ui.rows_header import RowsHeader
from app.ui.rows_view import RowsView
from app.ui.suite_delegate import SuiteDelegate
from app.ui.suite_table import SuiteColumn, SuiteRole, SuiteTable
from app.ui.theme import Theme

_ROW_HEIGHT, _HEADER_HEIGHT = 37, 34  # pixels, with the line under them
_LEAST_KIND, _MOST_KIND = 72, 190  # widths of what is in the cells
_LEAST_PROMPT = 80
_WITH_INTERVAL, _WITHOUT_INTERVAL = 250, 174
_FIGURES = (SuiteColumn.REFERENCE, SuiteColumn.JUDGED, SuiteColumn.ACCEPTANCE)


class SuiteView(RowsView):
    """As wide as there is room: first the intervals go, then the prompts' names are cut."""

    row_selected = Signal(object)  # SuiteRow, or None

    def __init__(self, theme: Theme, icons: Icons, table: SuiteTable, parent: QWidget | None = None) -> None:
        super().__init__(theme, RowButtons(theme, icons, ()), parent)
        self._table = table
        self.setObjectName("suite_view")
        self.setAccessibleName(self.tr("Results by prompt"))
        self.setModel(table)
        self._delegate = SuiteDelegate(theme, self)
        self.setItemDelegate(self._delegate)
        self.verticalHeader().setDefaultSectionSize(_ROW_HEIGHT)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self._header = _Header(theme, _HEADER_HEIGHT, self)
        self._header.setSectionsClickable(False)
        self.setHorizontalHeader(self._header)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.selectionModel().currentRowChanged.connect(self._tell_selected)
        table.rowsInserted.connect(self.fit)
        table.dataChanged.connect(self._selection_may_differ)
        table.headerDataChanged.connect(self.fit)

    @property
    def selected(self) -> SuiteRow | None:
        """The row that is selected."""
        index = self.currentIndex()
        return index.data(SuiteRole.ROW) if index.isValid() else None

    def bar_place(self, row: int, speedup: float) -> QRect:
        """Where a row's bar lies in the viewport."""
        cell = self.visualRect(self._table.index(row, SuiteColumn.SPEEDUP))
        return self._delegate.bar_place(cell, speedup).toAlignedRect()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Gives the columns what room there is."""
        super().resizeEvent(event)
        self.fit()

    def fit(self) -> None:
        """Lays the columns out anew."""
        room = self.viewport().width()
        widths = {column: self._wanted(column) for column in SuiteColumn}
        widths[SuiteColumn.KIND] = min(widths[SuiteColumn.KIND], _MOST_KIND + 2 * PADDING)
        rest = room - sum(width for column, width in widths.items() if column is not SuiteColumn.SPEEDUP)
        if rest < _WITH_INTERVAL:
            widths[SuiteColumn.SPEEDUP] = min(widths[SuiteColumn.SPEEDUP], _WITHOUT_INTERVAL)
        self._share_out(widths, room - sum(widths.values()))
        for column, width in widths.items():
            self.setColumnWidth(column, max(width, 0))

    def _share_out(self, widths: dict[SuiteColumn, int], rest: int) -> None:
        """What is over goes to the names and the figures; what is missing comes from the names."""
        if rest >= 0:
            for column in _FIGURES:
                widths[column] += rest // 10
            widths[SuiteColumn.SPEEDUP] += rest // 5
            widths[SuiteColumn.PROMPT] += rest - 3 * (rest // 10) - rest // 5
            return
        for column, least in ((SuiteColumn.KIND, _LEAST_KIND), (SuiteColumn.PROMPT, _LEAST_PROMPT)):
            given = min(-rest, max(0, widths[column] - least))
            widths[column] -= given
            rest += given

    def _wanted(self, column: SuiteColumn) -> int:
        if column is SuiteColumn.SPEEDUP:
            has_interval = any(self._data(row, column, SuiteRole.INTERVAL) for row in self._row_numbers)
            return _WITH_INTERVAL if has_interval else _WITHOUT_INTERVAL
        metrics = QFontMetrics(self._delegate.strong_font)
        name = str(self._table.headerData(column, Qt.Orientation.Horizontal))
        widths = [QFontMetrics(self._header.name_font).horizontalAdvance(name)]
        texts = [self._data(row, column, Qt.ItemDataRole.DisplayRole) for row in self._row_numbers]
        widths += [metrics.horizontalAdvance(text) for text in texts]
        return max(widths) + 2 * PADDING + 2

    @property
    def _row_numbers(self) -> range:
        return range(self._table.rowCount())

    def _data(self, row: int, column: SuiteColumn, role: int) -> str:
        return str(self._table.index(row, column).data(role) or "")

    def _tell_selected(self, current: QModelIndex) -> None:
        self.row_selected.emit(current.data(SuiteRole.ROW) if current.isValid() else None)

    def _selection_may_differ(self) -> None:
        self.fit()
        self.viewport().update()
        self._tell_selected(self.currentIndex())


class _Header(RowsHeader):
    """Names of figures stand over them, at the right."""

    @property
    def name_font(self) -> QFont:
        """What the columns' names are written in."""
        return self._font

    def paintSection(  # noqa: N802
        self,
        painter: QPainter,
        rect: QRect,
        logicalIndex: int,  # noqa: N803
    ) -> None:
        """Paints a column's name."""
        if logicalIndex in _FIGURES:
            text = str(self.model().headerData(logicalIndex, self.orientation()) or "")
            spare = rect.width() - 2 * PADDING - QFontMetrics(self._font).horizontalAdvance(text)
            painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, self._theme.colours.line)
            rect = rect.adjusted(max(spare, 0), 0, 0, 0)
        super().paintSection(painter, rect, logicalIndex)
