"""Text to be read and selected, as high as it needs: the base of paragraphs and of code."""

import html
import sys
from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QEvent, QMimeData, QSize, Qt, QUrl
from PySide6.QtGui import (
    QDesktopServices,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QTextCharFormat,
    QTextCursor,
    QTextLayout,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QScrollArea, QTextBrowser, QToolTip, QWidget

from app.ui.draft_marks import DIFFERENCE, Mark

_BY_TAB = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
_LEAVING = (Qt.FocusReason.MouseFocusReason, *_BY_TAB)
_SCROLLING = (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown, Qt.Key.Key_Space)
_SCHEMES = ("http", "https", "mailto")


class TextView(QTextBrowser):
    """Shows a document of ours. Nothing is ever loaded for it; a link opens in the browser, on a click.

    It does not scroll up and down: whoever holds it gives it the height that it asks for.
    """

    def __init__(self, name: str, words: Callable[[int], str], parent: QWidget | None = None) -> None:
        """`words` tells where a marked piece of text came from."""
        super().__init__(parent)
        self._words = words
        self._marks: list[Mark] = []
        self._mark_starts: list[int] = []
        self._difference: int | None = None  # the number of its mark
        self._mark_format: QTextCharFormat | None = None  # None: marks are not shown
        self.setObjectName(name)
        self.setProperty("bare", True)
        self.setUndoRedoEnabled(False)
        self.setOpenLinks(False)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextBrowserInteraction | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.document().setDocumentMargin(0)
        self.anchorClicked.connect(_open)

    @property
    def marks(self) -> Sequence[Mark]:
        """Places in the document of what a draft supplied, in order, and the number of each span."""
        return self._marks

    @property
    def difference(self) -> tuple[int, int] | None:
        """Where in the document this answer leaves another one; None where it is not known to."""
        if self._difference is None:
            return None
        start, end, _ = self._marks[self._difference]
        return start, end

    @property
    def difference_look(self) -> QTextCharFormat | None:
        """How that place looks."""
        return None

    def show_marks(self, look: QTextCharFormat | None) -> None:
        """Colours what the draft supplied, or (None) nothing. The text stays where it is."""
        self._mark_format = look
        self.paint_blocks(0)

    def set_marks(self, marks: Sequence[Mark], kept: int = 0) -> None:
        """Replaces the marks behind the first `kept`; `paint_blocks` shows them."""
        self._marks[kept:] = marks
        self._mark_starts[kept:] = [start for start, _, _ in marks]
        found = (index for index, mark in enumerate(marks, kept) if mark[2] == DIFFERENCE)
        before = self._difference if self._difference is not None and self._difference < kept else None
        self._difference = next(found, before)

    def paint_blocks(self, first: int, last: int = sys.maxsize) -> None:
        """Colours the blocks of the document from number `first` to `last`."""
        block = self.document().findBlockByNumber(first)
        begin = block.position()
        end = begin
        while block.isValid() and block.blockNumber() <= last:
            ranges = self.colours_of(block.blockNumber()) + self._mark_ranges(
                block.position(), block.length()
            )
            layout = block.layout()
            if ranges or layout.formats():
                layout.setFormats(ranges)
            end = block.position() + block.length()
            block = block.next()
        self.document().markContentsDirty(begin, end - begin)

    def colours_of(self, number: int) -> list[QTextLayout.FormatRange]:
        """Colours of a block besides those of the draft."""
        return []

    def _mark_ranges(self, position: int, length: int) -> list[QTextLayout.FormatRange]:
        if not self._marks or (self._mark_format is None and self._difference is None):
            return []
        ranges = []
        index = max(0, bisect_right(self._mark_starts, position) - 1)
        while index < len(self._marks) and self._marks[index][0] < position + length:
            start, end, number = self._marks[index]
            first, last = max(start, position), min(end, position + length)
            look = self.difference_look if number == DIFFERENCE else self._mark_format
            if first < last and look is not None:
                ranges.append(format_range(first - position, last - first, look))
            index += 1
        return ranges

    def origin_at(self, position: int) -> str:
        """Words about where the character at a place in the document came from; empty if from no draft."""
        index = bisect_right(self._mark_starts, position) - 1
        if index < 0 or position >= self._marks[index][1]:
            return ""
        number = self._marks[index][2]
        return self._words(number) if self._mark_format is not None or number == DIFFERENCE else ""

    def hasHeightForWidth(self) -> bool:
        """It has."""
        return True

    def heightForWidth(self, width: int) -> int:
        """The height of the text at a width."""
        if self.lineWrapMode() is not QTextBrowser.LineWrapMode.NoWrap:
            self.document().setTextWidth(width)
            if self.document().textWidth() != width:  # a resize that was still to come has set its own
                self.document().setTextWidth(width)
        return int(self.document().size().height() + 0.999)

    def sizeHint(self) -> QSize:
        """As wide as the longest line, if there is room."""
        return QSize(int(self.document().idealWidth() + 1), self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        """As narrow as one likes."""
        return QSize(0, 0)

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        """Loads nothing, whatever a document asks for."""
        return None

    def createMimeDataFromSelection(self) -> QMimeData:
        """Copies text without its look."""
        data = QMimeData()
        data.setText(self.textCursor().selection().toPlainText())
        return data

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leaves the wheel to the transcript."""
        event.ignore()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Moves the cursor, selects and copies; leaves whole pages to the transcript."""
        if event.key() in _SCROLLING and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            event.ignore()
            return
        super().keyPressEvent(event)
        self._show_cursor()

    def _show_cursor(self) -> None:
        """What scrolls around this view shows where the cursor is."""
        around = self.parentWidget()
        while around is not None and not isinstance(around, QScrollArea):
            around = around.parentWidget()
        inside = around.widget() if around is not None else None
        if around is not None and inside is not None:
            place = self.viewport().mapTo(inside, self.cursorRect().center())
            around.ensureVisible(place.x(), place.y(), 0, 2 * self.cursorRect().height())

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The keyboard begins at the top."""
        super().focusInEvent(event)
        if event.reason() in _BY_TAB and not self.textCursor().hasSelection():
            self.moveCursor(QTextCursor.MoveOperation.Start)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Drops the selection when something else is chosen: there is one at a time."""
        super().focusOutEvent(event)
        if event.reason() in _LEAVING:
            cursor = self.textCursor()
            cursor.clearSelection()
            self.setTextCursor(cursor)

    def viewportEvent(self, event: QEvent) -> bool:
        """Tells a link's address, or where a piece of text came from."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            words = self.anchorAt(event.pos()) or self._origin_under(event)
            if words:
                QToolTip.showText(event.globalPos(), f"<qt>{html.escape(words)}</qt>", self)
            else:
                QToolTip.hideText()
            return True
        return super().viewportEvent(event)

    def _origin_under(self, event: QHelpEvent) -> str:
        layout = self.document().documentLayout()
        at = event.pos()
        at.setX(at.x() + self.horizontalScrollBar().value())
        position = layout.hitTest(at.toPointF(), Qt.HitTestAccuracy.ExactHit)
        return self.origin_at(position) if position >= 0 else ""

    def end_cursor(self) -> QTextCursor:
        """A cursor behind all text."""
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        return cursor


def format_range(start: int, length: int, look: QTextCharFormat) -> QTextLayout.FormatRange:
    """A stretch of a block with a look of its own."""
    made = QTextLayout.FormatRange()
    made.start = start
    made.length = length
    made.format = look
    return made


def _open(address: QUrl) -> None:
    if address.scheme().lower() in _SCHEMES:
        QDesktopServices.openUrl(address)
