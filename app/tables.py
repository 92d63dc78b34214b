"""Tables as text and in Markdown, and what keeps strangers' words from spoiling them."""

import re
import unicodedata
from collections.abc import Sequence

from msgspec import Struct

TABLE_WIDTH = 100  # columns
_NARROWEST = 8  # columns that a shortened column keeps
_GAP = "  "
# What Markdown or HTML would take for a mark; an underscore inside a word is none.
_MARKS = re.compile(r"[\\`*\[\]<>|~&]|(?<![^\W_])_|_(?![^\W_])")
# Where a line would begin a heading, a list or a rule, were it not for a backslash.
_LINE_MARK = re.compile(r"^(?=#{1,6}(?: |$)|[-+](?: |$)|-[- ]*$|=+$)|^\d{1,9}(?=[.)](?: |$))")


def display_width(text: str) -> int:
    """Columns that a terminal gives to `text`: two for East Asian wide characters, none for marks."""
    return sum(_character_width(character) for character in text)


def fit(text: str, width: int) -> str:
    """`text`, shortened to `width` columns with an ellipsis where it is longer."""
    if display_width(text) <= width:
        return text
    kept, used = [], 0
    for character in text:
        used += _character_width(character)
        if used > width - 1:
            break
        kept.append(character)
    return "".join(kept) + "…"


def printable(text: str) -> str:
    """`text` with everything escaped that would move the cursor, hide or reorder its neighbours."""
    return "".join(_escaped(character) for character in text)


def markdown_text(text: str) -> str:
    """`text` on one line without spaces around it, to be read in Markdown as it stands, at its start too."""
    escaped = _MARKS.sub(r"\\\g<0>", printable(text).strip())
    return _LINE_MARK.sub(r"\g<0>\\", escaped)


class Column(Struct, frozen=True):
    """A column of a table. Its title may have several lines; numbers stand on the right."""

    title: str
    right: bool = False
    shortens: bool = False  # gives way when the table is too wide and those before it cannot any more


class Table(Struct, frozen=True):
    """Rows of cells under titled columns; each row has one cell for every column."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]

    def text(self, width: int = TABLE_WIDTH) -> str:
        """Aligned plain text, at most `width` columns where those that shorten, from the left, allow it."""
        titles = [column.title.split("\n") for column in self.columns]
        rows = [[printable(cell) for cell in row] for row in self.rows]
        widths = [
            max(map(display_width, [*title, *(row[index] for row in rows)]))
            for index, title in enumerate(titles)
        ]
        excess = sum(widths) + len(_GAP) * (len(widths) - 1) - width
        for index, column in enumerate(self.columns):
            if column.shortens and excess > 0:
                narrower = min(widths[index], max(_NARROWEST, widths[index] - excess))
                excess -= widths[index] - narrower
                widths[index] = narrower
        height = max(map(len, titles))
        padded = [[""] * (height - len(title)) + title for title in titles]
        head = [[title[line] for title in padded] for line in range(height)]
        rule = ["-" * columns for columns in widths]
        return "\n".join(self._line(cells, widths) for cells in [*head, rule, *rows])

    def markdown(self) -> str:
        """The table in Markdown."""
        head = [column.title.replace("\n", " ") for column in self.columns]
        marks = ["---:" if column.right else "---" for column in self.columns]
        rows = [[markdown_text(cell) for cell in row] for row in self.rows]
        return "\n".join(f"| {' | '.join(cells)} |" for cells in [head, marks, *rows])

    def _line(self, cells: Sequence[str], widths: Sequence[int]) -> str:
        shown = []
        for column, cell, width in zip(self.columns, cells, widths, strict=True):
            cell = fit(cell, width)
            space = " " * (width - display_width(cell))
            shown.append(space + cell if column.right else cell + space)
        return _GAP.join(shown).rstrip()


def _character_width(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf") and character != "\u00ad":
        return 0
    if "\u1160" <= character <= "\u11ff":  # Hangul vowels and finals join the syllable before them
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def _escaped(character: str) -> str:
    joiner = character in "\u200c\u200d"
    if unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Zl", "Zp") or joiner:
        return character
    return {"\n": "\\n", "\r": "\\r", "\t": "\\t"}.get(character, f"\\u{ord(character):04x}")
