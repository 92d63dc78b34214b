"""The header of a table of rows: the arrow of the sorted column stands beside its name."""

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QHeaderView, QWidget

from app.ui.row_delegate import PADDING
from app.ui.theme import Theme

_UP, _DOWN = "↑", "↓"
_GAP = 6  # pixels


class RowsHeader(QHeaderView):
    """Horizontal, `height` pixels high with its line."""

    def __init__(self, theme: Theme, height: int, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._theme = theme
        self.setFixedHeight(height)
        self.setSectionsClickable(True)
        self.setHighlightSections(False)
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setMouseTracking(True)
        self._dress()
        theme.changed.connect(self._dress)

    def paintSection(  # noqa: N802
        self,
        painter: QPainter,
        rect: QRect,
        logicalIndex: int,  # noqa: N803
    ) -> None:
        """Paints a column's name."""
        colours = self._theme.colours
        sorted_by_this = self.isSortIndicatorShown() and self.sortIndicatorSection() == logicalIndex
        text = str(self.model().headerData(logicalIndex, self.orientation()) or "")
        painter.save()
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, colours.line)
        painter.setFont(self._font)
        painter.setPen(colours.text if sorted_by_this else colours.muted)
        place = rect.adjusted(PADDING, 0, -PADDING, -1)
        painter.drawText(place, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)
        if sorted_by_this and text:
            arrow = _UP if self.sortIndicatorOrder() is Qt.SortOrder.AscendingOrder else _DOWN
            beside = place.adjusted(QFontMetrics(self._font).horizontalAdvance(text) + _GAP, 0, PADDING, 0)
            painter.setPen(colours.accent)
            painter.drawText(beside, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, arrow)
        painter.restore()

    def _dress(self) -> None:
        self._font = self._theme.body_font(12)
        self._font.setWeight(QFont.Weight.Medium)
        self.viewport().update()
