"""What the command line shows: tables, a progress line."""

import shutil
import sys
import time
import unicodedata
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import TextIO

from msgspec import Struct

from app.figures import duration_text

TABLE_WIDTH = 100  # columns
_NARROWEST = 8  # columns that a shortened column keeps
_BAR_WIDTH = 16  # columns
_GAP = "  "


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


class Column(Struct, frozen=True):
    """A column of a table. Its title may have several lines; numbers stand on the right."""

    title: str
    right: bool = False
    shortens: bool = False  # gives way when the table is too wide


class Table(Struct, frozen=True):
    """Rows of cells under titled columns; each row has one cell for every column."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]

    def text(self, width: int = TABLE_WIDTH) -> str:
        """Aligned plain text, at most `width` columns where the shortening column allows it."""
        titles = [column.title.split("\n") for column in self.columns]
        rows = [[printable(cell) for cell in row] for row in self.rows]
        widths = [
            max(map(display_width, [*title, *(row[index] for row in rows)]))
            for index, title in enumerate(titles)
        ]
        excess = sum(widths) + len(_GAP) * (len(widths) - 1) - width
        for index, column in enumerate(self.columns):
            if column.shortens and excess > 0:
                widths[index] = min(widths[index], max(_NARROWEST, widths[index] - excess))
        height = max(map(len, titles))
        padded = [[""] * (height - len(title)) + title for title in titles]
        head = [[title[line] for title in padded] for line in range(height)]
        rule = ["-" * columns for columns in widths]
        return "\n".join(self._line(cells, widths) for cells in [*head, rule, *rows])

    def markdown(self) -> str:
        """The table in Markdown."""
        head = [column.title.replace("\n", " ") for column in self.columns]
        marks = ["---:" if column.right else "---" for column in self.columns]
        rows = [[printable(cell).replace("|", "\\|") for cell in row] for row in self.rows]
        return "\n".join(f"| {' | '.join(cells)} |" for cells in [head, marks, *rows])

    def _line(self, cells: Sequence[str], widths: Sequence[int]) -> str:
        shown = []
        for column, cell, width in zip(self.columns, cells, widths, strict=True):
            cell = fit(cell, width)
            space = " " * (width - display_width(cell))
            shown.append(space + cell if column.right else cell + space)
        return _GAP.join(shown).rstrip()


class ProgressBar:
    """One line that is painted over and over while something long goes on.

    Silent when the stream is not a terminal. Use it as a context manager: it wipes its line at the
    end, also when the work fails. Times come from `clock`, in seconds.
    """

    def __init__(
        self,
        title: str,
        total: float = 1.0,
        amount_text: Callable[[int], str] | None = None,
        stream: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
        *,
        timed: bool = True,
    ) -> None:
        """`amount_text` words an amount, such as bytes; with it the amount and its rate are shown.

        The rate and the time left are reckoned from the average since the beginning, unless not `timed`.
        """
        self._title = printable(title)
        self._total = total
        self._amount_text = amount_text
        self._stream = sys.stderr if stream is None else stream
        self._clock = clock
        self._timed = timed
        # A windowed program on Windows has no standard error at all.
        self._shown = self._stream is not None and self._stream.isatty()
        self._started = clock()
        self._painted: float | None = None
        self._width = 0

    def __enter__(self) -> "ProgressBar":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.clear()

    def update(self, done: float, note: str = "") -> None:
        """Shows that `done` of the total is finished; at most ten times a second, and at the end."""
        if not self._shown:
            return
        now = self._clock()
        if self._painted is not None and now - self._painted < 0.1 and done < self._total:
            return
        self._painted = now
        columns = shutil.get_terminal_size().columns - 1  # the last column would wrap the line
        line = fit(self._line(done, now - self._started, printable(note)), columns)
        width = display_width(line)
        self._write("\r" + line + " " * (self._width - width))
        self._width = width

    def clear(self) -> None:
        """Wipes the line; the next update paints it again."""
        if self._width:
            self._write("\r" + " " * self._width + "\r")
            self._width = 0
            self._painted = None

    def _line(self, done: float, elapsed: float, note: str) -> str:
        share = min(1.0, max(0.0, done / self._total)) if self._total > 0 else 1.0
        filled = int(_BAR_WIDTH * share)
        bar = "#" * filled + "-" * (_BAR_WIDTH - filled)
        parts = [f"{self._title} [{bar}] {int(100 * share):3} %"]
        if self._amount_text is not None:
            parts.append(f"{self._amount_text(int(done))} of {self._amount_text(int(self._total))}")
        if self._timed and elapsed >= 1.0 and 0.0 < share < 1.0:  # earlier, both would be guesses
            if self._amount_text is not None:
                parts.append(f"{self._amount_text(int(done / elapsed))}/s")
            parts.append(f"{duration_text(elapsed / share - elapsed)} left")
        return _GAP.join(filter(None, [*parts, note]))

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()


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
