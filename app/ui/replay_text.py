"""The answer so far in a replay: drafted tokens underlined, those of the round in colour."""

import math
from collections.abc import Sequence

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QResizeEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QSizePolicy, QTextEdit, QWidget

from app.core.replay import Piece, pieces_of
from app.core.trace import TracedRound
from app.ui.shown_text import shown
from app.ui.theme import Theme

_LEAST = 3  # lines
_SPARE = 6  # pixels; lines of a document are a little higher than those of a label


class ReplayText(QTextEdit):
    """Grows and shrinks round by round; only what changes is written."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._rounds: tuple[TracedRound, ...] = ()
        self._ends: list[int] = []  # of each round that is written, in the document
        self._whole = ""
        self._count = 0  # rounds that are shown
        self._shows_round = False
        self.setObjectName("replay_text")
        self.setAccessibleName(self.tr("The answer so far"))
        self.setReadOnly(True)
        self.setProperty("bare", True)
        self.setUndoRedoEnabled(False)
        self.document().setDocumentMargin(0)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        self.setMinimumHeight(_LEAST * self.fontMetrics().lineSpacing())
        theme.changed.connect(self._rewrite)

    def show_trace(self, rounds: Sequence[TracedRound]) -> None:
        """Another answer, of which nothing is shown yet."""
        self._rounds = tuple(rounds)
        self._count = 0
        self._whole = "".join(shown(piece.text) for round_ in self._rounds for piece in pieces_of(round_))
        self._rewrite()
        self._fit()

    def show_until(self, count: int, *, with_last: bool) -> None:
        """The first `count` rounds; the last of them in colour, or not there yet."""
        self._count, self._shows_round = count, with_last
        self._write()

    def fit(self, width: int) -> None:
        """Takes the size of what is shown now at a width, for a picture."""
        self.document().setTextWidth(width)
        self.setFixedSize(width, math.ceil(self.document().size().height()) + _SPARE)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Narrow texts are higher."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit()

    def _fit(self) -> None:
        """Never takes more room than the whole answer will: nothing moves while it grows."""
        room = QRect(0, 0, max(self.viewport().width(), 1), 0)
        flags = Qt.TextFlag.TextWordWrap | Qt.TextFlag.TextExpandTabs
        whole = self.fontMetrics().boundingRect(room, flags, self._whole).height() + _SPARE
        height = max(whole, self.minimumHeight())
        if height != self.maximumHeight():
            self.setMaximumHeight(height)

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
