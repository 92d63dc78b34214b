"""What a model thinks aloud before it answers, between `<think>` and `</think>`."""

from app.ui.line_cutter import cut_lines
from app.ui.markdown_parts import Line

_BEGIN = "<think>"
_END = "</think>"


def thought_start(text: str) -> int | None:
    """Where the thought that a text begins with starts; None if it begins with none."""
    begin = len(text) - len(text.lstrip())
    if not text.startswith(_BEGIN, begin):
        return None
    return begin + len(_BEGIN)


def may_begin_with_thought(text: str) -> bool:
    """Whether more text may yet turn out to begin with a thought."""
    return _BEGIN.startswith(text.lstrip())


class ThoughtStream:
    """Reads a thought up to its end."""

    def __init__(self) -> None:
        self.closed = False
        self._begun = False  # blank lines before the first word are none of it

    def advance(self, text: str, start: int, *, ended: bool) -> tuple[tuple[Line, ...], int]:
        """The next lines, and where they end; `closed` says whether that is the end of the thought."""
        end = text.find(_END, start)
        known = end >= 0 or ended
        stop = end if end >= 0 else len(text)
        lines, at = cut_lines(text, start, stop, last=known)
        self.closed = known and at == stop
        while not self._begun and lines:
            self._begun = bool(lines[0].text.strip())
            lines = lines if self._begun else lines[1:]
        return tuple(lines), at + len(_END) if self.closed and end >= 0 else at

    def live_line(self, text: str, start: int) -> Line | None:
        """The line that is being written, without what may be the beginning of the end."""
        rest = text[start:]
        tail = next((size for size in range(len(_END), 0, -1) if rest.endswith(_END[:size])), 0)
        return Line(rest[: len(rest) - tail], start) if len(rest) > tail else None
