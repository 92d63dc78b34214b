"""Buttons that are painted into the last cell of a row: hundreds of rows cost no more than those in sight."""

from collections.abc import Sequence

from msgspec import Struct
from PySide6.QtCore import QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPixmap

from app.ui.icons import Icons
from app.ui.theme import Theme

_HEIGHT = 28  # pixels
_PADDING = 14
_SQUARE = 32
_ICON = 16
_GAP = 4
_MARGIN = 12


class RowButton(Struct, frozen=True):
    """One of them: its name for the program, its words, and an icon that is shown in place of the words."""

    name: str
    text: str
    icon: str = ""


class RowButtons:
    """The same buttons in every row, from the left, ending at the cell's right edge."""

    def __init__(self, theme: Theme, icons: Icons, buttons: Sequence[RowButton]) -> None:
        self._theme = theme
        self._icons = icons
        self._buttons = tuple(buttons)
        self._font = theme.body_font()
        self._widths: dict[str, int] = {}
        self._pictures: dict[tuple[str, str, float], QPixmap] = {}

    def dress(self) -> None:
        """Takes over the theme's fonts and colours, after a change."""
        self._font = self._theme.body_font()
        self._widths.clear()
        self._pictures.clear()

    @property
    def width(self) -> int:
        """Pixels that the cell needs."""
        return sum(self._width(button) + _GAP for button in self._buttons) - _GAP + 2 * _MARGIN

    def places(self, cell: QRect) -> list[tuple[RowButton, QRect]]:
        """Where the buttons lie in a cell."""
        left = cell.right() + 1 - self.width + _MARGIN
        top = cell.top() + (cell.height() - _HEIGHT) // 2
        found = []
        for button in self._buttons:
            width = self._width(button)
            found.append((button, QRect(left, top, width, _HEIGHT)))
            left += width + _GAP
        return found

    def at(self, cell: QRect, point: QPoint) -> RowButton | None:
        """The button under a point."""
        return next((button for button, place in self.places(cell) if place.contains(point)), None)

    def paint(self, painter: QPainter, cell: QRect, hovered: str, pressed: str, paper: QColor) -> None:
        """Paints them on `paper`; `hovered` and `pressed` are a button's name, or empty."""
        colours = self._theme.colours
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._font)
        for button, place in self.places(cell):
            painter.setPen(colours.faint if button.name == hovered else colours.line)
            painter.setBrush(colours.line if button.name == pressed else paper)
            painter.drawRoundedRect(QRectF(place).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)
            if button.icon:
                role = "text" if button.name == hovered else "muted"
                picture = self._picture(button.icon, role, painter.device().devicePixelRatioF())
                corner = place.center() - QPoint(_ICON // 2 - 1, _ICON // 2 - 1)
                painter.drawPixmap(corner, picture)
            else:
                painter.setPen(colours.text)
                painter.drawText(place, Qt.AlignmentFlag.AlignCenter, button.text)

    def _picture(self, icon: str, role: str, ratio: float) -> QPixmap:
        key = (icon, role, ratio)
        if key not in self._pictures:  # drawing one takes a millisecond
            self._pictures[key] = self._icons.pixmap(icon, role, _ICON, ratio)
        return self._pictures[key]

    def _width(self, button: RowButton) -> int:
        if button.icon:
            return _SQUARE
        if button.text not in self._widths:
            width = QFontMetrics(self._font).horizontalAdvance(button.text)
            self._widths[button.text] = width + 2 * _PADDING
        return self._widths[button.text]
