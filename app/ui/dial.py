"""A half-circle that shows the speed of the running answer."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.core.rates import RateReading
from app.ui.theme import Theme

_SCALES = (5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000)  # tok/s
_SHRINK_BELOW = 0.9  # of the smaller scale, so that a speed at its end does not switch back and forth
_WIDTH, _HEIGHT = 200, 146  # pixels
_CENTRE_Y, _RADIUS, _STROKE = 100.0, 76.0, 15.0


def fitting_scale(scale: int, peak: float) -> int:
    """The end of the dial for a minute whose highest speed is `peak`, given its end so far; both in tok/s.

    It grows at once, shrinks when the whole last minute would fit well below, and stays while nothing runs.
    """
    if peak > scale:
        return _smallest(peak)
    return min(scale, _smallest(peak / _SHRINK_BELOW)) if peak > 0.0 else scale


class SpeedDial(QWidget):
    """Tokens per second now, as a figure and an arc, with the average below."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._figure_font = theme.body_font(36, strong=True)
        self._unit_font = theme.body_font(14)
        self._caption_font = theme.body_font(12)
        self._scale = _SCALES[2]
        self._now = 0.0
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
    def figure(self) -> str:
        """The speed now, as it is shown."""
        return f"{self._now:.1f}"

    @property
    def caption(self) -> str:
        """The words below."""
        if self._average is None:
            return self.tr("now")
        return self.tr("now · {average} average").format(average=f"{self._average:.1f}")

    def show_rates(self, reading: RateReading) -> None:
        """Shows other speeds."""
        before = (self.figure, self.caption, self._scale)
        self._now, self._average = reading.now, reading.average
        self._scale = fitting_scale(self._scale, reading.peak)
        if before != (self.figure, self.caption, self._scale):
            self._describe()
            self.update()

    def sizeHint(self) -> QSize:
        """Its size; wider ones centre the dial."""
        return QSize(_WIDTH, _HEIGHT)

    def minimumSizeHint(self) -> QSize:
        """The same."""
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paints the track, the arc and the words."""
        colours = self._theme.colours
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        centre = QPointF(self.width() / 2, _CENTRE_Y)
        circle = QRectF(centre.x() - _RADIUS, centre.y() - _RADIUS, 2 * _RADIUS, 2 * _RADIUS)
        pen = QPen(colours.raised, _STROKE, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        painter.drawArc(circle, 0, 180 * 16)
        share = min(float(self.figure) / self._scale, 1.0)
        if share > 0.0:
            pen.setColor(colours.accent)
            painter.setPen(pen)
            painter.drawArc(circle, 180 * 16, -round(180 * 16 * share))
        painter.setPen(colours.text)
        painter.setFont(self._figure_font)
        self._write(painter, centre.x(), 90, self.figure)
        painter.setPen(colours.muted)
        painter.setFont(self._unit_font)
        self._write(painter, centre.x(), 112, self.tr("tok/s"))
        painter.setFont(self._caption_font)
        self._write(painter, centre.x(), 138, self.caption)
        painter.setPen(colours.faint)
        self._write(painter, centre.x() - _RADIUS, 124, "0")
        self._write(painter, centre.x() + _RADIUS, 124, str(self._scale))
        painter.end()

    @staticmethod
    def _write(painter: QPainter, middle: float, baseline: float, text: str) -> None:
        left = middle - painter.fontMetrics().horizontalAdvance(text) / 2
        painter.drawText(QPointF(left, baseline), text)

    def _describe(self) -> None:
        if self._average is None:
            words = self.tr("{now} tokens per second now").format(now=self.figure)
        else:
            words = self.tr("{now} tokens per second now, {average} on average").format(
                now=self.figure, average=f"{self._average:.1f}"
            )
        self.setAccessibleDescription(words)


def _smallest(speed: float) -> int:
    return next((step for step in _SCALES if step >= speed), _SCALES[-1])
