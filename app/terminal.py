"""What the command line shows while something goes on."""

import shutil
import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import TextIO

from app.figures import duration_text
from app.tables import display_width, fit, printable

_BAR_WIDTH = 16  # columns
_GAP = "  "


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
