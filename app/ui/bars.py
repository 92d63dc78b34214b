"""Small bars for the details of an answer: acceptance by position, and where the time went."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.ui.accepted_positions import AcceptedPositions, position_words
from app.ui.theme import Theme

_BAR, _GAP, _HEIGHT, _WORDS = 22, 6, 40, 16  # pixels
_NARROW_GAP = 3  # where there are many bars
_SMALL = 11  # a font size


class PositionBars(QWidget):
    """A bar for each position in the draft: how often its token was accepted; pale where few were tested."""

    def __init__(self, theme: Theme, positions: AcceptedPositions) -> None:
        super().__init__()
        self._theme = theme
        self._positions = positions
        self._count = len(positions.tested)
        self.setObjectName("position_bars")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        lines = [position_words(positions, index) for index in range(self._count)]
        self.setToolTip("\n".join(lines))
        self.setAccessibleName(self.tr("Acceptance by position"))
        self.setAccessibleDescription("\n".join(lines))

    def sizeHint(self) -> QSize:
        """Room for all bars and the numbers below."""
        return QSize(self._count * (_BAR + _GAP), _HEIGHT + _WORDS)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draws them, narrower where there are many."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setFont(self._theme.body_font(_SMALL))
        pitch, wide = self.bars()
        numbered = QFontMetricsF(painter.font()).horizontalAdvance(str(self._count)) <= pitch - 1
        colours = self._theme.colours
        for index in range(self._count):
            left = index * pitch
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colours.raised)
            painter.drawRoundedRect(QRectF(left, 0, wide, _HEIGHT), 3, 3)
            painter.setBrush(getattr(colours, self._positions.role))
            painter.setOpacity(self._positions.opacity(index))
            height = (self._positions.share(index) or 0.0) * _HEIGHT
            painter.drawRoundedRect(QRectF(left, _HEIGHT - height, wide, height), 3, 3)
            painter.setOpacity(1.0)
            if numbered or index % 2 == 0:
                painter.setPen(colours.muted)
                where = QRectF(left - _GAP, _HEIGHT, wide + 2 * _GAP, _WORDS)
                painter.drawText(where, Qt.AlignmentFlag.AlignCenter, str(index + 1))
        painter.end()

    def bars(self) -> tuple[float, float]:
        """From one to the next, and how wide each is, in pixels: all have room."""
        count = max(1, self._count)
        gap = _GAP if count * (_BAR + _GAP) - _GAP <= self.width() else _NARROW_GAP
        pitch = min(_BAR + gap, (self.width() + gap) / count)
        return pitch, pitch - gap


class TimeBar(QWidget):
    """One bar, divided by what the time went into."""

    def __init__(self, theme: Theme, parts: Sequence[tuple[float, str]]) -> None:
        """`parts` are sizes, whatever their sum, and the roles of their colours."""
        super().__init__()
        self._theme = theme
        self._parts = parts
        self.setFixedHeight(8)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draws it."""
        painter = QPainter(self)
        total = sum(size for size, _ in self._parts)
        left = 0.0
        for size, role in self._parts:
            width = self.width() * size / total if total else 0.0
            colour: QColor = getattr(self._theme.colours, role)
            painter.fillRect(QRectF(left, 0, width, self.height()), colour)
            left += width
        painter.end()


class TimeKey(QWidget):
    """The colour of one part of the bar."""

    def __init__(self, theme: Theme, role: str) -> None:
        super().__init__()
        self._theme = theme
        self._role = role
        self.setFixedSize(8, 8)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draws it."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(getattr(self._theme.colours, self._role))
        painter.drawEllipse(self.rect())
        painter.end()
