"""How often a drafted token was accepted, by its position in the draft."""

import math
from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.ui.accepted_positions import AcceptedPositions, position_words
from app.ui.plain_tip import plain_tip
from app.ui.theme import Theme

_BARS, _WORDS = 34, 15  # pixels, high
_WIDEST, _GAP, _RADIUS = 44, 8, 4
_SMALL, _APART = 11, 3  # a font size, and what is between captions at least


class PositionsStrip(QWidget):
    """A bar for each position, its share below where there is room; two where both sides draft."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._sides: tuple[AcceptedPositions, ...] = ()
        self.setObjectName("positions_strip")
        self.setAccessibleName(self.tr("Accepted by position"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    @property
    def sides(self) -> tuple[AcceptedPositions, ...]:
        """What is shown."""
        return self._sides

    def show_sides(self, sides: Sequence[AcceptedPositions]) -> None:
        """Shows the sides that draft."""
        self._sides = tuple(sides)
        named = len(self._sides) > 1
        lines = [
            position_words(side, index, named=named)
            for side in self._sides
            for index in range(len(side.tested))
        ]
        self.setAccessibleDescription("\n".join(lines))
        self.setToolTip(plain_tip("\n".join(lines)))
        self.update()

    def sizeHint(self) -> QSize:
        """Any width will do."""
        return QSize(180, _BARS + _WORDS)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paints the bars and the words."""
        count = max((len(side.tested) for side in self._sides), default=0)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not count:
            painter.setFont(self._theme.body_font(12))
            painter.setPen(self._theme.colours.faint)
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignVCenter, self.tr("nothing was drafted"))
        wide, gap = self.bars()
        painter.setFont(self._theme.body_font(_SMALL))
        captions = self.captions()
        for index in range(count):
            self._paint_position(painter, index, QRectF(index * (wide + gap), 0, wide, _BARS))
            painter.setPen(self._theme.colours.muted)
            below = QRectF(index * (wide + gap) - _GAP, _BARS + 2, wide + 2 * _GAP, _WORDS - 2)
            painter.drawText(below, Qt.AlignmentFlag.AlignCenter, captions[index])
        painter.end()

    def bars(self) -> tuple[float, float]:
        """How wide they are, and how far apart, in pixels."""
        count = max((len(side.tested) for side in self._sides), default=0)
        gap = _GAP if count <= 8 else 3
        return min(_WIDEST, (self.width() + gap) / max(count, 1) - gap), gap

    def captions(self) -> list[str]:
        """What stands below the bars.

        Every share where all have room and there is one side, else the positions' numbers: as many as have
        room. Of few tokens a share would say more than is known, so the counts stand for it.
        """
        wide, gap = self.bars()
        metrics = QFontMetricsF(self._theme.body_font(_SMALL))
        count = max((len(side.tested) for side in self._sides), default=0)
        texts = [self._sides[0].caption(index) for index in range(count)] if len(self._sides) == 1 else []
        if texts and max(map(metrics.horizontalAdvance, texts)) <= wide:
            return [text or str(index) for index, text in enumerate(texts, 1)]
        numbers = [str(index) for index in range(1, count + 1)]
        widest = max(map(metrics.horizontalAdvance, numbers), default=0.0)
        step = max(1, math.ceil((widest + _APART) / (wide + gap)))
        ends = [
            index * (wide + gap) + (wide + metrics.horizontalAdvance(number)) / 2
            for index, number in enumerate(numbers)
        ]
        return [
            number if index % step == 0 and end <= self.width() else ""
            for index, (number, end) in enumerate(zip(numbers, ends, strict=True))
        ]

    def _paint_position(self, painter: QPainter, index: int, place: QRectF) -> None:
        colours = self._theme.colours
        each = place.width() / len(self._sides)
        painter.setPen(Qt.PenStyle.NoPen)
        for number, side in enumerate(self._sides):
            track = QRectF(place.left() + number * each, 0, each - (1 if len(self._sides) > 1 else 0), _BARS)
            share = side.share(index) or 0.0
            painter.setBrush(colours.raised)
            painter.drawRoundedRect(track, _RADIUS, _RADIUS)
            if share > 0.0:
                painter.setOpacity(side.opacity(index))
                painter.setBrush(getattr(colours, side.role))
                painter.drawRoundedRect(track.adjusted(0, _BARS * (1.0 - share), 0, 0), _RADIUS, _RADIUS)
                painter.setOpacity(1.0)
