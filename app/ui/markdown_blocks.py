"""Markdown's blocks of the top level, found without reading what is in them."""

import re
from collections.abc import Iterator

from markdown_it.token import Token
from msgspec import Struct

from app.ui.markdown_inline import markdown

_BLANK_ENDS = ("paragraph_open", "table_open", "heading_open")  # a heading may yet be that of a table


class Block(Struct, frozen=True):
    """A block, or an item of a list, and its lines."""

    tokens: tuple[Token, ...]
    start: int  # lines, the end not included
    end: int
    list_mark: str = ""  # what kind of list it is an item of
    number: int | None = None  # in an ordered list
    first: bool = True  # of its list

    @property
    def kind(self) -> str:
        """The type of its first token."""
        return self.tokens[0].type

    def is_over(self, lines: int) -> bool:
        """Whether no further line can change it, with so many whole lines read."""
        return self.kind == "hr" or (self.kind in _BLANK_ENDS and self.end < lines)

    @property
    def code_lines(self) -> int:
        """How many of its lines are code."""
        maps = (token.map for token in self.tokens if token.type in ("fence", "code_block"))
        return sum(lines[1] - lines[0] for lines in maps if lines)


class BlockReader:
    """Finds blocks."""

    def __init__(self) -> None:
        self._parser = markdown()

    def blocks(self, source: str, before: Block | None = None) -> list[Block]:
        """The blocks of a text, in order. `before` is the block above it."""
        opening = _item_above(source, before)
        tokens: list[Token] = []
        self._parser.block.parse(opening + source, self._parser, {}, tokens)
        if opening:
            for token in tokens:
                token.map = [line - 1 for line in token.map] if token.map else None
        found: list[Block] = []
        for start, end in _groups(tokens, 0, len(tokens), 0):
            if tokens[start].type in ("bullet_list_open", "ordered_list_open"):
                found += _items(tokens, start, end)
            else:
                lines = tokens[start].map or [0, 0]
                found.append(Block(tuple(tokens[start:end]), lines[0], lines[1]))
        return found[1:] if opening else found


def _item_above(source: str, before: Block | None) -> str:
    """An item to put above one that follows on another, since what follows on none may be read as a table."""
    if before is None or not before.list_mark:
        return ""
    mark = before.list_mark[-1]
    number, written = ("", "") if before.number is None else (r"\d{1,9}", "1")
    goes_on = re.match(rf" {{0,3}}{number}{re.escape(mark)}([ \t]|$)", source, re.MULTILINE)
    return f"   {written}{mark}    x\n" if goes_on else ""  # further in than what can follow


def _items(tokens: list[Token], start: int, end: int) -> Iterator[Block]:
    opening, closing = tokens[start], tokens[end - 1]
    ordered = opening.type == "ordered_list_open"
    number = int(opening.attrs.get("start", 1))
    for index, (item, after) in enumerate(_groups(tokens, start + 1, end - 1, 1)):
        lines = tokens[item].map or [0, 0]
        yield Block(
            (opening, *tokens[item:after], closing),
            lines[0],
            lines[1],
            opening.type + opening.markup,
            number + index if ordered else None,
            index == 0,
        )


def _groups(tokens: list[Token], start: int, end: int, level: int) -> Iterator[tuple[int, int]]:
    """Stretches of tokens that belong together at a level."""
    begin = start
    for index in range(start, end):
        if tokens[index].level == level and tokens[index].nesting <= 0:
            yield begin, index + 1
            begin = index + 1
