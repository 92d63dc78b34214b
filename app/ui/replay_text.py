"""The answer so far in a replay: drafted tokens underlined, those of the round in colour."""

from collections.abc import Sequence

from PySide6.QtGui import QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QSizePolicy, QTextEdit, QWidget

from app.core.replay import Piece, pieces_of
from app.core.trace import TracedRound
from app.ui.shown_text import shown
from app.ui.theme import Theme


class ReplayText(QTextEdit):
    """Grows and shrinks round by round; only what changes is written."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._rounds: tuple[TracedRound, ...] = ()
        self._ends: list[int] = []  # of each round that is written, in the document
        self._count = 0  # rounds that are shown
        self._shows_round = False
        self.setObjectName("replay_text")
        self.setAccessibleName(self.tr("The answer so far"))
        self.setReadOnly(True)
        self.setProperty("bare", True)
        self.setUndoRedoEnabled(False)
        self.document().setDocumentMargin(0)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        theme.changed.connect(self._rewrite)

    def show_trace(self, rounds: Sequence[TracedRound]) -> None:
        """Another answer, or more of the same; nothing of another one is shown yet."""
        before, self._rounds = self._rounds, tuple(rounds)
        if not before or self._rounds[: len(before)] != before:
            self._count = 0
            self._rewrite()

    def show_until(self, count: int, *, with_last: bool) -> None:
        """The first `count` rounds; the last of them in colour, or not there yet."""
        self._count, self._shows_round = count, with_last
        self._write()

    def _rewrite(self) -> None:
        self.clear()
        self._ends = []
        self._write()

    def _write(self) -> None:
        wanted = self._count if self._shows_round else max(self._count - 1, 0)
        cursor = QTextCursor(self.document())
        if wanted < len(self._ends):
            cursor.setPosition(self._ends[wanted - 1] if wanted else 0)
            cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
            cursor.removeSelectedText()
            del self._ends[wanted:]
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.beginEditBlock()
        for round_ in self._rounds[len(self._ends) : wanted]:
            for piece in pieces_of(round_):
                cursor.insertText(shown(piece.text), self._format(piece))
            self._ends.append(cursor.position())
        cursor.endEditBlock()
        self._colour_last()
        cursor.movePosition(QTextCursor.MoveOperation.End)
        self.setTextCursor(cursor)
        self.ensureCursorVisible()

    def _colour_last(self) -> None:
        if not self._shows_round or not self._ends:
            self.setExtraSelections([])
            return
        selection = QTextEdit.ExtraSelection()
        selection.format = QTextCharFormat()
        selection.format.setBackground(self._theme.colours.accent_soft)
        cursor = QTextCursor(self.document())
        cursor.setPosition(self._ends[-2] if len(self._ends) > 1 else 0)
        cursor.setPosition(self._ends[-1], QTextCursor.MoveMode.KeepAnchor)
        selection.cursor = cursor
        self.setExtraSelections([selection])

    def _format(self, piece: Piece) -> QTextCharFormat:
        made = QTextCharFormat()
        if piece.from_draft:
            made.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SingleUnderline)
            made.setUnderlineColor(self._theme.colours.accent)
        return made
