"""A table whose rows are acted on as a whole: by painted buttons, the keyboard, or a menu."""

from PySide6.QtCore import QEvent, QModelIndex, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QHelpEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QToolTip, QWidget

from app.ui.row_buttons import RowButton, RowButtons
from app.ui.theme import Theme

_NOWHERE = QModelIndex()


class RowsView(QTableView):
    """The buttons lie in the last column. Enter and a double click choose a row."""

    row_chosen = Signal(QModelIndex)
    button_clicked = Signal(str, QModelIndex)  # the button's name
    menu_requested = Signal(QModelIndex, QPoint)  # on the screen

    def __init__(self, theme: Theme, buttons: RowButtons, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.buttons = buttons
        self._hovered_row = -1
        self._hovered: tuple[int, str] = (-1, "")
        self._pressed: tuple[int, str] = (-1, "")
        self.setMouseTracking(True)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.DefaultContextMenu)
        self.verticalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.doubleClicked.connect(self._choose_unless_button)
        theme.changed.connect(self._dress)

    def button_place(self, row: int, name: str) -> QRect:
        """Where a button lies in the viewport; empty for one that does not exist."""
        cell = self.visualRect(self.model().index(row, self._last_column))
        return next((place for button, place in self.buttons.places(cell) if button.name == name), QRect())

    def is_hovered(self, row: int) -> bool:
        """Whether the mouse is over a row."""
        return row == self._hovered_row

    def hovered_button(self, row: int) -> str:
        """The button of a row that the mouse is over; empty for none."""
        return self._hovered[1] if self._hovered[0] == row else ""

    def pressed_button(self, row: int) -> str:
        """The button of a row that is held down; empty for none."""
        return self._pressed[1] if self._pressed == self._hovered and self._pressed[0] == row else ""

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Lights up what is under the mouse."""
        self._hover(event.position().toPoint())
        if not self._pressed[1]:
            super().mouseMoveEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the mouse any more."""
        super().leaveEvent(event)
        self._hover(QPoint(-1, -1))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Holds a button down, or selects a row."""
        self._hover(event.position().toPoint())
        super().mousePressEvent(event)
        if event.button() is Qt.MouseButton.LeftButton and self._hovered[1]:
            self._pressed = self._hovered
            self.viewport().update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A button counts as clicked if the mouse is still over it."""
        self._hover(event.position().toPoint())
        pressed, self._pressed = self._pressed, (-1, "")
        super().mouseReleaseEvent(event)
        self.viewport().update()
        if pressed[1] and pressed == self._hovered:
            self.button_clicked.emit(pressed[1], self.model().index(pressed[0], 0))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter chooses the current row; Home and End go to the first and the last."""
        match event.key():
            case Qt.Key.Key_Return | Qt.Key.Key_Enter if self.currentIndex().isValid():
                self.row_chosen.emit(self.currentIndex().siblingAtColumn(0))
            case Qt.Key.Key_Home:
                self.setCurrentIndex(self.model().index(0, 0))
            case Qt.Key.Key_End:
                self.setCurrentIndex(self.model().index(self.model().rowCount() - 1, 0))
            case _:
                super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The menu of the row under the mouse or, by the keyboard, of the current one."""
        index, place = self.indexAt(event.pos()), event.globalPos()
        if event.reason() is QContextMenuEvent.Reason.Keyboard:
            index = self.currentIndex()
            place = self.viewport().mapToGlobal(self.visualRect(index).bottomLeft() + QPoint(12, 0))
        if index.isValid():
            self.setCurrentIndex(index)
            self.menu_requested.emit(index.siblingAtColumn(0), place)

    def viewportEvent(self, event: QEvent) -> bool:
        """Buttons tell what they do."""
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            _, button = self._button_at(event.pos())
            if button is not None:
                QToolTip.showText(event.globalPos(), button.text, self)
                return True
        return super().viewportEvent(event)

    @property
    def content_height(self) -> int:
        """Pixels that the header and all rows take."""
        header = self.horizontalHeader()
        return (0 if header.isHidden() else header.maximumHeight()) + self.verticalHeader().length()

    @property
    def _last_column(self) -> int:
        return self.model().columnCount() - 1

    def _button_at(self, point: QPoint) -> tuple[int, RowButton | None]:
        index = self.indexAt(point)
        if not index.isValid() or index.column() != self._last_column:
            return index.row(), None
        return index.row(), self.buttons.at(self.visualRect(index), point)

    def _hover(self, point: QPoint) -> None:
        row, button = self._button_at(point)
        hovered = (row, button.name) if button is not None else (-1, "")
        if row == self._hovered_row and hovered == self._hovered:
            return
        for changed in {row, self._hovered_row}:
            self._repaint_row(changed)
        self._hovered_row, self._hovered = row, hovered
        if button is None:
            self.viewport().unsetCursor()
        else:
            self.viewport().setCursor(Qt.CursorShape.PointingHandCursor)

    def _repaint_row(self, row: int) -> None:
        if row >= 0:
            top, height = self.rowViewportPosition(row), self.rowHeight(row)
            self.viewport().update(0, top, self.viewport().width(), height)

    def _choose_unless_button(self, index: QModelIndex) -> None:
        if not self._hovered[1]:
            self.row_chosen.emit(index.siblingAtColumn(0))

    def _dress(self) -> None:
        self.buttons.dress()
        self.viewport().update()
