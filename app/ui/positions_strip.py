"""How often a drafted token was accepted, by its position in the draft."""

from collections.abc import Sequence

from msgspec import Struct
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.figures import percent_text
from app.ui.plain_tip import plain_tip
from app.ui.theme import Theme

_BARS, _WORDS = 34, 15  # pixels, high
_WIDEST, _GAP, _RADIUS = 44, 8, 4


class AcceptedOfSide(Struct, frozen=True):
    """One side's counts by position; `role` is that of the colour."""

    name: str
    accepted: tuple[int, ...]
    tested: tuple[int, ...]
    role: str

    def share(self, index: int) -> float | None:
        """Accepted of tested at a position from 0; None where nothing was tested."""
        tested = self.tested[index] if index < len(self.tested) else 0
        return self.accepted[index] / tested if tested else None


class PositionsStrip(QWidget):
    """A bar for each position, its share below where there is room; two where both sides draft."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._sides: tuple[AcceptedOfSide, ...] = ()
        self.setObjectName("positions_strip")
        self.setAccessibleName(self.tr("Accepted by position"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    @property
    def sides(self) -> tuple[AcceptedOfSide, ...]:
        """What is shown."""
        return self._sides

    def show_sides(self, sides: Sequence[AcceptedOfSide]) -> None:
        """Shows the sides that draft."""
        self._sides = tuple(sides)
        lines = [self._words(side, index) for side in self._sides for index in range(len(side.tested))]
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
        gap = _GAP if count <= 8 else 3
        wide = min(_WIDEST, (self.width() + gap) / max(count, 1) - gap)
        for index in range(count):
            self._paint_position(painter, index, QRectF(index * (wide + gap), 0, wide, _BARS))
        painter.end()

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
                painter.setBrush(getattr(colours, side.role))
                painter.drawRoundedRect(track.adjusted(0, _BARS * (1.0 - share), 0, 0), _RADIUS, _RADIUS)
        painter.setFont(self._theme.body_font(11))
        painter.setPen(colours.muted)
        painter.drawText(
            QRectF(place.left() - _GAP / 2, _BARS + 2, place.width() + _GAP, _WORDS - 2),
            Qt.AlignmentFlag.AlignCenter,
            self._caption(index, QFontMetricsF(painter.font()), place.width() + _GAP),
        )

    def _caption(self, index: int, metrics: QFontMetricsF, room: float) -> str:
        """The share where it fits and there is one side, else the position's number."""
        share = self._sides[0].share(index)
        if len(self._sides) == 1 and share is not None:
            text = f"{100 * share:.0f} %"
            if metrics.horizontalAdvance(text) <= room:
                return text
        return str(index + 1)

    def _words(self, side: AcceptedOfSide, index: int) -> str:
        words = self.tr("Position {position}: {accepted} of {tested} accepted ({share})").format(
            position=index + 1,
            accepted=f"{side.accepted[index]:,}",
            tested=f"{side.tested[index]:,}",
            share=percent_text(side.share(index)),
        )
        return f"{side.name}, {words[:1].lower()}{words[1:]}" if len(self._sides) > 1 else words
