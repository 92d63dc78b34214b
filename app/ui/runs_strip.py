"""Every run of a comparison as a dot on one axis of speed."""

from collections.abc import Sequence
from statistics import median

from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.ui.plain_tip import plain_tip
from app.ui.theme import Theme

_ROW, _TOP, _BELOW, _DOT = 15, 2, 18, 4.0  # pixels; the last one is a dot's radius
_SMALL = 11  # a font size
_NAMES = 132  # at most, for the names on the left
_HEADROOM = 1.08
_ZERO = "0"  # where the axis begins
_APART = 6  # between the labels of two medians


class RunsOfSide(Struct, frozen=True):
    """One side's runs; `role` is that of their colour."""

    name: str
    speeds: tuple[float, ...]  # tok/s, in the order of the runs
    role: str


class RunsStrip(QWidget):
    """A row of dots for each side, with its spread, and both medians under the axis, which begins at zero."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._sides: tuple[RunsOfSide, ...] = ()
        self.setObjectName("runs_strip")
        self.setAccessibleName(self.tr("Every run, tok/s"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    @property
    def sides(self) -> tuple[RunsOfSide, ...]:
        """What is shown."""
        return self._sides

    def show_sides(self, sides: Sequence[RunsOfSide]) -> None:
        """Shows other runs, the sides from the top."""
        self._sides = tuple(sides)
        self.setAccessibleDescription("\n".join(self._words(side) for side in self._sides))
        self.setToolTip(plain_tip(self.accessibleDescription()))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """As high as the sides need; any width will do."""
        return QSize(240, _TOP + _ROW * max(2, len(self._sides)) + _BELOW)

    def place_of(self, speed: float) -> float:
        """Where a speed is on the axis, in pixels from the left."""
        left = self._axis_left()
        most = max((max(side.speeds, default=0.0) for side in self._sides), default=0.0) * _HEADROOM
        return left + (self.width() - left - _DOT) * (speed / most if most else 0.0)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paints names, spreads, dots, the axis and the medians."""
        colours = self._theme.colours
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = self._theme.body_font(12)
        painter.setFont(font)
        metrics = QFontMetricsF(font)
        left = self._axis_left()
        axis = _TOP + _ROW * len(self._sides) + 2.5
        for number, side in enumerate(self._sides):
            middle = _TOP + _ROW * (number + 0.5)
            painter.setPen(colours.muted)
            name = metrics.elidedText(side.name, Qt.TextElideMode.ElideRight, left - 12)
            painter.drawText(QRectF(0, middle - _ROW / 2, left, _ROW), Qt.AlignmentFlag.AlignVCenter, name)
            self._paint_runs(painter, side, middle, axis)
        painter.setPen(QPen(colours.line, 1))
        painter.drawLine(QPointF(left, axis), QPointF(self.width(), axis))
        painter.setFont(self._theme.body_font(_SMALL))
        metrics = QFontMetricsF(painter.font())
        painter.setPen(colours.faint)
        painter.drawText(QPointF(left, axis + 3 + metrics.ascent()), _ZERO)
        for start, text, role in self.median_labels():
            painter.setPen(getattr(colours, role))
            painter.drawText(QPointF(start, axis + 3 + metrics.ascent()), text)
        painter.end()

    def _paint_runs(self, painter: QPainter, side: RunsOfSide, middle: float, axis: float) -> None:
        if not side.speeds:
            return
        colour = QColor(getattr(self._theme.colours, side.role))
        pale = QColor(colour)
        pale.setAlphaF(0.35)
        low, high = self.place_of(min(side.speeds)), self.place_of(max(side.speeds))
        painter.setPen(QPen(pale, 2))
        painter.drawLine(QPointF(low, middle), QPointF(high, middle))
        at = self.place_of(median(side.speeds))
        painter.setPen(QPen(pale, 1))
        painter.drawLine(QPointF(at, middle), QPointF(at, axis))
        colour.setAlphaF(0.8)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        for speed in side.speeds:
            painter.drawEllipse(QPointF(self.place_of(speed), middle), _DOT, _DOT)

    def median_labels(self) -> list[tuple[float, str, str]]:
        """Labels from the left, moved apart where they would touch: where each begins, its text, its role."""
        metrics = QFontMetricsF(self._theme.body_font(_SMALL))
        placed: list[tuple[float, str, str]] = []
        end = self._axis_left() + metrics.horizontalAdvance(_ZERO) + _APART
        measured = [(median(side.speeds), side.role) for side in self._sides if side.speeds]
        for middle, role in sorted(measured):
            text = f"{middle:.1f}"
            wide = metrics.horizontalAdvance(text)
            start = max(self.place_of(middle) - wide / 2, end)
            end = start + wide + _APART
            placed.append((start, text, role))
        beyond = max(0.0, end - _APART - self.width())
        return [(start - beyond, text, role) for start, text, role in placed]

    def _axis_left(self) -> float:
        metrics = QFontMetricsF(self._theme.body_font(12))
        widest = max((metrics.horizontalAdvance(side.name) for side in self._sides), default=0.0)
        return min(widest, _NAMES, self.width() / 3) + 16

    def _words(self, side: RunsOfSide) -> str:
        if not side.speeds:
            return self.tr("{name}: no speed").format(name=side.name)
        if len(side.speeds) == 1:
            words = self.tr("{name}: {speed} tok/s, one run")
            return words.format(name=side.name, speed=f"{side.speeds[0]:.1f}")
        return self.tr("{name}: median {median} tok/s of {count} runs, {low} to {high}: {all}").format(
            name=side.name,
            median=f"{median(side.speeds):.1f}",
            count=len(side.speeds),
            low=f"{min(side.speeds):.1f}",
            high=f"{max(side.speeds):.1f}",
            all=", ".join(f"{speed:.1f}" for speed in side.speeds),
        )
