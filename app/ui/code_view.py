"""The text of a block of code: lines that do not wrap, with their colours."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextLayout,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QTextBrowser, QWidget

from app.ui.code_colours import Colouring
from app.ui.draft_marks import DraftMarks, Mark, difference_format
from app.ui.markdown_parts import Line
from app.ui.shown_text import utf16_length
from app.ui.text_formats import CODE_LINE_HEIGHT
from app.ui.text_view import TextView, format_range
from app.ui.theme import Theme


class CodeView(TextView):
    """One block of the document for each line."""

    def __init__(self, theme: Theme, marks: DraftMarks, parent: QWidget | None = None) -> None:
        super().__init__("code", marks.words, parent)
        self._theme = theme
        self._draft = marks
        self._lines: list[Line] = []
        self._marks_before: list[int] = []  # how many marks are above each line
        self._colours: list[list[Colouring]] = []
        self._looks: dict[str, QTextCharFormat] = {}
        self.setLineWrapMode(QTextBrowser.LineWrapMode.NoWrap)
        self.setWordWrapMode(QTextOption.WrapMode.NoWrap)
        self.setFont(theme.mono_font(12))
        self.document().setDefaultFont(theme.mono_font(12))
        made = QTextBlockFormat()
        made.setLineHeight(CODE_LINE_HEIGHT, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
        cursor = self.end_cursor()
        cursor.setBlockFormat(made)

    @property
    def lines(self) -> Sequence[Line]:
        """What it shows."""
        return self._lines

    @property
    def difference_look(self) -> QTextCharFormat:
        """On the colour behind code."""
        return difference_format(self._theme.colours, self._theme.colours.code)

    def put_lines(self, at: int, lines: Sequence[Line]) -> None:
        """Shows these lines in place of all from the one with number `at` on."""
        if not lines and at >= len(self._lines):
            return
        cursor = self.end_cursor()
        cursor.beginEditBlock()
        if at < len(self._lines):
            block = self.document().findBlockByNumber(at)
            start = block.position() - 1 if at and not lines else block.position()
            cursor.setPosition(start)
            cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
            cursor.removeSelectedText()
        elif self._lines:
            cursor.insertBlock()
        position = cursor.position()
        cursor.insertText("\n".join(line.text for line in lines))
        cursor.endEditBlock()
        self._lines[at:] = lines
        del self._colours[at:]
        self._colours += [[] for _ in lines]
        self._find_marks(at, lines, position)
        is_seen = self._mark_format is not None or self.difference is not None
        if is_seen and len(self.marks) > (self._marks_before[at] if lines else 0):
            self.paint_blocks(at)

    def colour_lines(self, first: int, colours: Sequence[list[Colouring]]) -> None:
        """Gives lines their colours, from number `first` on; those that have them already are left alone."""
        changed = [
            number
            for number, colouring in enumerate(colours, first)
            if number < len(self._colours) and self._colours[number] != colouring
        ]
        for number in changed:
            self._colours[number] = colours[number - first]
        if changed:
            self.paint_blocks(changed[0], changed[-1])

    def forget_looks(self) -> None:
        """Takes the colours of another theme."""
        self._looks = {}

    def colours_of(self, number: int) -> list[QTextLayout.FormatRange]:
        """The colours of a line."""
        if number >= len(self._colours):
            return []
        text = self._lines[number].text
        if text.isascii():
            return [
                format_range(start, length, self._look(role)) for start, length, role in self._colours[number]
            ]
        return [
            format_range(
                utf16_length(text[:start]), utf16_length(text[start : start + length]), self._look(role)
            )
            for start, length, role in self._colours[number]
        ]

    def _look(self, role: str) -> QTextCharFormat:
        if role not in self._looks:
            made = QTextCharFormat()
            made.setForeground(getattr(self._theme.colours, role))
            self._looks[role] = made
        return self._looks[role]

    def _find_marks(self, at: int, lines: Sequence[Line], position: int) -> None:
        """The marks of new lines, which begin at `position` in the document."""
        kept = self._marks_before[at] if at < len(self._marks_before) else len(self.marks)
        del self._marks_before[at:]
        marks: list[Mark] = []
        for line in lines:
            self._marks_before.append(kept + len(marks))
            text, source = line.text, line.source
            if source is not None:
                for first, last, number in self._draft.within(source, source + len(text)):
                    before, until = utf16_length(text[: first - source]), utf16_length(text[: last - source])
                    marks.append((position + before, position + until, number))
            position += utf16_length(text) + 1
        self.set_marks(marks, kept)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scrolls sideways itself; up and down is the transcript's."""
        sideways = event.angleDelta().x() or (
            event.angleDelta().y() if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 0
        )
        bar = self.horizontalScrollBar()
        if sideways and bar.maximum():
            bar.setValue(bar.value() - sideways // 2)
            event.accept()
        else:
            event.ignore()
