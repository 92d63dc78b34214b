"""What the colours of a chart stand for: words with a dot before each, in as many lines as they need."""

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.ui.form_parts import set_shown
from app.ui.theme import Theme

_FONT, _LINE, _DOT = 12, 18, 8  # pixels
_AFTER_DOT, _BETWEEN = 6, 14


class ChartLegend(QWidget):
    """Each entry is a text and the role of its colour."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._entries: tuple[tuple[str, str], ...] = ()
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        theme.changed.connect(self.update)

    def show_items(self, entries: tuple[tuple[str, str], ...]) -> None:
        """Shows other entries."""
        if entries != self._entries:
            self._entries = entries
            self.setAccessibleName(" · ".join(text for text, _ in entries))
            set_shown(self, bool(entries))
            self.updateGeometry()
            self.update()

    def heightForWidth(self, width: int) -> int:
        """As many lines as the entries take."""
        places = self._places(width)
        return int(places[-1].y()) + _LINE if places else 0

    def sizeHint(self) -> QSize:
        """Room for one line."""
        return QSize(200, self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        """One line at least."""
        return QSize(80, _LINE if self._entries else 0)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paints the dots and the words."""
        colours = self._theme.colours
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = self._theme.body_font(_FONT)
        painter.setFont(font)
        baseline = (_LINE + QFontMetricsF(font).ascent() - QFontMetricsF(font).descent()) / 2
        for (text, role), place in zip(self._entries, self._places(self.width()), strict=True):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(getattr(colours, role))
            painter.drawRoundedRect(int(place.x()), int(place.y()) + (_LINE - _DOT) // 2, _DOT, _DOT, 2, 2)
            painter.setPen(colours.muted)
            painter.drawText(place + QPointF(_DOT + _AFTER_DOT, baseline), text)
        painter.end()

    def _places(self, width: int) -> list[QPointF]:
        metrics = QFontMetricsF(self._theme.body_font(_FONT))
        places = []
        left, top = 0.0, 0.0
        for text, _ in self._entries:
            wide = _DOT + _AFTER_DOT + metrics.horizontalAdvance(text)
            if left and left + wide > width:
                left, top = 0.0, top + _LINE
            places.append(QPointF(left, top))
            left += wide + _BETWEEN
        return places
