"""A choice of one among a few words in a row, each in a small box."""

from collections.abc import Mapping
from enum import StrEnum
from typing import TypeVar

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QSizePolicy, QWidget

from app.ui.theme import Theme
from app.ui.widgets import row

_HEIGHT, _FONT, _PADDING, _RADIUS = 24, 12, 7, 7  # pixels
_GAP = 5

Choice = TypeVar("Choice", bound=StrEnum)


class Chip(QAbstractButton):
    """One of them; checked while it is the choice."""

    def __init__(self, text: str, name: str, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setText(text)
        self.setObjectName(name)
        self.setAccessibleName(text)
        self.setCheckable(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """Room for the words."""
        metrics = QFontMetrics(self._theme.body_font(_FONT))
        return QSize(metrics.horizontalAdvance(self.text()) + 2 * _PADDING, _HEIGHT)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paints the box and the words."""
        colours = self._theme.colours
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        line = colours.accent if self.hasFocus() else Qt.GlobalColor.transparent
        painter.setPen(line)
        painter.setBrush(colours.accent_soft if self.isChecked() else colours.raised)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 1.5, -0.5, -1.5), _RADIUS, _RADIUS)
        ink = colours.accent if self.isChecked() else colours.text if self.underMouse() else colours.muted
        painter.setPen(ink)
        painter.setFont(self._theme.body_font(_FONT))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.text())
        painter.end()


class Chips(QWidget):
    """The arrow keys move the choice. `words` are the choices' values with what people read."""

    value_chosen = Signal(object)  # the value, when a person chose another

    def __init__(
        self,
        name: str,
        accessible: str,
        words: Mapping[Choice, str],
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(accessible)
        self._group = QButtonGroup(self)
        self._values = tuple(words)
        whole = row(spacing=_GAP)
        for number, (value, text) in enumerate(words.items()):
            chip = Chip(text, f"{name}_{value}", theme)
            self._group.addButton(chip, number)
            whole.addWidget(chip)
        whole.addStretch(1)
        self.setLayout(whole)
        self._chosen = 0
        self._group.button(0).setChecked(True)
        self._group.idToggled.connect(self._toggled)

    @property
    def value(self) -> StrEnum:
        """The choice."""
        return self._values[self._chosen]

    def set_value(self, value: StrEnum) -> None:
        """Chooses, without a signal."""
        self._chosen = self._values.index(value)
        self._group.button(self._chosen).setChecked(True)

    def _toggled(self, number: int, checked: bool) -> None:
        if checked and number != self._chosen:
            self._chosen = number
            self.value_chosen.emit(self._values[number])
