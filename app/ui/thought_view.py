"""What a model thought aloud before its answer: folded away until someone wants to read it."""

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QSizePolicy, QToolButton

from app.ui.answer_tools import AnswerTools
from app.ui.column import Column
from app.ui.draft_marks import DraftMarks
from app.ui.markdown_parts import Line
from app.ui.plain_text import PlainText

_AT_ONCE = 10  # lines
_BUTTON_PADDING = 10  # pixels


class ThoughtView(Column):
    """A line to click on, and the thought under it. Nothing is laid out before it is unfolded."""

    def __init__(self, tools: AnswerTools, marks: DraftMarks) -> None:
        super().__init__()
        self._tools = tools
        self._lines: list[Line] = []
        self._shown = 0
        self.setObjectName("thought")
        self._toggle = QToolButton()
        self._toggle.setObjectName("thought_button")
        self._toggle.setProperty("kind", "quiet")
        self._toggle.setProperty("small", True)
        self._toggle.setCheckable(False)
        self._toggle.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._toggle.setIconSize(QSize(16, 16))
        self._toggle.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._toggle.clicked.connect(self._fold_or_unfold)
        self._body = PlainText(tools, marks, self.tr("Thought"))
        self._body.hide()
        self._is_over = False
        self._is_open = False
        self.add(_Held(self._toggle))
        self.add(self._body, gap=4, indent=24)
        self._body.hide()
        self._tell()

    @property
    def lines(self) -> Sequence[Line]:
        """The whole thought."""
        return self._lines

    def add_lines(self, lines: Sequence[Line]) -> None:
        """More of it."""
        self._lines += lines
        if self._is_open:
            self._tools.slices.start(self, "show", self._show_lines())

    def unfold(self) -> None:
        """Shows it."""
        if not self._is_open:
            self._fold_or_unfold()

    def finish(self) -> None:
        """It is over."""
        self._is_over = True
        self._tell()

    def showing_marks(self) -> Iterator[None]:
        """Colours what the draft supplied, or nothing, as the tools say; with pauses."""
        yield from self._body.showing_marks()

    def restyling(self) -> Iterator[None]:
        """Takes the colours of another theme, with pauses."""
        self._tell()
        yield from self._body.showing_marks()

    def _fold_or_unfold(self) -> None:
        self._is_open = not self._is_open
        self._body.setVisible(self._is_open)
        self._tell()
        self.settle()
        if self._is_open:
            self._tools.slices.start(self, "show", self._show_lines())

    def _show_lines(self) -> Iterator[None]:
        while self._shown < len(self._lines):
            some = self._lines[self._shown : self._shown + _AT_ONCE]
            self._shown += len(some)
            self._body.add_lines(some)
            self._body.settle()
            yield

    def _tell(self) -> None:
        text = self.tr("Thought for a while") if self._is_over else self.tr("Thinking…")
        self._toggle.setText(text)
        self._toggle.setAccessibleName(text)
        self._toggle.setIcon(self._tools.icons.icon("chevron" if self._is_open else "chevron-right"))


class _Held(Column):
    """Keeps a button as narrow as it is."""

    def __init__(self, held: QToolButton) -> None:
        super().__init__()
        self._held = held
        held.setParent(self)

    def height_at(self, width: int) -> int:
        hint = self._held.sizeHint()
        self._held.setGeometry(-_BUTTON_PADDING, 0, hint.width(), hint.height())
        return hint.height()
