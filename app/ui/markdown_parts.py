"""What an answer is made of once its Markdown is read: paragraphs, tables, code. Nothing of Qt yet."""

from collections.abc import Iterable
from enum import Flag, StrEnum, auto

from msgspec import Struct


class Style(Flag):
    """How a run of text looks."""

    NONE = 0
    BOLD = auto()
    ITALIC = auto()
    STRUCK = auto()
    CODE = auto()


class Run(Struct, frozen=True, gc=False):
    """Text of one look, and where in the answer it is from.

    `source` is the place of its first character; where `length`, the number of the answer's characters
    that it stands for, is the text's own, each character stands for one. None: not from the answer.
    """

    text: str
    source: int | None
    length: int
    style: Style = Style.NONE
    link: str = ""


class BlockKind(StrEnum):
    """What a block of text is."""

    PARAGRAPH = "paragraph"
    HEADING = "heading"
    RULE = "rule"
    LINE = "line"  # of text that is no Markdown


class Place(Struct, frozen=True, gc=False):
    """Where a block stands: how deep in lists and quotes."""

    lists: int = 0
    quotes: int = 0


class Marker(Struct, frozen=True, gc=False):
    """What is before a list item: a number, or a bullet."""

    number: int | None
    first: bool  # of its list


class TextBlock(Struct, frozen=True, gc=False):
    """A paragraph, a heading, or a rule."""

    runs: tuple[Run, ...]
    kind: BlockKind = BlockKind.PARAGRAPH
    level: int = 0  # of a heading, from 1
    place: Place = Place()
    marker: Marker | None = None
    in_item: bool = False  # follows closely on what is above


class Alignment(StrEnum):
    """Of a table's column."""

    LEFT = "left"
    CENTRE = "center"
    RIGHT = "right"


class TableBlock(Struct, frozen=True, gc=False):
    """A table; the first row is its head. Every row has a cell for each alignment."""

    rows: tuple[tuple[tuple[Run, ...], ...], ...]
    alignments: tuple[Alignment, ...]
    place: Place = Place()


class Line(Struct, frozen=True, gc=False):
    """A line of code or of a thought; `source` is the place of its first character in the answer."""

    text: str
    source: int | None
    whole: bool = True  # False: too long for one line of the view, goes on in the next


class CodePart(Struct, frozen=True, gc=False):
    """A block of code that is read as a whole."""

    language: str
    lines: tuple[Line, ...]
    place: Place = Place()


Part = TextBlock | TableBlock | CodePart


class CodeOpened(Struct, frozen=True, gc=False):
    """A block of code begins, which comes line by line."""

    language: str


class ThoughtOpened(Struct, frozen=True, gc=False):
    """The model begins to think aloud."""


class LinesAdded(Struct, frozen=True, gc=False):
    """Lines of the code or the thought that is open; they do not change any more."""

    lines: tuple[Line, ...]


class Closed(Struct, frozen=True, gc=False):
    """The code or the thought is over."""


class LiveLine(Struct, frozen=True, gc=False):
    """The line that is being written, of the code or the thought that is open."""

    line: Line


Event = Part | CodeOpened | ThoughtOpened | LinesAdded | Closed
Live = Part | LiveLine


def code_text(lines: Iterable[Line]) -> str:
    """Lines as the text that they were."""
    return "".join(line.text + ("\n" if line.whole else "") for line in lines).removesuffix("\n")
