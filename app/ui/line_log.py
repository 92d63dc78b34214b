"""The last lines of what a process prints, however little of them comes at a time."""

from collections import deque

LINES_KEPT = 200
LONGEST_LINE = 2000  # characters; the rest of a longer one begins a new line


class LineLog:
    """Takes bytes as they come and keeps the last lines."""

    def __init__(self, limit: int = LINES_KEPT) -> None:
        self.limit = limit
        self._lines: deque[str] = deque(maxlen=limit)
        self._begun = b""

    @property
    def lines(self) -> tuple[str, ...]:
        """The last whole lines, and one that is not whole yet."""
        return (*self._lines, _text(self._begun)) if self._begun else tuple(self._lines)

    def feed(self, data: bytes) -> list[str]:
        """Adds bytes; gives the lines that they complete."""
        *whole, self._begun = (self._begun + data).split(b"\n")
        while len(self._begun) > LONGEST_LINE:
            whole.append(self._begun[:LONGEST_LINE])
            self._begun = self._begun[LONGEST_LINE:]
        added = [part for line in whole for part in _cut(_text(line))]
        self._lines.extend(added)
        return added

    def add(self, line: str) -> list[str]:
        """Adds a line from elsewhere; gives it, and before it what was begun."""
        added = [*self.finish(), line]
        self._lines.append(line)
        return added

    def finish(self) -> list[str]:
        """Takes what was begun for a line."""
        return self.feed(b"\n") if self._begun else []


def _text(line: bytes) -> str:
    return line.decode("utf-8", errors="replace").rstrip("\r")


def _cut(line: str) -> list[str]:
    return [line[start : start + LONGEST_LINE] for start in range(0, len(line), LONGEST_LINE)]
