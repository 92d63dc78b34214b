"""Paragraphs and tables written into a document of Qt's, and where in it the draft's characters are."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFrameFormat,
    QTextLength,
    QTextTable,
    QTextTableCellFormat,
    QTextTableFormat,
)

from app.ui.colours import Colours
from app.ui.draft_marks import DraftMarks, Mark
from app.ui.markdown_parts import Alignment, Run, TableBlock, TextBlock
from app.ui.shown_text import utf16_length
from app.ui.text_formats import LINE_HEIGHT, LIST_INDENT, PARAGRAPH_GAP, QUOTE_INDENT, WRITTEN, TextFormats

_LINE_BREAK = "\u2028"  # within a paragraph
_ALIGNMENTS = {
    Alignment.LEFT: Qt.AlignmentFlag.AlignLeft,
    Alignment.CENTRE: Qt.AlignmentFlag.AlignHCenter,
    Alignment.RIGHT: Qt.AlignmentFlag.AlignRight,
}


class TextWriter:
    """Appends to a document. `marks` are those of the answer; places found in the document are returned."""

    def __init__(self, formats: TextFormats, colours: Colours, marks: DraftMarks) -> None:
        self._formats = formats
        self._colours = colours
        self._marks = marks
        self._found: list[Mark] = []

    def write(self, document: QTextDocument, blocks: Sequence[TextBlock | TableBlock]) -> list[Mark]:
        """Writes blocks at the end."""
        self._found = []
        cursor = QTextCursor(document)
        cursor.beginEditBlock()
        for block in blocks:
            cursor.movePosition(QTextCursor.MoveOperation.End)
            if isinstance(block, TableBlock):
                self._write_table(cursor, block)
            else:
                self._write_block(cursor, block)
        cursor.endEditBlock()
        return self._found

    def _write_block(self, cursor: QTextCursor, block: TextBlock) -> None:
        made = self._formats.block(block)
        if cursor.position() == 0:
            made.setTopMargin(0)
            cursor.setBlockFormat(made)
        elif not cursor.blockFormat().property(WRITTEN):  # the block that is behind every table
            cursor.setBlockFormat(made)
        else:
            cursor.insertBlock(made, QTextCharFormat())
        cursor.setBlockCharFormat(QTextCharFormat())
        if block.marker is not None:
            cursor.createList(self._formats.list_item(block.marker, block.place))
            cursor.setBlockCharFormat(self._formats.marker())
        if not block.runs:
            cursor.insertText(" ")  # Qt gives an empty block behind a table no room at all
        top = self._formats.heading(block.level) if block.level else None
        self._write_runs(cursor, block.runs, top, quoted=block.place.quotes > 0)

    def _write_runs(
        self, cursor: QTextCursor, runs: Sequence[Run], top: QTextCharFormat | None, *, quoted: bool
    ) -> None:
        for run in runs:
            made = self._formats.characters(run, quoted)
            if top is not None:
                made = QTextCharFormat(made)
                made.merge(top)
            start = cursor.position()
            cursor.insertText(run.text.replace("\n", _LINE_BREAK), made)
            if run.source is not None:
                self._found += self._marked(run, run.source, start)

    def _marked(self, run: Run, source: int, start: int) -> list[Mark]:
        """The marks of a run that begins at `start` in the document."""
        found = self._marks.within(source, source + run.length)
        if not found:
            return []
        if run.length != len(run.text):  # it stands for other characters, as a whole
            return [(start, start + utf16_length(run.text), found[0][2])]
        return [
            (
                start + utf16_length(run.text[: first - source]),
                start + utf16_length(run.text[: last - source]),
                number,
            )
            for first, last, number in found
        ]

    def _write_table(self, cursor: QTextCursor, block: TableBlock) -> None:
        columns = len(block.alignments)
        first = cursor.position() == 0
        table = cursor.insertTable(len(block.rows), columns, self._table_format(block, first))
        for row, cells in enumerate(block.rows):
            for column, runs in enumerate(cells[:columns]):
                self._write_cell(table, row, column, runs, block.alignments[column])

    def _write_cell(
        self, table: QTextTable, row: int, column: int, runs: Sequence[Run], alignment: Alignment
    ) -> None:
        cell = table.cellAt(row, column)
        look = QTextTableCellFormat()
        look.setPadding(6)
        look.setLeftPadding(0 if column == 0 else 12)
        look.setBottomBorder(1)
        look.setBottomBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        look.setBottomBorderBrush(self._colours.line)
        cell.setFormat(look)
        cursor = cell.firstCursorPosition()
        paragraph = QTextBlockFormat()
        paragraph.setAlignment(_ALIGNMENTS[alignment])
        paragraph.setLineHeight(LINE_HEIGHT - 3, QTextBlockFormat.LineHeightTypes.MinimumHeight.value)
        cursor.setBlockFormat(paragraph)
        head = self._formats.heading(4) if row == 0 else None
        self._write_runs(cursor, runs, head, quoted=False)

    def _table_format(self, block: TableBlock, first: bool) -> QTextTableFormat:
        made = QTextTableFormat()
        made.setBorder(0)
        made.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_None)
        made.setCellSpacing(0)
        made.setCellPadding(0)
        made.setTopMargin(0 if first else PARAGRAPH_GAP)
        made.setBottomMargin(PARAGRAPH_GAP)
        made.setLeftMargin(LIST_INDENT * block.place.lists + QUOTE_INDENT * block.place.quotes)
        made.setHeaderRowCount(1)
        made.setColumnWidthConstraints(
            [QTextLength(QTextLength.Type.VariableLength, 0)] * len(block.alignments)
        )
        return made
