"""A switch: on or off."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from app.ui.theme import Theme

_WIDTH, _HEIGHT, _GAP = 34, 20, 2  # pixels


class ToggleSwitch(QAbstractButton):
    """A checkable button that looks like a switch."""

    def __init__(self, theme: Theme, name: str, accessible: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setObjectName(name)
        self.setAccessibleName(accessible)
        self.setCheckable(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """Its only size, with a margin for the frame that shows the focus."""
        return QSize(_WIDTH + 4, _HEIGHT + 4)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paints the track and the knob."""
        colours = self._theme.colours
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        track = QRectF(2, 2, _WIDTH, _HEIGHT)
        if self.hasFocus():
            painter.setPen(colours.accent)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(track.adjusted(-1.5, -1.5, 1.5, 1.5), 11.5, 11.5)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setOpacity(1.0 if self.isEnabled() else 0.4)
        painter.setBrush(colours.accent if self.isChecked() else colours.line)
        painter.drawRoundedRect(track, _HEIGHT / 2, _HEIGHT / 2)
        knob = _HEIGHT - 2 * _GAP
        left = track.right() - _GAP - knob if self.isChecked() else track.left() + _GAP
        painter.setBrush(colours.knob)
        painter.drawEllipse(QRectF(left, track.top() + _GAP, knob, knob))
        painter.end()
