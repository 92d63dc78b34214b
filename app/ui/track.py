"""A narrow bar with coloured parts, for shares of a whole."""

from typing import Literal

from msgspec import Struct
from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.ui.theme import Theme

_BAR, _MARGIN = 8, 2  # pixels; the mark reaches into the margins
_MARK = 2


class Segment(Struct, frozen=True):
    """A part of the bar; `share` of 1."""

    share: float
    role: Literal[
        "accent", "faint", "warning", "bad", "good", "chart_1", "chart_2", "chart_3", "chart_4", "chart_5"
    ]


class Track(QWidget):
    """Segments from the left, and perhaps a mark across the bar."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._segments: tuple[Segment, ...] = ()
        self._mark: float | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    @property
    def segments(self) -> tuple[Segment, ...]:
        """What is shown."""
        return self._segments

    @property
    def mark(self) -> float | None:
        """Where the mark is, as a share of the bar."""
        return self._mark

    def show_segments(self, *segments: Segment, mark: float | None = None) -> None:
        """Shows other segments. A change that nobody would see is not painted."""
        rounded = tuple(Segment(_rounded(segment.share), segment.role) for segment in segments)
        mark = None if mark is None else _rounded(mark)
        if (rounded, mark) != (self._segments, self._mark):
            self._segments, self._mark = rounded, mark
            self.update()

    def sizeHint(self) -> QSize:
        """Any width will do."""
        return QSize(80, _BAR + 2 * _MARGIN)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paints the bar, its segments and the mark."""
        colours = self._theme.colours
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        bar = QRectF(0, _MARGIN, self.width(), _BAR)
        shape = QPainterPath()
        shape.addRoundedRect(bar, _BAR / 2, _BAR / 2)
        painter.fillPath(shape, colours.raised)
        left = 0.0
        for segment in self._segments:
            width = segment.share * bar.width()
            piece = QPainterPath()
            piece.addRect(QRectF(left, bar.top(), width, bar.height()))
            painter.fillPath(shape.intersected(piece), getattr(colours, segment.role))
            left += width
        if self._mark is not None:
            middle = min(max(self._mark * bar.width(), _MARK / 2), bar.width() - _MARK / 2)
            painter.fillRect(QRectF(middle - _MARK / 2, 0, _MARK, self.height()), colours.text)
        painter.end()


def _rounded(share: float) -> float:
    return round(min(max(share, 0.0), 1.0), 3)
