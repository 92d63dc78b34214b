"""Paints rows: their background, their buttons, and texts in the theme's fonts."""

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.ui.rows_view import RowsView
from app.ui.theme import Theme

Index = QModelIndex | QPersistentModelIndex

PADDING = 12  # pixels, on both sides of a cell
_TAG_HEIGHT, _TAG_PADDING = 18, 7
_MIDDLE = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class RowDelegate(QStyledItemDelegate):
    """What the lists of models have in common. `paint_cell` paints what is in a cell."""

    def __init__(self, theme: Theme, view: RowsView, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.view = view
        self._dress()
        theme.changed.connect(self._dress)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paints a cell on its row's background."""
        cell: QRect = option.rect
        state: QStyle.StateFlag = option.state
        painter.save()
        self._paint_background(painter, cell, state, index)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if index.column() == index.model().columnCount() - 1:
            row = index.row()
            hovered, pressed = self.view.hovered_button(row), self.view.pressed_button(row)
            paper = self.theme.colours.panel if _is_selected(state) else self.theme.colours.raised
            self.view.buttons.paint(painter, cell, hovered, pressed, paper)
        else:
            self.paint_cell(painter, cell.adjusted(PADDING, 0, -PADDING, -1), index)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Rows have the height that the view gives them."""
        return QSize(40, self.view.verticalHeader().defaultSectionSize())

    def paint_cell(self, painter: QPainter, place: QRect, index: Index) -> None:
        """Paints what is in a cell, inside its padding."""

    def is_marked(self, index: Index) -> bool:
        """Whether a row stands out from the others."""
        return False

    def paint_text(
        self, painter: QPainter, place: QRect, text: str, ink: QColor, *, strong: bool = False
    ) -> int:
        """One line, cut where it does not fit. Gives the width in pixels."""
        font = self.strong_font if strong else self.font
        shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, place.width())
        painter.setFont(font)
        painter.setPen(ink)
        painter.drawText(place, _MIDDLE, shown)
        return QFontMetrics(font).horizontalAdvance(shown)

    def paint_tag(self, painter: QPainter, place: QRect, text: str, ink: QColor, paper: QColor) -> None:
        """A word in a small box at the left of a place, cut where it does not fit."""
        shown = QFontMetrics(self.small_font).elidedText(
            text, Qt.TextElideMode.ElideRight, place.width() - 2 * _TAG_PADDING + 1
        )
        top = place.top() + (place.height() - _TAG_HEIGHT) // 2 + 1
        box = QRect(place.left(), top, self.tag_width(shown), _TAG_HEIGHT)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(paper)
        painter.drawRoundedRect(QRectF(box), 6, 6)
        painter.setFont(self.small_font)
        painter.setPen(ink)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, shown)

    def tag_width(self, text: str) -> int:
        """Pixels that a tag takes."""
        return QFontMetrics(self.small_font).horizontalAdvance(text) + 2 * _TAG_PADDING

    def _paint_background(
        self, painter: QPainter, cell: QRect, state: QStyle.StateFlag, index: Index
    ) -> None:
        colours = self.theme.colours
        selected = _is_selected(state)
        if self.is_marked(index):
            painter.fillRect(cell, colours.accent_soft)
        elif selected:
            painter.fillRect(cell, colours.raised)
        elif self.view.is_hovered(index.row()):
            faded = QColor(colours.raised)
            faded.setAlphaF(0.5)
            painter.fillRect(cell, faded)
        if index.row() < index.model().rowCount() - 1:
            painter.fillRect(cell.left(), cell.bottom(), cell.width(), 1, colours.line)
        if selected and index.column() == 0 and self.view.hasFocus():
            painter.fillRect(cell.left(), cell.top(), 3, cell.height() - 1, colours.accent)

    def _dress(self) -> None:
        self.font: QFont = self.theme.body_font()
        self.strong_font: QFont = self.theme.body_font(strong=True)
        self.small_font: QFont = self.theme.body_font(11)


def _is_selected(state: QStyle.StateFlag) -> bool:
    return bool(state & QStyle.StateFlag.State_Selected)
