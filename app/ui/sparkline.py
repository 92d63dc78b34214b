"""A small line without axes: the speed of the last minute."""

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.ui.theme import Theme

_HEIGHT = 36  # pixels
_STROKE = 1.5
_HEADROOM = 1.1


class Sparkline(QWidget):
    """Speeds in tok/s, from the oldest on the left to the newest; the bottom is zero."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._values: tuple[float, ...] = ()
        self.setObjectName("speed_line")
        self.setAccessibleName(self.tr("Speed in the last minute"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._describe()
        theme.changed.connect(self.update)

    @property
    def values(self) -> tuple[float, ...]:
        """What is drawn."""
        return self._values

    def show_values(self, values: tuple[float, ...]) -> None:
        """Draws other speeds."""
        if values != self._values:
            self._values = values
            self._describe()
            self.update()

    def sizeHint(self) -> QSize:
        """Any width will do."""
        return QSize(120, _HEIGHT)

    def points(self) -> list[QPointF]:
        """The corners of the line in the widget; empty where there is nothing to draw."""
        highest = max(self._values, default=0.0)
        if highest <= 0.0 or len(self._values) < 2:
            return []
        step = (self.width() - _STROKE) / (len(self._values) - 1)
        bottom = self.height() - _STROKE
        slope = (bottom - _STROKE) / (highest * _HEADROOM)
        return [
            QPointF(_STROKE / 2 + number * step, bottom - value * slope)
            for number, value in enumerate(self._values)
        ]

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paints the line, or a faint one at zero."""
        colours = self._theme.colours
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        points = self.points()
        if points:
            pen = QPen(colours.accent, _STROKE)
            pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            painter.setPen(pen)
            painter.drawPolyline(QPolygonF(points))
        else:
            painter.setPen(QPen(colours.line, _STROKE))
            bottom = self.height() - _STROKE
            painter.drawLine(QPointF(0, bottom), QPointF(self.width(), bottom))
        painter.end()

    def _describe(self) -> None:
        highest = max(self._values, default=0.0)
        self.setAccessibleDescription(
            self.tr("At most {highest} tokens per second").format(highest=f"{highest:.1f}")
            if highest > 0.0
            else self.tr("Nothing was generated")
        )
