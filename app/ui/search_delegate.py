"""Paints what a search has found."""

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.ui.search_results import ResultRole
from app.ui.theme import Theme

ROW_HEIGHT = 56  # pixels, of the last row as well: rows of one height are laid out without a look at each
_PADDING, _RADIUS = 12, 8
_NAME_TOP, _DETAILS_TOP, _LINE = 10, 28, 18
_TAG_HEIGHT, _TAG_PADDING, _TAG_GAP = 18, 7, 8
_DIM = 0.4  # of the opacity, while something newer is on its way

Index = QModelIndex | QPersistentModelIndex


class SearchDelegate(QStyledItemDelegate):
    """The name over its publisher and figures; the open one on the accent's soft colour."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._dress()
        self.is_dimmed = False
        theme.changed.connect(self._dress)

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        """As narrow as one likes."""
        return QSize(0, ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paints one row."""
        state: QStyle.StateFlag = option.state
        area = QRectF(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.is_dimmed:
            painter.setOpacity(_DIM)
        found = index.data(ResultRole.FOUND) is not None
        if found or index.data(ResultRole.IS_FAILED):
            self._paint_background(painter, area, state)
        if found:
            self._paint_found(painter, area, index)
        else:
            self._paint_ending(painter, area, index)
        painter.restore()

    def _paint_background(self, painter: QPainter, area: QRectF, state: QStyle.StateFlag) -> None:
        colours = self._theme.colours
        selected = bool(state & QStyle.StateFlag.State_Selected)
        paper = QColor(Qt.GlobalColor.transparent)
        if selected:
            paper = colours.accent_soft
        elif state & QStyle.StateFlag.State_MouseOver:
            paper = QColor(colours.raised)
            paper.setAlphaF(0.5)
        focused = bool(state & QStyle.StateFlag.State_HasFocus)
        painter.setPen(colours.accent if focused else Qt.GlobalColor.transparent)
        painter.setBrush(paper)
        painter.drawRoundedRect(area.adjusted(0.5, 0.5, -0.5, -0.5), _RADIUS, _RADIUS)

    def _paint_found(self, painter: QPainter, area: QRectF, index: Index) -> None:
        colours = self._theme.colours
        name = QRectF(area.left() + _PADDING, area.top() + _NAME_TOP, area.width() - 2 * _PADDING, _LINE)
        if index.data(ResultRole.IS_GATED):
            name.setRight(self._paint_tag(painter, name, self.tr("gated")) - _TAG_GAP)
        self._paint_line(painter, name, str(index.data()), self._strong, colours.text)
        below = QRectF(area.left() + _PADDING, area.top() + _DETAILS_TOP, area.width() - 2 * _PADDING, _LINE)
        self._paint_line(painter, below, str(index.data(ResultRole.DETAILS)), self._small, colours.muted)

    def _paint_ending(self, painter: QPainter, area: QRectF, index: Index) -> None:
        colours = self._theme.colours
        place = area.adjusted(_PADDING, 0, -_PADDING, 0)
        failed = bool(index.data(ResultRole.IS_FAILED))
        self._paint_line(
            painter, place, str(index.data()), self._small, colours.accent if failed else colours.faint
        )

    def _paint_tag(self, painter: QPainter, place: QRectF, text: str) -> float:
        """Ends at the right of a place; gives where it begins."""
        width = QFontMetricsF(self._tag).horizontalAdvance(text) + 2 * _TAG_PADDING
        box = QRectF(place.right() - width, place.top(), width, _TAG_HEIGHT)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.colours.warning_soft)
        painter.drawRoundedRect(box, 6, 6)
        painter.setFont(self._tag)
        painter.setPen(self._theme.colours.warning)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
        return box.left()

    def _paint_line(self, painter: QPainter, place: QRectF, text: str, font: QFont, ink: QColor) -> None:
        shown = QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, place.width())
        painter.setFont(font)
        painter.setPen(ink)
        painter.drawText(place, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)

    def _dress(self) -> None:
        self._strong = self._theme.body_font(strong=True)
        self._small = self._theme.body_font(12)
        self._tag = self._theme.body_font(11)
