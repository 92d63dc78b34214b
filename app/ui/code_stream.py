"""A fenced block of code, line by line while it arrives."""

import re

from app.ui.line_cutter import cut_lines
from app.ui.markdown_document import language_of
from app.ui.markdown_parts import Line

_FENCE = re.compile(r"( {0,3})(`{3,}(?=[^`]*$)|~{3,})(.*)")


class CodeStream:
    """Reads a block up to the line that closes it. `opening` is the line that opened it."""

    def __init__(self, opening: str) -> None:
        found = _FENCE.fullmatch(opening)
        if found is None:
            raise ValueError(f"{opening!r} opens no block of code")
        self._indent = len(found[1])
        mark, count = re.escape(found[2][0]), len(found[2])
        self._closing = re.compile(rf" {{0,3}}{mark}{{{count},}}[ \t]*")
        self._perhaps_closing = re.compile(rf" {{0,3}}{mark}*[ \t]*")
        self._at_line_start = True
        self.language = language_of(found[3])
        self.closed = False

    def advance(self, text: str, start: int, *, ended: bool) -> tuple[tuple[Line, ...], int]:
        """The next lines, and where they end; `closed` says whether that is the end of the block."""
        found, end = cut_lines(text, start, len(text), last=ended)
        lines: list[Line] = []
        for line in found:
            if self._at_line_start and line.whole and self._closing.fullmatch(line.text):
                self.closed = True
                return tuple(lines), min(len(text), (line.source or 0) + len(line.text) + 1)
            lines.append(self._without_indent(line))
            self._at_line_start = line.whole
        self.closed = ended and end == len(text)
        return tuple(lines), end

    def live_line(self, text: str, start: int) -> Line | None:
        """The line that is being written; none while it may be the one that closes the block."""
        rest = text[start:]
        if not rest or (self._at_line_start and self._perhaps_closing.fullmatch(rest)):
            return None
        return self._without_indent(Line(rest, start))

    def _without_indent(self, line: Line) -> Line:
        if not self._at_line_start or not self._indent or line.source is None:
            return line
        cut = min(self._indent, len(line.text) - len(line.text.lstrip(" ")))
        return Line(line.text[cut:], line.source + cut, line.whole)
