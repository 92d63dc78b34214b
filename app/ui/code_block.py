"""A block of code in an answer: its language, a button that copies it, and the code."""

from collections.abc import Iterator, Sequence

from pygments.lexer import Lexer
from PySide6.QtCore import QEvent, QRectF
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent, QPen

from app.ui.answer_tools import AnswerTools
from app.ui.code_colours import CodeColouring
from app.ui.code_lines import CodeLines
from app.ui.column import Growing
from app.ui.draft_marks import DraftMarks
from app.ui.markdown_parts import Line, code_text
from app.ui.widgets import button, label

_HEADER = 32  # pixels
_PADDING = 12
_ABOVE, _BELOW = 9, 10  # of the code
_RADIUS = 8
_AT_ONCE = 20  # lines coloured without a pause


class CodeBlock(Growing):
    """Lines are added while they arrive. Their colours come a moment later, and for good with `finish`."""

    def __init__(self, tools: AnswerTools, marks: DraftMarks, language: str) -> None:
        super().__init__()
        self._tools = tools
        self._language = language
        self._colouring: CodeColouring | None = None
        self._finished = False
        self._coloured = 0  # lines
        self._certain = 0  # lines that are not live
        self.setObjectName("code_block")
        accessible = self.tr("Code, {language}").format(language=language or self.tr("text"))
        self.setAccessibleName(accessible)
        self._title = label(language or self.tr("text"), size="small", tone="muted")
        self._title.setParent(self)
        self._copy = button(self.tr("Copy"), "copy_code_button", kind="quiet", small=True)
        self._copy.setParent(self)
        self._copy.clicked.connect(self._copy_code)
        self.view = CodeLines(tools.theme, marks, accessible, self)
        self.view.look = tools.code_mark_look
        tools.lexers.ask(language, self, self._take_lexer)

    @property
    def language(self) -> str:
        """As the answer names it."""
        return self._language

    @property
    def code(self) -> str:
        """What "Copy" copies."""
        return code_text(self.view.lines)

    @property
    def lines(self) -> Sequence[Line]:
        """What it shows."""
        return self.view.lines

    def add_lines(self, lines: Sequence[Line], live: Line | None = None) -> None:
        """More lines that do not change any more, and the one that is being written."""
        self.view.put_lines(self._certain, [*lines, live] if live is not None else lines)
        self._certain += len(lines)

    def set_lines(self, lines: Sequence[Line]) -> None:
        """Shows these lines. Those that are there already are left alone."""
        known = self.view.lines
        same = 0
        while same < min(len(known), len(lines)) and known[same] == lines[same]:
            same += 1
        if same < len(known) or same < len(lines):
            self.view.put_lines(same, lines[same:])
        self._certain = len(lines)

    def colour_new(self) -> None:
        """Colours the lines that came since the last time, from what is near them."""
        if self._colouring is None or self._certain == self._coloured or self._finished:
            return
        self._coloured = self._certain
        first, colours = self._colouring.colours([line.text for line in self.view.lines[: self._certain]])
        self.view.colour_lines(first, colours)

    def finish(self) -> None:
        """All lines are there: colours them for good, in slices."""
        self._finished = True
        if self._colouring is not None:
            self._tools.slices.start(self, "colour", self._colour_all(self._colouring))

    def showing_marks(self) -> Iterator[None]:
        """Colours what the draft supplied, or nothing, as the tools say; with pauses."""
        yield from self.view.showing_marks(self._tools.code_mark_look)

    def restyling(self) -> Iterator[None]:
        """Takes the colours of another theme, with pauses."""
        self.update()
        self.view.forget_looks()
        yield from self.showing_marks()

    def height_at(self, width: int) -> int:
        """Header, lines, and a scroll bar where they are too wide."""
        hint = self._copy.sizeHint()
        top = (_HEADER - hint.height()) // 2
        self._copy.setGeometry(width - hint.width() - 2, top, hint.width(), hint.height())
        self._title.setGeometry(_PADDING, 0, width - hint.width() - 2 * _PADDING, _HEADER)
        inner = width - 2 * _PADDING
        height = self.view.height_at(inner)
        self.view.setGeometry(_PADDING, _HEADER + _ABOVE, inner, height)
        return _HEADER + _ABOVE + height + _BELOW

    def paintEvent(self, event: QPaintEvent) -> None:
        """The frame."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._tools.theme.colours.line, 1))
        painter.setBrush(self._tools.theme.colours.code)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), _RADIUS, _RADIUS)
        painter.fillRect(QRectF(1, _HEADER, self.width() - 2, 1), self._tools.theme.colours.line)
        painter.end()

    def leaveEvent(self, event: QEvent) -> None:
        """The button offers to copy again."""
        super().leaveEvent(event)
        self._copy.setText(self.tr("Copy"))

    def _copy_code(self) -> None:
        QGuiApplication.clipboard().setText(self.code)
        self._copy.setText(self.tr("Copied"))

    def _take_lexer(self, lexer: Lexer) -> None:
        self._colouring = CodeColouring(lexer)
        if self._finished:
            self.finish()

    def _colour_all(self, colouring: CodeColouring) -> Iterator[None]:
        texts = [line.text for line in self.view.lines]
        batch = []
        first = 0
        for colours in colouring.all_colours(texts):
            batch.append(colours)
            if len(batch) == _AT_ONCE:
                self.view.colour_lines(first, batch)
                first += len(batch)
                batch = []
                yield
        self.view.colour_lines(first, batch)
