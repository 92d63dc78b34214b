"""Pieces of an answer, gathered so that the window repaints no more than 30 times a second."""

from collections.abc import Iterable
from math import ceil
from time import perf_counter

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from app.core.chat import DraftSpan
from app.core.protocol import TextPiece

SHORTEST_PAUSE_S = 1 / 30
_LONGEST_PAUSE_S = 0.25
_REST = 8  # times as long as a repaint took, so that the engine has the processor


class StreamBuffer(QObject):
    """Hands on what it was given, at once if that was long enough ago, else a little later.

    No timer runs while nothing waits.
    """

    due = Signal(str, object)  # text, and the spans of it that a draft supplied: tuple[DraftSpan, ...]

    def __init__(self, parent: QObject | None = None, *, shortest_pause_s: float = SHORTEST_PAUSE_S) -> None:
        """`shortest_pause_s` is how long nothing is handed on after the last time."""
        super().__init__(parent)
        self._shortest_pause_s = shortest_pause_s
        self._texts: list[str] = []
        self._spans: list[DraftSpan] = []
        self._length = 0  # of the answer, in characters
        self._ready_at = 0.0
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self.flush)

    def start(self, length: int) -> None:
        """A new answer, of which so many characters are there already."""
        self._timer.stop()
        self._texts, self._spans, self._length = [], [], length

    def add(self, pieces: Iterable[TextPiece], round_number: int) -> None:
        """The text of a round; rounds count from 1."""
        for piece in pieces:
            size = len(piece.text)
            if piece.from_draft and size:
                span = DraftSpan(self._length, size, round_number, piece.position, piece.probability)
                self._spans.append(span)
            self._texts.append(piece.text)
            self._length += size
        if self._texts and not self._timer.isActive():
            self._timer.start(max(0, ceil(1000 * (self._ready_at - perf_counter()))))

    def flush(self) -> None:
        """Hands on what waits, now."""
        self._timer.stop()
        text, spans = "".join(self._texts), tuple(self._spans)
        self._texts, self._spans = [], []
        if not text:
            return
        began = perf_counter()
        self.due.emit(text, spans)
        took = perf_counter() - began
        pause = max(self._shortest_pause_s, min(_LONGEST_PAUSE_S, _REST * took))
        self._ready_at = began + pause
