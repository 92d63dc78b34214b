"""The table of a repository's files: as high as its rows, and as wide as there is room."""

from PySide6.QtCore import QModelIndex, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QWidget

from app.models.hub import RemoteModel
from app.ui.files_delegate import FilesDelegate
from app.ui.files_table import Action, FileColumn, FileRole, FilesTable
from app.ui.icons import Icons
from app.ui.row_buttons import RowButton, RowButtons
from app.ui.row_delegate import PADDING
from app.ui.rows_header import RowsHeader
from app.ui.rows_view import RowsView
from app.ui.theme import Theme

ROW_HEIGHT = 49  # pixels, with the line under it
_HEADER_HEIGHT = 37
_LEAST_NAME, _MOST_NAME = 64, 220  # widths of what is in the cells
_LEAST_QUALITY = 56
_SPARE = {FileColumn.FILE: 2, FileColumn.QUALITY: 4, FileColumn.SIZE: 2, FileColumn.MACHINE: 4}  # shares


class FilesView(RowsView):
    """Enter and a double click do what the row's button does."""

    action_chosen = Signal(object)  # RemoteModel
    row_selected = Signal(object)  # RemoteModel, by mouse or keyboard

    def __init__(
        self, theme: Theme, icons: Icons, table: FilesTable, name: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(theme, RowButtons(theme, icons, ()), parent)
        self._table = table
        self.setObjectName(name)
        self.setModel(table)
        self._delegate = FilesDelegate(theme, self)
        self.setItemDelegate(self._delegate)
        self.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header = RowsHeader(theme, _HEADER_HEIGHT, self)
        header.setSectionsClickable(False)
        self.setHorizontalHeader(header)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.row_chosen.connect(self._act)
        self.button_clicked.connect(lambda _, index: self._act(index))
        self.selectionModel().currentRowChanged.connect(self._tell_selected)
        table.modelReset.connect(self.fit)
        table.dataChanged.connect(self._fit_columns)
        theme.changed.connect(self._fit_columns)

    def fit(self) -> None:
        """Takes the height of the rows there are now."""
        self.setFixedHeight(self.content_height)
        self._fit_columns()

    def select(self, row: RemoteModel) -> None:
        """Selects a row; nothing is told."""
        number = self._table.row_of(row)
        if number >= 0 and number != self.currentIndex().row():
            self.selectionModel().blockSignals(True)
            self.selectRow(number)
            self.selectionModel().blockSignals(False)
            self.viewport().update()

    @property
    def selected(self) -> RemoteModel | None:
        """The row that is selected."""
        index = self.currentIndex()
        return index.data(FileRole.ROW) if index.isValid() else None

    def place_of(self, row: RemoteModel) -> QRect:
        """Where a row lies in the viewport."""
        return self.visualRect(self._table.index(self._table.row_of(row), FileColumn.FILE))

    def button_place(self, row: int, name: str = "") -> QRect:
        """Where a row's button lies in the viewport; empty where it has none."""
        index = self._table.index(row, FileColumn.ACTION)
        return self._delegate.button_place(self.visualRect(index), index)

    def sizeHint(self) -> QSize:
        """All rows."""
        return QSize(super().sizeHint().width(), self.content_height)

    def minimumSizeHint(self) -> QSize:
        """All rows, too."""
        return QSize(240, self.content_height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Gives the columns what room there is."""
        super().resizeEvent(event)
        self._fit_columns()

    def _button_at(self, point: QPoint) -> tuple[int, RowButton | None]:
        index = self.indexAt(point)
        if index.column() != FileColumn.ACTION or not self.button_place(index.row()).contains(point):
            return index.row(), None
        return index.row(), RowButton("action", str(index.data(Qt.ItemDataRole.ToolTipRole) or index.data()))

    def _act(self, index: QModelIndex) -> None:
        if index.data(FileRole.ACTION) is not Action.NONE:
            self.action_chosen.emit(index.data(FileRole.ROW))

    def _tell_selected(self, current: QModelIndex) -> None:
        if current.isValid():
            self.row_selected.emit(current.data(FileRole.ROW))

    def _fit_columns(self) -> None:
        """Each column gets what its texts need, and its share of the rest; the word on quality gives way."""
        room = self.viewport().width()
        widths = {column: self._wanted(column) for column in FileColumn}
        quality = widths[FileColumn.QUALITY]
        rest = room - (sum(widths.values()) - quality)
        if rest < quality:  # "recommended" is said above the table, too
            quality = self._wanted(FileColumn.QUALITY, FileRole.WORD)
        hidden = rest < _LEAST_QUALITY + 2 * PADDING
        if hidden:
            del widths[FileColumn.QUALITY]
        else:
            widths[FileColumn.QUALITY] = min(quality, rest)
        spare = max(0, room - sum(widths.values()))
        shares = sum(_SPARE[column] for column in widths if column in _SPARE)
        for column in widths:
            widths[column] += spare * _SPARE.get(column, 0) // shares
        widths[FileColumn.FILE] += room - sum(widths.values())
        self.setColumnHidden(FileColumn.QUALITY, hidden)
        for column, width in widths.items():
            self.setColumnWidth(column, max(width, 0))

    def _wanted(self, column: FileColumn, role: int = Qt.ItemDataRole.DisplayRole) -> int:
        texts = [str(self._table.headerData(column, Qt.Orientation.Horizontal))]
        texts += [str(self._table.index(row, column).data(role)) for row in range(self._table.rowCount())]
        if column is FileColumn.ACTION:
            return max(self._delegate.button_width(text) for text in (*texts, self.tr("Download")))
        strong = column is FileColumn.FILE
        metrics = QFontMetrics(self._delegate.strong_font if strong else self._delegate.font)
        width = max(metrics.horizontalAdvance(text) for text in texts)
        if strong:
            width = min(max(width, _LEAST_NAME), _MOST_NAME)
        return width + 2 * PADDING + 2  # fonts have fractions of pixels
