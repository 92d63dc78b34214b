"""A field for text of several lines that is as high as its text."""

from math import ceil

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QPlainTextEdit

from app.ui.theme import Theme

_MARGIN = 2  # pixels, around the text


class GrowingField(QPlainTextEdit):
    """Plain text that grows from one line to `most_lines`, then scrolls. Its frame is drawn by its owner."""

    focus_changed = Signal()

    def __init__(self, theme: Theme, name: str, most_lines: int) -> None:
        super().__init__()
        self._most_lines = most_lines
        self.setObjectName(name)
        self.setProperty("bare", True)
        self.setFont(theme.body_font())
        self.setTabChangesFocus(True)
        self.document().setDocumentMargin(_MARGIN)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().documentLayout().documentSizeChanged.connect(self._fit)
        self._fit()

    @property
    def is_composing(self) -> bool:
        """Whether keys are part of a character that is being put together."""
        return bool(self.textCursor().block().layout().preeditAreaText())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Leaves out a line at the bottom that there is not room enough for."""
        room = QRect(0, 0, self.viewport().width(), self._whole_lines())
        super().paintEvent(QPaintEvent(event.region() & room))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width breaks the lines elsewhere, of which Qt does not tell."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit()

    def _whole_lines(self) -> int:
        """How far down the lines reach that can be seen as a whole, in pixels."""
        height = self.viewport().height()
        block = self.firstVisibleBlock()
        top = self.blockBoundingGeometry(block).translated(self.contentOffset()).top()
        bottom = 0
        while block.isValid():
            for number in range(block.layout().lineCount()):
                line = block.layout().lineAt(number)
                end = ceil(top + line.y() + line.height())
                if end > height:
                    return bottom or height
                bottom = end
            top += self.blockBoundingRect(block).height()
            block = block.next()
        return height

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Tells the owner."""
        super().focusInEvent(event)
        self.focus_changed.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Tells the owner."""
        super().focusOutEvent(event)
        self.focus_changed.emit()

    def sizeHint(self) -> QSize:
        """As high as the text."""
        return QSize(200, self._wanted_height())

    def _wanted_height(self) -> int:
        """Whole lines, as high as they are laid out: not all of them are as high as the font says."""
        block = self.document().begin()
        height, lines = 0.0, 0
        while block.isValid() and lines < self._most_lines:
            self.document().documentLayout().blockBoundingRect(block)  # lays the block out
            laid_out = block.layout()
            shown = min(laid_out.lineCount(), self._most_lines - lines)
            height += sum(laid_out.lineAt(number).height() for number in range(shown))
            lines += shown
            block = block.next()
        least = self.fontMetrics().lineSpacing()
        return max(least, ceil(height)) + 2 * _MARGIN + 1  # without the last one Qt finds it too low

    def _fit(self) -> None:
        height = self._wanted_height()
        many = self.document().size().height() > self._most_lines
        policy = Qt.ScrollBarPolicy
        self.setVerticalScrollBarPolicy(policy.ScrollBarAsNeeded if many else policy.ScrollBarAlwaysOff)
        if height != self.height():
            self.setFixedHeight(height)
