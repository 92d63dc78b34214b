"""Paints the rows of a suite."""

import math

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyleOptionViewItem

from app.core.gain import Gain
from app.core.sameness import Sameness
from app.core.suite_result import SuiteRow
from app.ui.row_delegate import PADDING as _PADDING
from app.ui.row_delegate import Index, RowDelegate
from app.ui.rows_view import RowsView
from app.ui.suite_table import SuiteColumn, SuiteRole, SuiteTable
from app.ui.theme import Theme

BAR_WIDTH = 84  # pixels
_BAR_HEIGHT, _GAP = 8, 10
_LEAST_SCALE = 1.5  # a factor: smaller gains do not fill the bar
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class SuiteDelegate(RowDelegate):
    """The speed-up is a bar around 1×, to the right where it is a gain. Totals are in strong letters."""

    def __init__(self, theme: Theme, view: RowsView) -> None:
        super().__init__(theme, view, view)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paints a cell on its row's background; there are no buttons."""
        cell: QRect = option.rect
        painter.save()
        self._paint_background(painter, cell, option.state, index)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.paint_cell(painter, cell.adjusted(_PADDING, 0, -_PADDING, -1), index)
        painter.restore()

    def paint_cell(self, painter: QPainter, place: QRect, index: Index) -> None:
        """Paints one column."""
        colours = self.theme.colours
        row: SuiteRow = index.data(SuiteRole.ROW)
        strong = row.prompt is None
        text = str(index.data())
        match index.column():
            case SuiteColumn.SPEEDUP:
                self._paint_speedup(painter, place, row, text, str(index.data(SuiteRole.INTERVAL)))
            case SuiteColumn.KIND:
                self.paint_text(painter, place, text, colours.text, strong=strong)
            case SuiteColumn.PROMPT:
                self.paint_text(painter, place, text, colours.muted)
            case SuiteColumn.SAMENESS:
                self.paint_text(painter, place, text, self._sameness_ink(row))
            case _:
                self._paint_figure(painter, place, text, strong=strong)

    def bar_place(self, cell: QRect, speedup: float) -> QRectF:
        """The bar of a speed-up in a cell; it begins or ends at the middle, which is 1×."""
        middle = cell.left() + _PADDING + BAR_WIDTH / 2
        share = max(-1.0, min(1.0, math.log(speedup) / math.log(self._scale())))
        width = max(abs(share) * BAR_WIDTH / 2, 1.0)
        top = cell.center().y() - _BAR_HEIGHT / 2 + 0.5
        return QRectF(middle if share >= 0 else middle - width, top, width, _BAR_HEIGHT)

    def _paint_speedup(
        self, painter: QPainter, place: QRect, row: SuiteRow, text: str, interval: str
    ) -> None:
        colours = self.theme.colours
        middle = place.left() + BAR_WIDTH // 2
        painter.fillRect(middle, place.center().y() - _BAR_HEIGHT, 1, 2 * _BAR_HEIGHT, colours.faint)
        if row.speedup is not None:
            bar = self.bar_place(place.adjusted(-_PADDING, 0, _PADDING, 0), row.speedup)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._gain_ink(row))
            painter.drawRoundedRect(bar, 2, 2)
        words = place.adjusted(BAR_WIDTH + _GAP, 0, 0, 0)
        width = self.paint_text(painter, words, text, colours.text, strong=row.prompt is None)
        rest = words.adjusted(width + _GAP, 0, 0, 0)
        if interval and QFontMetrics(self.small_font).horizontalAdvance(interval) <= rest.width():
            painter.setFont(self.small_font)
            painter.setPen(colours.muted)
            painter.drawText(rest, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, interval)

    def _paint_figure(self, painter: QPainter, place: QRect, text: str, *, strong: bool) -> None:
        painter.setFont(self.strong_font if strong else self.font)
        painter.setPen(self.theme.colours.text)
        painter.drawText(place, _RIGHT, text)

    def _gain_ink(self, row: SuiteRow) -> QColor:
        colours = self.theme.colours
        return {Gain.FASTER: colours.accent, Gain.SLOWER: colours.warning}.get(
            row.gain or Gain.EVEN, colours.muted
        )

    def _sameness_ink(self, row: SuiteRow) -> QColor:
        colours = self.theme.colours
        if row.sameness is Sameness.DIFFERS:
            return colours.warning
        return colours.text if row.sameness is not None else colours.muted

    def _scale(self) -> float:
        """The factor that fills half of a bar: the largest that is shown."""
        table = self.view.model()
        assert isinstance(table, SuiteTable)
        factors = [row.speedup for row in table.rows if row.speedup]
        return max([_LEAST_SCALE, *factors, *(1 / factor for factor in factors)])
