"""Parts of forms: captions over fields, rows with a control at the end, and boxes with choices."""

from collections.abc import Sequence
from typing import Generic, TypeVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QSlider, QVBoxLayout, QWidget

from app.ui.widgets import column, label, row

T = TypeVar("T")

_KNOB_HEIGHT = 20  # pixels


class ChoiceBox(QComboBox, Generic[T]):
    """One of several values. The wheel changes it only where it has the focus, so that pages can scroll."""

    value_chosen = Signal()  # by the person

    def __init__(
        self, name: str, accessible: str, choices: Sequence[tuple[T, str]], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(accessible)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._values = [value for value, _ in choices]
        self.addItems([text for _, text in choices])
        self.activated.connect(lambda _: self.value_chosen.emit())

    @property
    def value(self) -> T:
        """What is chosen."""
        return self._values[self.currentIndex()]

    def set_value(self, value: T) -> None:
        """Chooses, without a signal."""
        self.setCurrentIndex(self._values.index(value))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Changes the choice only where it is meant."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class CalmSlider(QSlider):
    """A slider that the wheel moves only where it has the focus, high enough for its knob."""

    def __init__(self, orientation: Qt.Orientation, parent: QWidget | None = None) -> None:
        super().__init__(orientation, parent)
        self.setMinimumHeight(_KNOB_HEIGHT)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Moves only where it is meant."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


def captioned(text: str, control: QWidget, *beside: QWidget) -> QVBoxLayout:
    """A caption over a control, which it names; `beside` stand on the control's left."""
    caption = label(text, size="small", tone="muted")
    caption.setBuddy(control)
    return column(caption, row(*beside, control, spacing=12), spacing=4)


def ended_by(text: str, control: QWidget, *, strong: bool = False, width: int | None = None) -> QHBoxLayout:
    """A caption with its control at the end of the line."""
    caption = label(text, strong=strong)
    caption.setBuddy(control)
    if width is not None:
        control.setFixedWidth(width)
    return row(caption, None, control)


def set_shown(part: QWidget, shown: bool) -> None:
    """Shows or hides, where that is a change: Qt styles and lays out anew whatever it is told to show."""
    was_told = part.testAttribute(Qt.WidgetAttribute.WA_WState_ExplicitShowHide)  # else it will be shown
    if (was_told and part.isHidden()) is shown:
        part.setVisible(shown)


def show_line(line: QLabel, text: str) -> None:
    """Shows a text, or nothing that takes room."""
    if line.text() != text:
        line.setText(text)
    set_shown(line, bool(text))
