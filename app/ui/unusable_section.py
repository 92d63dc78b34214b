"""The lower part of My Models: files that cannot be used, and why."""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPoint
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHeaderView, QWidget

from app.models.library import UnusableFile
from app.ui.icons import Icons
from app.ui.model_actions import ModelActions
from app.ui.row_buttons import RowButton, RowButtons
from app.ui.rows_view import RowsView
from app.ui.theme import Theme
from app.ui.unusable_table import UnusableColumn, UnusableDelegate, UnusableTable
from app.ui.widgets import Card, Tag, column, label, row

_SHOW, _MORE = "show_in_folder", "more"
_HEIGHT = 160  # pixels, before the list scrolls


class UnusableSection(QWidget):
    """Hidden while there are none."""

    def __init__(self, theme: Theme, icons: Icons, actions: ModelActions) -> None:
        super().__init__()
        self.setObjectName("unusable_section")
        self._actions = actions
        self._table = UnusableTable(self)
        self._count = Tag("")
        buttons = (
            RowButton(_SHOW, self.tr("Show in folder")),
            RowButton(_MORE, self.tr("More"), "more"),
        )
        self._view = UnusableView(theme, RowButtons(theme, icons, buttons))
        self._view.setObjectName("unusable_table")
        self._view.setAccessibleName(self.tr("Not usable"))
        self._view.setModel(self._table)
        self._view.setItemDelegate(UnusableDelegate(theme, self._view, self._view))
        self._view.button_clicked.connect(self._act)
        self._view.row_chosen.connect(lambda index: actions.show(self._table.file_of(index)))
        self._view.menu_requested.connect(self._show_menu)
        card = Card()
        card.setLayout(column(self._view, margins=(1, 4, 1, 4)))
        heading = label(self.tr("Not usable"), size="heading")
        self.setLayout(column(row(heading, self._count, None), card, margins=(0, 8, 0, 0)))
        self.hide()

    def show_files(self, files: Sequence[UnusableFile]) -> None:
        """Takes over a listing."""
        self._table.show_files(files)
        self._count.setText(str(len(files)))
        self.setVisible(bool(files))
        self._view.fit()

    def _act(self, name: str, index: QModelIndex) -> None:
        if name == _SHOW:
            self._actions.show(self._table.file_of(index))
        else:
            place = self._view.button_place(index.row(), name).bottomLeft()
            self._show_menu(index, self._view.viewport().mapToGlobal(place))

    def _show_menu(self, index: QModelIndex, place: QPoint) -> None:
        self._actions.show_menu(self._table.file_of(index), place)


class UnusableView(RowsView):
    """Rows as high as their reasons."""

    def __init__(self, theme: Theme, buttons: RowButtons) -> None:
        super().__init__(theme, buttons)
        self.horizontalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)

    def fit(self) -> None:
        """Fits rows and height to the reasons."""
        width = self.buttons.width
        self.setColumnWidth(UnusableColumn.FILE, max(self.viewport().width() - width, 0))
        self.setColumnWidth(UnusableColumn.ACTIONS, width)
        self.resizeRowsToContents()
        self.setFixedHeight(min(self.content_height, _HEIGHT))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fits the rows to another width."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.fit()
