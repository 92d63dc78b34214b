"""Small parts that every page is made of. Their look comes from the style sheet, by their properties."""

from collections.abc import Sequence
from typing import Literal

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QIcon, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.ui.plain_tip import plain_tip

Size = Literal["body", "small", "heading", "title"]
Tone = Literal["text", "muted", "faint", "accent", "warning", "bad", "good"]
Kind = Literal["plain", "primary", "quiet", "danger", "tab"]
Item = QWidget | QLayout | int | None

QUIET_INSET = 11  # pixels between the edge of a small quiet button, which is not seen, and its words


def label(
    text: str = "", *, size: Size = "body", tone: Tone = "text", strong: bool = False, wrap: bool = False
) -> QLabel:
    """Plain text; what a model's name contains is never taken for markup."""
    made = QLabel(text)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setProperty("text_size", size)
    made.setProperty("tone", tone)
    made.setProperty("strong", strong)
    made.setWordWrap(wrap)
    return made


def button(text: str, name: str, *, kind: Kind = "plain", small: bool = False) -> QPushButton:
    """A button; `name` is its object name."""
    made = QPushButton(text)
    made.setObjectName(name)
    made.setProperty("kind", kind)
    made.setProperty("small", small)
    made.setAccessibleName(text)
    made.setCursor(Qt.CursorShape.PointingHandCursor)
    made.setAutoDefault(False)
    return made


def icon_button(icon: QIcon, name: str, accessible: str, *, small: bool = False) -> QToolButton:
    """A square button with a picture; `accessible` names it for screen readers and in its tooltip."""
    made = QToolButton()
    made.setObjectName(name)
    made.setIcon(icon)
    made.setIconSize(QSize(16, 16))
    made.setProperty("square", True)
    made.setProperty("kind", "quiet")
    made.setProperty("small", small)
    made.setAccessibleName(accessible)
    made.setToolTip(plain_tip(accessible))
    made.setCursor(Qt.CursorShape.PointingHandCursor)
    made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return made


def set_property(widget: QWidget, name: str, value: object) -> None:
    """Changes a property that the style sheet looks at."""
    if widget.property(name) != value:
        widget.setProperty(name, value)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


class Tag(QLabel):
    """A word in a small box."""

    def __init__(self, text: str, *, tone: Tone = "text", accent: bool = False) -> None:
        super().__init__(text)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("tag", True)
        self.setProperty("tone", "accent" if accent else tone)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Maximum)


class Card(QFrame):
    """A box with round corners on the panel's colour."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("card", True)


class ElidedLabel(QLabel):
    """One line of plain text that is cut with an ellipsis where it does not fit; the tooltip has it all."""

    def __init__(
        self,
        text: str = "",
        *,
        size: Size = "body",
        tone: Tone = "text",
        strong: bool = False,
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
    ) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("text_size", size)
        self.setProperty("tone", tone)
        self.setProperty("strong", strong)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._mode = mode
        self._least: QSize | None = None
        self._whole = ""
        self.set_text(text)

    @property
    def whole_text(self) -> str:
        """The text as it was given."""
        return self._whole

    def set_text(self, text: str) -> None:
        """Shows another text."""
        if text == self._whole and text:
            return
        self._whole = text
        self.setAccessibleName(text)
        self._fit()

    def sizeHint(self) -> QSize:
        """Room for the whole text."""
        hint = super().sizeHint()
        return QSize(self.fontMetrics().horizontalAdvance(self._whole) + 2, hint.height())

    def minimumSizeHint(self) -> QSize:
        """Room for a few letters. Layouts ask for it again and again, and the style takes its time."""
        if self._least is None:
            width = self.fontMetrics().horizontalAdvance("MMM…")
            self._least = QSize(width, super().minimumSizeHint().height())
        return self._least

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Cuts anew."""
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        """Cuts anew for another font."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._least = None
            self._fit()

    def _fit(self) -> None:
        shown = self.fontMetrics().elidedText(self._whole, self._mode, max(self.width(), 0))
        if shown != self.text():
            self.setText(shown)
        self.setToolTip(plain_tip(self._whole) if shown != self._whole else "")


def hairline(*, vertical: bool = False) -> QFrame:
    """A line of one pixel."""
    made = QFrame()
    made.setProperty("hairline", True)
    if vertical:
        made.setFixedWidth(1)
    else:
        made.setFixedHeight(1)
    return made


def row(*items: Item, spacing: int = 8, margins: Sequence[int] = (0, 0, 0, 0)) -> QHBoxLayout:
    """Items from left to right; a number is a fixed gap in pixels, None takes all room that is left."""
    made = QHBoxLayout()
    _fill(made, items, spacing, margins)
    return made


def column(*items: Item, spacing: int = 8, margins: Sequence[int] = (0, 0, 0, 0)) -> QVBoxLayout:
    """The same from top to bottom."""
    made = QVBoxLayout()
    _fill(made, items, spacing, margins)
    return made


def _fill(layout: QBoxLayout, items: Sequence[Item], spacing: int, margins: Sequence[int]) -> None:
    left, top, right, bottom = margins
    layout.setContentsMargins(left, top, right, bottom)
    layout.setSpacing(spacing)
    for item in items:
        if item is None:
            layout.addStretch(1)
        elif isinstance(item, int):
            layout.addSpacing(item)
        elif isinstance(item, QWidget):
            layout.addWidget(item)
        else:
            layout.addLayout(item)
