"""An answer's text on the screen: what is finished is laid out once, only the end of it changes."""

from collections.abc import Iterable, Iterator, Sequence
from time import perf_counter

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from app.core.chat import DraftSpan
from app.ui.answer_tools import AnswerTools
from app.ui.code_block import CodeBlock
from app.ui.column import Column
from app.ui.draft_marks import DraftMarks
from app.ui.markdown_parts import (
    Closed,
    CodeOpened,
    CodePart,
    Event,
    LinesAdded,
    Live,
    LiveLine,
    Place,
    TableBlock,
    TextBlock,
    ThoughtOpened,
)
from app.ui.markdown_stream import LONGEST_TABLE, MarkdownStream
from app.ui.prose_view import Prose, ProseView
from app.ui.text_formats import LIST_INDENT, PARAGRAPH_GAP, QUOTE_INDENT
from app.ui.thought_view import ThoughtView

_MOST_CHARACTERS = 6000  # in one view
_LINES_AT_ONCE = 100  # of code
_LEAST_GAP = 8  # pixels, between text and code
_BUDGET_S = 0.006  # before the window does something else


class AnswerBody(Column):
    """Takes text as it comes. Finished blocks share a few views; the live end has its own.

    A table is cut after `longest_table` characters.
    """

    def __init__(
        self, tools: AnswerTools, parent: QWidget | None = None, *, longest_table: int = LONGEST_TABLE
    ) -> None:
        super().__init__(parent)
        self._tools = tools
        self._stream = MarkdownStream(longest_table)
        self._marks = DraftMarks()
        self._raw: list[str] = []
        self._open: CodeBlock | ThoughtView | None = None  # gets lines
        self._end: ProseView | None = None  # gets finished blocks
        self._end_size = 0  # in characters
        self._live: list[ProseView | CodeBlock] = []  # the last ones of the column
        self._working = False

    @property
    def text(self) -> str:
        """The answer's text as the model gave it."""
        return "".join(self._raw)

    @property
    def shown_text(self) -> str:
        """The text as it is read, block by block: for tests and for screen readers."""
        return "\n".join(_text_of(widget) for widget in self.widgets)

    def take(self, text: str, spans: Sequence[DraftSpan]) -> None:
        """More text, and which of it a draft supplied. `refresh` or `working` shows it."""
        self._raw.append(text)
        self._stream.add(text)
        self._marks.add(spans, self._stream.text)

    def mark_difference(self, start: int, end: int) -> None:
        """Marks where this answer leaves another one, in characters; before the text there is shown."""
        self._marks.mark_difference(start, end)

    def difference_within(self, stretches: Iterable[tuple[int, int]]) -> bool:
        """Whether that place is in one of these, each from a character to another."""
        place = self._marks.difference
        return place is not None and any(start < place[1] and place[0] < end for start, end in stretches)

    def end(self) -> None:
        """There will be no more text. `refresh` or `working` shows the last of it for good."""
        self._stream.end()

    def refresh(self) -> None:
        """Shows what is new; what takes long goes on in slices."""
        if self._working:
            return
        work = self.working()
        end = perf_counter() + _BUDGET_S
        for _ in work:
            if perf_counter() > end:
                self.settle()
                self._tools.slices.start(self, "text", work)
                return

    def working(self) -> Iterator[None]:
        """Shows what is new, with pauses."""
        self._working = True
        settled = perf_counter()
        while (events := self._stream.advance()) is not None:
            yield
            yield from self._apply(events)
            yield
            if perf_counter() - settled > _BUDGET_S / 2:
                self.settle()
                settled = perf_counter()
                yield
        self._show_live(self._stream.live())
        self._working = False
        self.settle()

    def showing_marks(self) -> Iterator[None]:
        """Colours what the draft supplied, or nothing, as the tools say; with pauses."""
        for widget in self.widgets:
            if isinstance(widget, ProseView):
                widget.show_marks(self._tools.mark_look)
            elif isinstance(widget, (CodeBlock, ThoughtView)):
                yield from widget.showing_marks()
            yield

    def restyling(self) -> Iterator[None]:
        """Takes the colours of another theme, with pauses. The heights stay the same."""
        for widget in self.widgets:
            if isinstance(widget, ProseView):
                widget.show_marks(self._tools.mark_look)
                widget.rewrite(list(widget.blocks), self._tools.formats)
            elif isinstance(widget, (CodeBlock, ThoughtView)):
                yield from widget.restyling()
            yield

    def _apply(self, events: Sequence[Event]) -> Iterator[None]:
        prose: list[Prose] = []
        for event in events:
            if isinstance(event, (TextBlock, TableBlock)):
                prose.append(event)
                continue
            self._write(prose)
            prose = []
            if isinstance(event, CodePart):
                code = self._code(event.language, event.place)
                for end in range(0, len(event.lines), _LINES_AT_ONCE):
                    code.set_lines(event.lines[: end + _LINES_AT_ONCE])
                    yield
                code.finish()
                self.forget(code)
            elif isinstance(event, CodeOpened):
                self._open = code = self._code(event.language, Place())
                code.set_lines([])  # they come once more, each when it is certain
            elif isinstance(event, ThoughtOpened):
                self._open = ThoughtView(self._tools, self._marks)
                self._add_finished(self._open, PARAGRAPH_GAP, 0)
            elif isinstance(event, LinesAdded) and self._open is not None:
                self._open.add_lines(event.lines)
                self.forget(self._open)
            elif isinstance(event, Closed) and self._open is not None:
                self._open.finish()
                if isinstance(self._open, ThoughtView) and not self._open.lines:
                    self.remove(self._open)
                else:
                    self.forget(self._open)
                self._open = None
        self._write(prose)

    def _write(self, blocks: Sequence[Prose]) -> None:
        """Finished blocks go to the last view, or to a new one when that is full."""
        while blocks:
            if self._live and isinstance(self._live[0], ProseView):
                self.remove(self._live.pop(0))
            view = self._end
            if view is None or self._end_size > _MOST_CHARACTERS:
                view = self._end = ProseView(self._tools.theme, self._marks)
                view.show_marks(self._tools.mark_look)
                self._add_finished(view, 0, 0)
                self._end, self._end_size = view, 0
            count = 0
            while count < len(blocks) and self._end_size <= _MOST_CHARACTERS:
                self._end_size += _size(blocks[count])
                count += 1
            view.write(blocks[:count], self._tools.formats)
            blocks = blocks[count:]
            self.put(view, max(view.gap, _LEAST_GAP), 0)
            self.forget(view)

    def _code(self, language: str, place: Place) -> CodeBlock:
        """A block of code behind all that is finished: the live one, if there is one."""
        while self._live and isinstance(self._live[0], ProseView):
            self.remove(self._live.pop(0))
        if self._live and isinstance(self._live[0], CodeBlock) and self._live[0].language == language:
            code = self._live.pop(0)
            assert isinstance(code, CodeBlock)
            self._end = None
            return code
        code = CodeBlock(self._tools, self._marks, language)
        self._add_finished(code, PARAGRAPH_GAP, _indent(place))
        return code

    def _add_finished(self, widget: QWidget, gap: int, indent: int) -> None:
        self._end = None
        self.insert(len(self.widgets) - len(self._live), widget, gap=gap, indent=indent)

    def _show_live(self, parts: Sequence[Live]) -> None:
        groups: list[CodePart | list[Prose]] = []
        for part in parts:
            if isinstance(part, LiveLine):
                if isinstance(self._open, CodeBlock):
                    self._open.add_lines([], part.line)
            elif isinstance(part, CodePart):
                groups.append(part)
            elif groups and isinstance(groups[-1], list):
                groups[-1].append(part)
            else:
                groups.append([part])
        if isinstance(self._open, CodeBlock):
            self._open.colour_new()
            self.forget(self._open)
        for number, group in enumerate(groups):
            self._show_group(number, group)
        for widget in self._live[len(groups) :]:
            self.remove(widget)
        del self._live[len(groups) :]

    def _show_group(self, number: int, group: CodePart | list[Prose]) -> None:
        widget = self._live[number] if number < len(self._live) else None
        if isinstance(group, CodePart):
            if not isinstance(widget, CodeBlock) or widget.language != group.language:
                widget = CodeBlock(self._tools, self._marks, group.language)
                self._replace_live(number, widget)
            widget.set_lines(group.lines)
            widget.colour_new()
            self.put(widget, PARAGRAPH_GAP, _indent(group.place))
        else:
            if not isinstance(widget, ProseView):
                widget = ProseView(self._tools.theme, self._marks)
                widget.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # Tab would lose it in a moment
                self._replace_live(number, widget)
            widget.show_marks(self._tools.mark_look)
            widget.rewrite(group, self._tools.formats)
            self.put(widget, max(widget.gap, _LEAST_GAP), 0)
        self.forget(widget)

    def _replace_live(self, number: int, widget: ProseView | CodeBlock) -> None:
        for old in self._live[number:]:
            self.remove(old)
        del self._live[number:]
        self.add(widget)
        self._live.append(widget)


def _indent(place: Place) -> int:
    return LIST_INDENT * place.lists + QUOTE_INDENT * place.quotes


def _size(block: Prose) -> int:
    if isinstance(block, TextBlock):
        return sum(len(run.text) for run in block.runs)
    return sum(len(run.text) + 20 for row in block.rows for cell in row for run in cell)


def _text_of(widget: QWidget) -> str:
    if isinstance(widget, CodeBlock):
        return widget.code
    if isinstance(widget, ThoughtView):
        return "\n".join(line.text for line in widget.lines)
    return widget.toPlainText() if isinstance(widget, ProseView) else ""
