"""The table of My Models: its columns, and which of them go when there is little room."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHeaderView, QWidget

from app.ui.icons import Icons
from app.ui.models_delegate import ModelsDelegate
from app.ui.models_table import ModelColumn, ModelsFilter
from app.ui.row_buttons import RowButton, RowButtons
from app.ui.rows_header import RowsHeader
from app.ui.rows_view import RowsView
from app.ui.theme import Theme

LOAD, CONFIGURE, MORE = "load", "configure", "more"

_ROW_HEIGHT = 49  # pixels, with the line under it
_HEADER_HEIGHT = 37
_NAME_WIDTH = 220  # at least, before columns go
_WIDTHS = {
    ModelColumn.ARCH: 104,
    ModelColumn.PARAMS: 84,
    ModelColumn.PUBLISHER: 148,
    ModelColumn.QUANT: 148,
    ModelColumn.SIZE: 92,
    ModelColumn.MODIFIED: 116,
}
_DISPENSABLE = (ModelColumn.MODIFIED, ModelColumn.PUBLISHER, ModelColumn.ARCH, ModelColumn.PARAMS)


class ModelsView(RowsView):
    """Rows with the buttons Load, Edit Model Default Config, and a menu."""

    def __init__(self, theme: Theme, icons: Icons, rows: ModelsFilter, parent: QWidget | None = None) -> None:
        super().__init__(theme, RowButtons(theme, icons, self._row_buttons()), parent)
        self.setObjectName("models_table")
        self.setAccessibleName(self.tr("Models"))
        self.setModel(rows)
        self._delegate = ModelsDelegate(theme, self, self)
        self.setItemDelegate(self._delegate)
        self.verticalHeader().setDefaultSectionSize(_ROW_HEIGHT)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header = RowsHeader(theme, _HEADER_HEIGHT, self)
        self.setHorizontalHeader(header)
        header.setSortIndicator(ModelColumn.NAME, Qt.SortOrder.AscendingOrder)
        self.setSortingEnabled(True)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Gives the name what room there is, and takes columns away where that is too little."""
        super().resizeEvent(event)
        self._fit_columns()

    def sizeHint(self) -> QSize:
        """All rows."""
        return QSize(super().sizeHint().width(), self.content_height)

    def minimumSizeHint(self) -> QSize:
        """The header and two rows."""
        return QSize(320, _HEADER_HEIGHT + 2 * _ROW_HEIGHT)

    def _fit_columns(self) -> None:
        widths = {**_WIDTHS, ModelColumn.ACTIONS: self.buttons.width}
        room = self.viewport().width()
        gone = set()
        for column in _DISPENSABLE:
            if room - sum(widths.values()) >= _NAME_WIDTH:
                break
            gone.add(column)
            del widths[column]
        for column in ModelColumn:
            self.setColumnHidden(column, column in gone)
        widths[ModelColumn.NAME] = max(room - sum(widths.values()), _NAME_WIDTH // 2)
        for column, width in widths.items():
            self.setColumnWidth(column, width)

    def _row_buttons(self) -> tuple[RowButton, ...]:
        return (
            RowButton(LOAD, self.tr("Load")),
            RowButton(CONFIGURE, self.tr("Edit Model Default Config"), "gear"),
            RowButton(MORE, self.tr("More"), "more"),
        )
