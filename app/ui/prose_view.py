"""Paragraphs, lists and tables of an answer."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.ui.draft_marks import DraftMarks
from app.ui.markdown_parts import TableBlock, TextBlock
from app.ui.text_formats import PARAGRAPH_GAP, QUOTE_DEPTH, QUOTE_INDENT, TextFormats, gap_above
from app.ui.text_view import TextView
from app.ui.text_writer import TextWriter
from app.ui.theme import Theme

_BAR_WIDTH = 3

Blocks = Sequence[TextBlock | TableBlock]


class ProseView(TextView):
    """Shows blocks that are added to it."""

    def __init__(self, theme: Theme, marks: DraftMarks, parent: QWidget | None = None) -> None:
        super().__init__("prose", marks.words, parent)
        self._theme = theme
        self._draft = marks
        self._blocks: list[TextBlock | TableBlock] = []
        self.setFont(theme.body_font())
        self.document().setDefaultFont(theme.body_font())
        self.document().setIndentWidth(24)

    @property
    def blocks(self) -> Blocks:
        """What it shows."""
        return self._blocks

    @property
    def gap(self) -> int:
        """How far it wants to keep from what is above it."""
        first = self._blocks[0] if self._blocks else None
        return gap_above(first) if isinstance(first, TextBlock) else PARAGRAPH_GAP

    def write(self, blocks: Blocks, formats: TextFormats) -> None:
        """Adds blocks at the end."""
        known = self.document().blockCount() - 1 if self._blocks else 0
        self._blocks += blocks
        writer = TextWriter(formats, self._theme.colours, self._draft)
        found = writer.write(self.document(), blocks)
        self.set_marks(found, len(self.marks))
        if found and self._mark_format is not None:
            self.paint_blocks(known)
        if any(isinstance(block, TextBlock) and any(run.link for run in block.runs) for block in blocks):
            self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def rewrite(self, blocks: Blocks, formats: TextFormats) -> None:
        """Shows these blocks in place of all others."""
        self.document().clear()
        self._blocks = []
        self.set_marks([])
        self.write(blocks, formats)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draws the bars beside quotes."""
        if any(block.place.quotes for block in self._blocks):
            self._paint_bars()
        super().paintEvent(event)

    def _paint_bars(self) -> None:
        painter = QPainter(self.viewport())
        layout = self.document().documentLayout()
        block = self.document().begin()
        bottoms: dict[int, float] = {}  # of the bars above, by depth
        while block.isValid():
            depth = int(block.blockFormat().property(QUOTE_DEPTH) or 0)
            where = layout.blockBoundingRect(block)
            for level in range(depth):
                top = bottoms.get(level, where.top())
                bar = QRectF(level * QUOTE_INDENT, top, _BAR_WIDTH, where.bottom() - top)
                painter.fillRect(bar, self._theme.colours.line)
            bottoms = dict.fromkeys(range(depth), where.bottom())
            block = block.next()
        painter.end()
