"""A heading that shows or hides what is below it."""

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from app.ui.icons import Icons
from app.ui.theme import Theme

_HEIGHT, _FONT, _GAP, _ARROW = 28, 15, 8, 16  # pixels


class Disclosure(QAbstractButton):
    """Checked while open; a line runs from the words to the end. `toggled` tells of changes."""

    def __init__(
        self, text: str, name: str, theme: Theme, icons: Icons, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._icons = icons
        self.setText(text)
        self.setObjectName(name)
        self.setAccessibleName(text)
        self.setCheckable(True)
        self.setChecked(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """Any width will do."""
        return QSize(160, _HEIGHT)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paints the words, an arrow, the line, and the focus."""
        colours = self._theme.colours
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = self._theme.body_font(_FONT, strong=True)
        painter.setFont(font)
        painter.setPen(colours.text)
        area = QRectF(self.rect())
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self.text())
        left = QFontMetrics(font).horizontalAdvance(self.text()) + _GAP // 2
        arrow = self._icons.icon("chevron" if self.isChecked() else "chevron-right")
        arrow.paint(painter, QRect(left, (self.height() - _ARROW) // 2, _ARROW, _ARROW))
        end = left + _ARROW + _GAP
        painter.fillRect(QRectF(end, self.height() // 2, self.width() - end, 1), colours.line)
        if self.hasFocus():
            painter.setPen(colours.accent)
            painter.drawRoundedRect(QRectF(0.5, 0.5, end - 1, self.height() - 1), 6, 6)
        painter.end()
