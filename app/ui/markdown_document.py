"""Markdown's blocks turned into the parts that are shown."""

import re
from collections.abc import Sequence

from markdown_it.token import Token
from msgspec import Struct

from app.ui.markdown_inline import Content, InlineReader
from app.ui.markdown_parts import (
    Alignment,
    BlockKind,
    CodePart,
    Line,
    Marker,
    Part,
    Place,
    Run,
    TableBlock,
    TextBlock,
)

_ALIGN = re.compile(r"text-align:(\w+)")
_PIPE = re.compile(r"(?<!\\)\|")
_BLANK = " \t"


class Unit(Struct, frozen=True):
    """A block of the top level, or an item of a list there, ready to be read.

    The tokens' line numbers count from the beginning of `source`, which is at `place` in the answer.
    `number` is that of the item in an ordered list; `first` is false for items after the first.
    `repeated` lines are not from there: the head of a table that was cut.
    """

    source: str
    place: int
    tokens: tuple[Token, ...]
    number: int | None = None
    first: bool = True
    repeated: int = 0


class DocumentReader:
    """Reads units."""

    def __init__(self) -> None:
        self._inline = InlineReader()

    def parts(self, unit: Unit) -> list[Part]:
        """What is to be shown for a unit."""
        return _Walk(unit, self._inline).parts()


class _List:
    """A list that the walk is in."""

    def __init__(self, number: int | None, first: bool) -> None:
        self.number = number
        self.first = first


class _Walk:
    """One way through the tokens of a unit."""

    def __init__(self, unit: Unit, inline: InlineReader) -> None:
        self._unit = unit
        self._inline = inline
        self._lines = unit.source.split("\n")
        self._starts = [unit.place]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line) + 1)
        self._parts: list[Part] = []
        self._lists: list[_List] = []
        self._quotes = 0
        self._marker: Marker | None = None

    def parts(self) -> list[Part]:
        tokens = self._unit.tokens
        index = 0
        while index < len(tokens):
            index = self._take(tokens, index)
        return self._parts

    def _take(self, tokens: Sequence[Token], index: int) -> int:
        """Shows the token at `index`, and those that belong to it; returns the next one's index."""
        token = tokens[index]
        match token.type:
            case "paragraph_open" | "heading_open":
                self._add_text(token, tokens[index + 1])
                return index + 3
            case "fence" | "code_block":
                self._drop_marker()
                self._parts.append(CodePart(language_of(token.info), self._code_lines(token), self._place()))
            case "hr":
                self._add_block(TextBlock((), BlockKind.RULE, place=self._place()))
            case "table_open":
                end = next(i for i in range(index, len(tokens)) if tokens[i].type == "table_close")
                self._drop_marker()
                self._parts.append(self._table(tokens[index:end]))
                return end + 1
            case "blockquote_open":
                self._quotes += 1
            case "blockquote_close":
                self._quotes -= 1
            case "bullet_list_open" | "ordered_list_open":
                self._open_list(token)
            case "bullet_list_close" | "ordered_list_close":
                self._lists.pop()
            case "list_item_open":
                self._open_item()
            case "list_item_close":
                self._drop_marker()
        return index + 1

    def _open_list(self, token: Token) -> None:
        number = int(token.attrs.get("start", 1)) if token.type == "ordered_list_open" else None
        first = True
        if not self._lists and not self._quotes:  # the item that the unit is: the list may have begun before
            number, first = self._unit.number, self._unit.first
        self._lists.append(_List(number, first))

    def _open_item(self) -> None:
        inside = self._lists[-1]
        self._marker = Marker(inside.number, inside.first)
        inside.first = False
        if inside.number is not None:
            inside.number += 1

    def _drop_marker(self) -> None:
        """A marker without text beside it gets a line of its own."""
        if self._marker is not None:
            self._add_block(TextBlock((), place=self._place()))

    def _place(self) -> Place:
        return Place(len(self._lists), self._quotes)

    def _add_text(self, opening: Token, inline: Token) -> None:
        heading = opening.type == "heading_open"
        runs = self._inline.runs(self._content(inline))
        kind = BlockKind.HEADING if heading else BlockKind.PARAGRAPH
        level = int(opening.tag[1:]) if heading else 0
        self._add_block(TextBlock(runs, kind, level, self._place()))

    def _add_block(self, block: TextBlock) -> None:
        marker, self._marker = self._marker, None
        in_item = bool(self._lists) and not (marker is not None and marker.first and len(self._lists) == 1)
        self._parts.append(TextBlock(block.runs, block.kind, block.level, block.place, marker, in_item))

    def _content(self, inline: Token) -> Content:
        """The text of a block, each line with its place: it is what ends a line of the source."""
        first = inline.map[0] if inline.map else 0
        places: list[int | None] = []
        for number, text in enumerate(inline.content.split("\n"), first):
            places.append(self._find_at_end(number, text))
        return Content(inline.content, places)

    def _find_at_end(self, number: int, text: str) -> int | None:
        if number >= len(self._lines):
            return None
        line = self._lines[number]
        for trailing in (_BLANK, _BLANK + "#"):  # a heading may have marks behind it
            body = line.rstrip(trailing)
            wanted = text.rstrip(_BLANK)
            if body.endswith(wanted):
                return self._starts[number] + len(body) - len(wanted)
        found = line.rfind(text)
        return None if found < 0 else self._starts[number] + found

    def _code_lines(self, token: Token) -> tuple[Line, ...]:
        """Lines of code lose the indentation of what they are in, at their beginning."""
        first = (token.map[0] if token.map else 0) + (token.type == "fence")
        lines = []
        for number, text in enumerate(token.content.removesuffix("\n").split("\n"), first):
            source = self._lines[number] if number < len(self._lines) else ""
            at = len(source) - len(text)
            known = at >= 0 and source.endswith(text)
            lines.append(Line(text, self._starts[number] + at if known else None))
        return tuple(lines) if token.content else ()

    def _table(self, tokens: Sequence[Token]) -> TableBlock:
        rows: list[tuple[tuple[Run, ...], ...]] = []
        alignments: list[Alignment] = []
        cells: list[tuple[Run, ...]] = []
        places: list[tuple[int, int]] = []
        for index, token in enumerate(tokens):
            if token.type == "tr_open":
                cells = []
                places = self._cell_places(token.map[0] if token.map else 0)
            elif token.type == "tr_close":
                rows.append(tuple(cells))
            elif token.type in ("th_open", "td_open"):
                if token.type == "th_open":
                    found = _ALIGN.search(str(token.attrs.get("style", "")))
                    alignments.append(Alignment(found[1]) if found else Alignment.LEFT)
                text = tokens[index + 1].content
                where = self._cell_place(places, len(cells), text)
                cells.append(self._inline.runs(Content(text, [where])))
        return TableBlock(tuple(rows), tuple(alignments), self._place())

    def _cell_places(self, line: int) -> list[tuple[int, int]]:
        """Where the cells of a row are in its line: between pipes."""
        if line < self._unit.repeated:
            return []
        text = self._lines[line]
        edges = [-1, *(found.start() for found in _PIPE.finditer(text)), len(text)]
        places = list(zip([edge + 1 for edge in edges], edges[1:], strict=False))
        if not text[: edges[1]].strip(_BLANK + ">-*+.)0123456789"):
            places = places[1:]  # a pipe leads the row, behind marks of what it is in
        return [(self._starts[line] + start, self._starts[line] + end) for start, end in places]

    def _cell_place(self, places: Sequence[tuple[int, int]], cell: int, text: str) -> int | None:
        if cell >= len(places) or not text:
            return None
        start, end = (place - self._unit.place for place in places[cell])
        found = self._unit.source.find(text, start, end)
        return None if found < 0 else found + self._unit.place


def language_of(info: str) -> str:
    """The language that the first line of a fenced block names."""
    words = info.split()
    return words[0].strip("{}.").lower() if words else ""
