"""Paragraphs, lists and tables of an answer."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPaintEvent, QTextCharFormat
from PySide6.QtWidgets import QWidget

from app.ui.draft_marks import DraftMarks, difference_format
from app.ui.markdown_parts import BlockKind, TableBlock, TextBlock
from app.ui.text_formats import PARAGRAPH_GAP, QUOTE_DEPTH, QUOTE_INDENT, RULE, TextFormats, gap_above
from app.ui.text_view import TextView
from app.ui.text_writer import TextWriter
from app.ui.theme import Theme

_BAR_WIDTH = 3

Prose = TextBlock | TableBlock


class ProseView(TextView):
    """Shows blocks that are added to it."""

    def __init__(self, theme: Theme, marks: DraftMarks, parent: QWidget | None = None) -> None:
        super().__init__("prose", marks.words, parent)
        self.setAccessibleName(self.tr("Answer"))
        self._theme = theme
        self._draft = marks
        self._blocks: list[Prose] = []
        self._has_lines = False
        self.setFont(theme.body_font())
        self.document().setDefaultFont(theme.body_font())
        self.document().setIndentWidth(24)

    @property
    def blocks(self) -> Sequence[Prose]:
        """What it shows."""
        return self._blocks

    @property
    def gap(self) -> int:
        """How far it wants to keep from what is above it."""
        first = self._blocks[0] if self._blocks else None
        return gap_above(first) if isinstance(first, TextBlock) else PARAGRAPH_GAP

    @property
    def difference_look(self) -> QTextCharFormat:
        """Texts are compared on cards."""
        return difference_format(self._theme.colours, self._theme.colours.panel)

    def write(self, blocks: Sequence[Prose], formats: TextFormats) -> None:
        """Adds blocks at the end."""
        self.document().setTextWidth(self.width())
        known = self.document().blockCount() - 1 if self._blocks else 0
        self._blocks += blocks
        self._has_lines = self._has_lines or any(map(_has_lines, blocks))
        writer = TextWriter(formats, self._theme.colours, self._draft)
        found = writer.write(self.document(), blocks)
        self.set_marks(found, len(self.marks))
        if found and (self._mark_format is not None or self.difference is not None):
            self.paint_blocks(known)

    def rewrite(self, blocks: Sequence[Prose], formats: TextFormats) -> None:
        """Shows these blocks in place of all others."""
        self.document().clear()
        self._blocks = []
        self._has_lines = False
        self.set_marks([])
        self.write(blocks, formats)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draws the bars beside quotes, and rules."""
        if self._has_lines:
            self._paint_lines()
        super().paintEvent(event)

    def _paint_lines(self) -> None:
        painter = QPainter(self.viewport())
        layout = self.document().documentLayout()
        block = self.document().begin()
        bottoms: dict[int, float] = {}  # of the bars above, by depth
        while block.isValid():
            depth = int(block.blockFormat().property(QUOTE_DEPTH) or 0)
            where = layout.blockBoundingRect(block)
            text = block.layout().boundingRect()  # lines are low in the room that they have
            bottom = where.top() + text.bottom() + 2
            for level in range(depth):
                top = bottoms.get(level, where.top() + text.top() - 2)
                bar = QRectF(level * QUOTE_INDENT, top, _BAR_WIDTH, bottom - top)
                painter.fillRect(bar, self._theme.colours.line)
            if block.blockFormat().property(RULE):
                rule = QRectF(where.left(), where.top(), self.width() - where.left(), 1)
                painter.fillRect(rule, self._theme.colours.line)
            bottoms = dict.fromkeys(range(depth), bottom)
            block = block.next()
        painter.end()


def _has_lines(block: Prose) -> bool:
    return bool(block.place.quotes) or (isinstance(block, TextBlock) and block.kind is BlockKind.RULE)
