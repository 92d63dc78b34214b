"""Text shown as it is, without Markdown: what the user wrote, what a model thought."""

from collections.abc import Iterator, Sequence

from PySide6.QtWidgets import QWidget

from app.ui.answer_tools import AnswerTools
from app.ui.column import Column
from app.ui.draft_marks import DraftMarks
from app.ui.markdown_parts import BlockKind, Line, Run, TextBlock
from app.ui.prose_view import ProseView

_MOST_CHARACTERS = 6000  # in one view


class PlainText(Column):
    """Lines under each other, in as many views as it takes."""

    def __init__(
        self, tools: AnswerTools, marks: DraftMarks, accessible: str, parent: QWidget | None = None
    ) -> None:
        """`accessible` says what text it is."""
        super().__init__(parent)
        self._accessible = accessible
        self._tools = tools
        self._marks = marks
        self._end: ProseView | None = None
        self._size = 0  # of the last view, in characters

    @property
    def text(self) -> str:
        """What it shows."""
        return "\n".join(view.toPlainText() for view in self.views)

    @property
    def views(self) -> list[ProseView]:
        """The views it is made of."""
        return [widget for widget in self.widgets if isinstance(widget, ProseView)]

    def add_lines(self, lines: Sequence[Line]) -> None:
        """More lines. The next `settle` makes room for them."""
        while lines:
            if self._end is None or self._size > _MOST_CHARACTERS:
                self._end = ProseView(self._tools.theme, self._marks)
                self._end.setAccessibleName(self._accessible)
                self._end.show_marks(self._tools.mark_look)
                self.add(self._end)
                self._size = 0
            blocks: list[TextBlock] = []
            while len(blocks) < len(lines) and self._size <= _MOST_CHARACTERS:
                line = lines[len(blocks)]
                blocks.append(TextBlock((Run(line.text, line.source, len(line.text)),), BlockKind.LINE))
                self._size += len(line.text) + 1
            lines = lines[len(blocks) :]
            self._end.write(blocks, self._tools.formats)
            self.forget(self._end)

    def showing_marks(self) -> Iterator[None]:
        """Colours what the draft supplied, or nothing, as the tools say; with pauses."""
        for view in self.views:
            view.show_marks(self._tools.mark_look)
            yield
