"""An answer's text cut into parts while it arrives: what is finished is given out once and never changes."""

from msgspec.structs import replace

from app.ui.code_stream import CodeStream
from app.ui.markdown_blocks import Block, BlockReader
from app.ui.markdown_document import DocumentReader, Unit
from app.ui.markdown_parts import Closed, CodeOpened, Event, LinesAdded, Live, LiveLine, ThoughtOpened
from app.ui.shown_text import LONGEST_CLUSTER, cluster_end, shown
from app.ui.thought_stream import ThoughtStream, may_begin_with_thought, thought_start

# Characters. What is not finished is read anew as it grows, so a block without end is cut, and its second
# part stands alone. Of a text that does not grow any more, longer tables can be read as a whole.
LONGEST_TABLE = 2000
LONGEST_WHOLE_TABLE = 30_000
LONGEST_PROSE = 3000
LONGEST_BLOCK = 32_000  # where most of it is code, as in an item of a list
_STEP = 1000


class MarkdownStream:
    """Takes text as it comes and says what is certain of it.

    A block is certain once the next one has begun with a whole line; an item of a list likewise. However a
    text is split into pieces, the parts given out are the same. A table is cut after `longest_table`
    characters.
    """

    def __init__(self, longest_table: int = LONGEST_TABLE) -> None:
        self._longest_table = longest_table
        self._blocks = BlockReader()
        self._reader = DocumentReader()
        self._text = ""
        self._start = 0  # of what is not given out yet
        self._ended = False
        self._begun = False
        self._inside: CodeStream | ThoughtStream | None = None
        self._limit = LONGEST_TABLE  # characters that are looked at
        self._tried: tuple[int, int, bool] | None = None
        self._last_item: Block | None = None  # of a list, if that was given out last
        self._table_head = ""  # repeated where a long table was cut

    @property
    def text(self) -> str:
        """All text so far, as it is shown."""
        return self._text

    def add(self, text: str) -> None:
        """More text."""
        self._text += shown(text)

    def end(self) -> None:
        """There will be no more."""
        self._ended = True

    def advance(self) -> list[Event] | None:
        """Does a bounded piece of work; returns what became certain, None when nothing more can."""
        if not self._begun:
            return self._begin()
        if self._inside is not None:
            return self._advance_lines(self._inside)
        return self._advance_prose()

    def live(self) -> list[Live]:
        """What is not certain yet, as it looks now."""
        if not self._begun:
            return []
        if self._inside is not None:
            line = self._inside.live_line(self._text, self._start)
            return [LiveLine(line)] if line is not None else []
        source = self._table_head + self._text[self._start : self._start + self._limit]
        parts: list[Live] = []
        for block in self._read(source):
            parts += self._reader.parts(self._unit(source, block))
        return parts

    def _begin(self) -> list[Event] | None:
        if may_begin_with_thought(self._text) and not self._ended:
            return None
        self._begun = True
        start = thought_start(self._text)
        if start is None:
            return []
        self._start = start
        self._inside = ThoughtStream()
        return [ThoughtOpened()]

    def _advance_lines(self, inside: CodeStream | ThoughtStream) -> list[Event] | None:
        lines, self._start = inside.advance(self._text, self._start, ended=self._ended)
        events: list[Event] = [LinesAdded(lines)] if lines else []
        if inside.closed:
            self._inside = None
            events.append(Closed())
        return events or None

    def _advance_prose(self) -> list[Event] | None:
        window = self._text[self._start : self._start + self._limit]
        full = len(window) == self._limit
        final = self._ended and self._start + len(window) == len(self._text)
        complete = window if final else window[: window.rfind("\n") + 1]
        attempt = (self._start, len(window) if full else len(complete), final)
        if not window or attempt == self._tried:
            return None
        self._tried = attempt
        blank = _blank_lines(complete)
        if blank:
            self._table_head = ""
            return self._go_on(blank)
        source = self._table_head + complete
        blocks = self._read(source)
        if not blocks and final:
            return self._go_on(len(window))
        for index, block in enumerate(blocks):
            if block.kind == "fence" and (final or _is_sure(source, block.start)):
                return self._open_code(source, blocks[:index], block)
        if not blocks or not (final or len(blocks) > 1 or blocks[0].is_over(source.count("\n"))):
            return self._cut(source, window, blocks) if full else None
        sure = len(blocks) if final or blocks[-1].is_over(source.count("\n")) else len(blocks) - 1
        end = len(source) if sure == len(blocks) else _line_start(source, blocks[sure].start)
        return self._give(source, blocks[:sure], end)

    def _read(self, source: str) -> list[Block]:
        """The blocks of a text that follows on what was given out."""
        before = self._last_item
        blocks = self._blocks.blocks(source, before)
        if self._table_head and blocks and blocks[0].end <= 2:
            del blocks[0]  # the head of a table that does not go on
        for index, block in enumerate(blocks):
            if before is not None and block.list_mark and block.list_mark == before.list_mark:
                number = None if before.number is None else before.number + 1
                block = blocks[index] = replace(block, number=number, first=False)
            before = block
        return blocks

    def _unit(self, source: str, block: Block) -> Unit:
        head = self._table_head
        place = self._start - len(head)
        return Unit(source, place, block.tokens, block.number, block.first, head.count("\n"))

    def _give(self, source: str, blocks: list[Block], end: int) -> list[Event]:
        """Gives out blocks, and goes on at a place behind them."""
        events: list[Event] = []
        for block in blocks:
            events += self._reader.parts(self._unit(source, block))
        if blocks:
            self._last_item = blocks[-1] if blocks[-1].list_mark else None
        length = end - len(self._table_head)
        self._table_head = ""
        self._go_on(length)
        return events

    def _open_code(self, source: str, before: list[Block], fence: Block) -> list[Event]:
        start = _line_start(source, fence.start)
        end = _line_start(source, fence.start + 1)
        events = self._give(source, before, end)
        self._last_item = None
        self._inside = code = CodeStream(source[start:end].removesuffix("\n"))
        return [*events, CodeOpened(code.language)]

    def _cut(self, source: str, window: str, blocks: list[Block]) -> list[Event]:
        """What is looked at is one unfinished block: looks at more of it, or takes it as it is."""
        table = bool(blocks) and blocks[0].kind == "table_open"
        lines = max(1, source.count("\n"))
        prose = len(window) * (1 - blocks[0].code_lines / lines) if blocks else len(window)
        if table and self._limit < self._longest_table:
            self._limit = min(2 * self._limit, self._longest_table)
            return []
        if not table and prose < LONGEST_PROSE and self._limit < LONGEST_BLOCK:
            self._limit += _STEP
            return []
        length = _good_end(window)
        source = self._table_head + window[:length]
        head = source[: _line_start(source, 2)] if table else ""
        events: list[Event] = self._give(source, self._read(source), len(source))
        self._table_head = head
        return events

    def _go_on(self, length: int) -> list[Event]:
        self._start += length
        self._limit = LONGEST_TABLE
        self._tried = None
        return []


def _blank_lines(text: str) -> int:
    """How many characters the blank lines take that a text begins with."""
    blank = len(text) - len(text.lstrip("\n \t"))
    return text.rfind("\n", 0, blank) + 1


def _line_start(text: str, line: int) -> int:
    place = 0
    for _ in range(line):
        place = text.find("\n", place) + 1
        if place == 0:
            return len(text)
    return place


def _is_sure(source: str, line: int) -> bool:
    """Whether a line that opens code does so whatever follows: with a pipe it may be the head of a table."""
    start, end = _line_start(source, line), _line_start(source, line + 1)
    return "|" not in source[start:end] or "\n" in source[end:]


def _good_end(window: str) -> int:
    """Where to cut a text that has no good place: behind a line, or a word, or a character."""
    for mark in ("\n", " "):
        found = window.rfind(mark, len(window) // 2)
        if found >= 0:
            return found + 1
    return cluster_end(window, len(window) - LONGEST_CLUSTER)
