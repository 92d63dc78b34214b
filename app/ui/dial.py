"""A half-circle that shows the speed of the running answer."""

from typing import Literal

from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.core.rates import RateReading
from app.figures import MISSING
from app.ui.theme import Theme

_SCALES = (5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000)  # tok/s
_SHRINK_BELOW = 0.9  # of the smaller scale, so that a speed at its end does not switch back and forth


DialRole = Literal["accent", "muted"]


class DialSize(Struct, frozen=True):
    """Measures in pixels; baselines from the top. Texts of which the size is 0 are left out."""

    width: int
    height: int
    centre_y: float
    radius: float
    stroke: float
    figure: tuple[int, float]  # font size and baseline
    unit: tuple[int, float]
    caption: tuple[int, float]
    ends: float  # the baseline of the scale's ends, in the caption's size


LARGE = DialSize(200, 146, 100.0, 76.0, 15.0, (36, 90.0), (14, 112.0), (12, 138.0), 124.0)
COMPACT = DialSize(104, 64, 54.0, 46.0, 9.0, (22, 47.0), (10, 62.0), (0, 0.0), 0.0)


def fitting_scale(scale: int, peak: float) -> int:
    """The end of the dial for a minute whose highest speed is `peak`, given its end so far; both in tok/s.

    It grows at once, shrinks when the whole last minute would fit well below, and stays while nothing runs.
    """
    if peak > scale:
        return _smallest(peak)
    return min(scale, _smallest(peak / _SHRINK_BELOW)) if peak > 0.0 else scale


class SpeedDial(QWidget):
    """Tokens per second now, as a figure and an arc, with the average below where there is room for it.

    `role` is that of the arc's colour.
    """

    def __init__(
        self,
        theme: Theme,
        parent: QWidget | None = None,
        *,
        size: DialSize = LARGE,
        role: DialRole = "accent",
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._size = size
        self._role: DialRole = role
        self._figure_font = theme.body_font(size.figure[0], strong=True)
        self._unit_font = theme.body_font(size.unit[0])
        self._caption_font = theme.body_font(size.caption[0] or size.unit[0])
        self._scale = _SCALES[2]
        self._now: float | None = 0.0
        self._is_over = False
        self._average: float | None = None
        self.setObjectName("speed_dial")
        self.setAccessibleName(self.tr("Speed"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._describe()
        theme.changed.connect(self.update)

    @property
    def scale(self) -> int:
        """The speed at the end of the arc, in tok/s."""
        return self._scale

    @property
    def role(self) -> DialRole:
        """That of the arc's colour."""
        return self._role

    @property
    def figure(self) -> str:
        """The speed now, as it is shown."""
        return MISSING if self._now is None else f"{self._now:.1f}"

    @property
    def caption(self) -> str:
        """The words below."""
        if self._average is None:
            return self.tr("now")
        return self.tr("now · {average} average").format(average=f"{self._average:.1f}")

    def show_rates(self, reading: RateReading) -> None:
        """Shows other speeds."""
        before = (self.figure, self.caption, self._scale)
        self._now, self._average, self._is_over = reading.now, reading.average, False
        self._scale = fitting_scale(self._scale, reading.peak)
        if before != (self.figure, self.caption, self._scale):
            self._describe()
            self.update()

    def show_speed(self, speed: float | None, scale: int, *, is_over: bool) -> None:
        """Shows a speed, or that there is none, on a scale that somebody else chose.

        `is_over`: it is that of whole answers, and not of the moment.
        """
        before = (self.figure, self._scale, self._is_over)
        self._now, self._average, self._scale, self._is_over = speed, None, scale, is_over
        if before != (self.figure, self._scale, self._is_over):
            self._describe()
            self.update()

    def set_scale(self, scale: int) -> None:
        """Shows the same speed on another scale."""
        if scale != self._scale:
            self._scale = scale
            self.update()

    def set_role(self, role: DialRole) -> None:
        """Gives the arc another colour."""
        if role != self._role:
            self._role = role
            self.update()

    def sizeHint(self) -> QSize:
        """Its size; wider ones centre the dial."""
        return QSize(self._size.width, self._size.height)

    def minimumSizeHint(self) -> QSize:
        """The same."""
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paints the track, the arc and the words."""
        colours, size = self._theme.colours, self._size
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        centre, radius = QPointF(self.width() / 2, size.centre_y), size.radius
        circle = QRectF(centre.x() - radius, centre.y() - radius, 2 * radius, 2 * radius)
        pen = QPen(colours.raised, size.stroke, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        painter.drawArc(circle, 0, 180 * 16)
        share = min(round(self._now or 0.0, 1) / self._scale, 1.0)
        if share > 0.0:
            pen.setColor(getattr(colours, self._role))
            painter.setPen(pen)
            painter.drawArc(circle, 180 * 16, -round(180 * 16 * share))
        painter.setPen(colours.text)
        painter.setFont(self._figure_font)
        self._write(painter, centre.x(), size.figure[1], self.figure)
        painter.setPen(colours.muted)
        painter.setFont(self._unit_font)
        self._write(painter, centre.x(), size.unit[1], self.tr("tok/s"))
        if size.caption[0]:
            painter.setFont(self._caption_font)
            self._write(painter, centre.x(), size.caption[1], self.caption)
            painter.setPen(colours.faint)
            self._write(painter, centre.x() - radius, size.ends, "0")
            self._write(painter, centre.x() + radius, size.ends, str(self._scale))
        painter.end()

    @staticmethod
    def _write(painter: QPainter, middle: float, baseline: float, text: str) -> None:
        left = middle - painter.fontMetrics().horizontalAdvance(text) / 2
        painter.drawText(QPointF(left, baseline), text)

    def _describe(self) -> None:
        if self._now is None:
            words = self.tr("no speed")
        elif self._is_over:
            words = self.tr("{speed} tokens per second").format(speed=self.figure)
        elif self._average is None:
            words = self.tr("{now} tokens per second now").format(now=self.figure)
        else:
            words = self.tr("{now} tokens per second now, {average} on average").format(
                now=self.figure, average=f"{self._average:.1f}"
            )
        self.setAccessibleDescription(words)


def _smallest(speed: float) -> int:
    return next((step for step in _SCALES if step >= speed), _SCALES[-1])
