"""How smooth the window stays while a long answer streams into the transcript. Run by hand.

    python tests/benchmarks/transcript.py [--tokens 20000] [--rate 200]

A scripted stream of prose, lists, tables and code at 200 tokens per second, half of it "from the draft" and
coloured, while somebody types into the composer. Measured: how long the event loop is away (a heartbeat of
1 ms, in elapsed time and in this thread's processor time), each repaint, the time from a key to its picture,
and memory after each quarter. Ends with 1 if a gap is longer than 50 ms, 1 % of them longer than 16 ms, or if
memory grows faster than the text. A busy machine lengthens elapsed times; --cpu judges processor time.
"""

import argparse
import os
import sys
from collections.abc import Iterator
from itertools import cycle, islice, pairwise
from pathlib import Path
from time import perf_counter, thread_time

sys.path.insert(0, str(Path(__file__).parents[2]))
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import psutil
from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QVBoxLayout, QWidget

from app.core.chat import Answer, AnswerState, ChatMessage, Role
from app.core.protocol import Round, TextPiece
from app.core.stats import DraftSource, RoundStats
from app.settings import ThemeChoice
from app.ui.composer import Composer
from app.ui.garbage_collector import GarbageCollector
from app.ui.icons import Icons
from app.ui.tasks import Tasks
from app.ui.theme import Theme
from app.ui.transcript import Transcript

LONGEST_GAP_S = 0.050
LONGEST_USUAL_GAP_S = 0.016  # 99 of 100
PER_ROUND = 4  # tokens
KEY_EVERY_MS = 150

SCRIPT = '''## Sorting, part {n}

The *quick* sort picks a **pivot**, splits the `values` around it and sorts both parts; see
[the article](https://example.org/quicksort) for more. On average it needs n log n comparisons, and in the
worst case, which is rare for a random pivot, n squared of them.

```python
def quicksort_{n}(values: list[int]) -> list[int]:
    """Return the values in ascending order."""
    if len(values) <= 1:
        return values

    pivot, *rest = values
    smaller = [value for value in rest if value < pivot]  # goes to the left
    larger = [value for value in rest if value >= pivot]
    print(f"pivot {{pivot}}", 42)
    return [*quicksort_{n}(smaller), pivot, *quicksort_{n}(larger)]
```

1. Choose a pivot. It may be the first value, the middle one, or a random one.
2. Split the rest:
   - what is smaller goes to the left,
   - what is not goes to the right.
3. Sort both parts in the same way:

   ```bash
   python -m sorting --part {n} | head -n 20
   ```

| Input | Comparisons | Time |
|---|---:|---:|
| sorted | {n}00 | 1.2 ms |
| random | {n}7 | 0.3 ms |

> A good pivot is worth more than a clever loop.

'''


class Meter:
    """Collects times in seconds."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.values: list[float] = []

    def share(self, part: float) -> float:
        """The value that so much of all values are below."""
        return sorted(self.values)[min(len(self.values) - 1, int(part * len(self.values)))]

    def line(self) -> str:
        """A line of the report."""
        half, most, longest = (1000 * self.share(part) for part in (0.5, 0.99, 1.0))
        figures = f"{half:8.2f} ms median {most:8.2f} ms p99 {longest:8.2f} ms max"
        return f"{self.name:38} {figures} ({len(self.values)})"


class Typist(QObject):
    """Presses keys and looks when they can be seen."""

    def __init__(self, field: QPlainTextEdit) -> None:
        super().__init__()
        self.meter = Meter("from a key to its picture")
        self._field = field
        self._pressed: float | None = None
        self._changed = False
        field.textChanged.connect(self._take_change)
        field.viewport().installEventFilter(self)
        self.timer = QTimer(self)
        self.timer.setInterval(KEY_EVERY_MS)
        self.timer.timeout.connect(self._press)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A key is seen once the field is painted."""
        if event.type() == QEvent.Type.Paint and self._changed and self._pressed is not None:
            self.meter.values.append(perf_counter() - self._pressed)
            self._pressed, self._changed = None, False
        return False

    def _take_change(self) -> None:
        self._changed = True

    def _press(self) -> None:
        if self._pressed is None:
            self._pressed = perf_counter()
            key = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_A, Qt.KeyboardModifier.NoModifier, "a")
            QCoreApplication.postEvent(self._field, key)


class Benchmark(QObject):
    """Plays the stream in real time."""

    def __init__(self, transcript: Transcript, tokens: int, rate: float) -> None:
        super().__init__()
        self.gaps = Meter("event loop away, elapsed")
        self.busy = Meter("event loop away, processor time")
        self.memory: list[int] = []
        self._transcript = transcript
        self._pieces = list(islice(_pieces(), tokens))
        self._rate = rate
        self._sent = 0
        self._round = 0
        self._beat = QTimer(self)
        self._beat.setTimerType(Qt.TimerType.PreciseTimer)
        self._beat.setInterval(1)
        self._beat.timeout.connect(self._take_beat)

    def start(self) -> None:
        """Begins, once the window stands."""
        self._began = self._last = perf_counter()
        self._last_busy = thread_time()
        self.memory.append(psutil.Process().memory_info().rss)
        self._beat.start()

    def _take_beat(self) -> None:
        now, busy = perf_counter(), thread_time()
        self.gaps.values.append(now - self._last)
        self.busy.values.append(busy - self._last_busy)
        self._last, self._last_busy = now, busy
        due = int((now - self._began) * self._rate)
        if due - self._sent >= PER_ROUND or due >= len(self._pieces):
            self._send(min(due, len(self._pieces)))

    def _send(self, due: int) -> None:
        before = self._sent
        while self._sent < due:
            end = min(self._sent + PER_ROUND, len(self._pieces))
            pieces = tuple(self._pieces[self._sent : end])
            self._round += 1
            stats = RoundStats(DraftSource.DRAFT_MODEL, 3, 3, 3, len(pieces), 0.0, 0.0, 0.0)
            self._transcript.add_round(Round((), pieces, stats), self._round)
            self._sent = end
        quarter = len(self._pieces) // 4
        if before // quarter != self._sent // quarter:
            self.memory.append(psutil.Process().memory_info().rss)
        if self._sent == len(self._pieces):
            self._beat.stop()
            QApplication.quit()


def _pieces() -> Iterator[TextPiece]:
    """Tokens of about four characters; three of four come from the draft."""
    position = 0
    for number in cycle(range(1, 100)):
        text = SCRIPT.format(n=number)
        for start in range(0, len(text), 4):
            position = (position + 1) % PER_ROUND
            yield TextPiece(text[start : start + 4], position > 0, position, 0.87 if position else None)


def main() -> int:
    """Plays the stream and reports."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tokens", type=int, default=20_000)
    parser.add_argument("--rate", type=float, default=200.0, help="tokens per second")
    parser.add_argument("--cpu", action="store_true", help="judge processor time, on a busy machine")
    chosen = parser.parse_args()
    application = QApplication([])
    theme = Theme(application, ThemeChoice.DARK)
    icons = Icons(theme)
    tasks = Tasks()
    window = QWidget()
    transcript, composer = Transcript(theme, icons, tasks), Composer(theme, icons)
    layout = QVBoxLayout(window)
    layout.addWidget(transcript, 1)
    layout.addWidget(composer)
    window.resize(980, 800)
    window.show()
    transcript.set_visualize(True)
    transcript.add_message(ChatMessage(1, None, Role.USER, "Explain sorting, at length.", 0.0))
    answer = Answer(AnswerState.RUNNING, "a target", "a draft")
    transcript.begin_answer(ChatMessage(2, 1, Role.ASSISTANT, "", 0.0, answer))
    field = composer.findChild(QPlainTextEdit)
    assert field is not None
    typist = Typist(field)
    benchmark = Benchmark(transcript, chosen.tokens, chosen.rate)
    collector = GarbageCollector()
    started = thread_time(), perf_counter()
    QTimer.singleShot(500, benchmark.start)
    QTimer.singleShot(600, typist.timer.start)
    application.exec()
    share = (thread_time() - started[0]) / (perf_counter() - started[1])
    typist.timer.stop()
    collector.close()
    tasks.close()
    return _report(benchmark, typist, share, by_cpu=chosen.cpu)


def _report(benchmark: Benchmark, typist: Typist, share: float, *, by_cpu: bool) -> int:
    for meter in (benchmark.gaps, benchmark.busy, typist.meter):
        print(meter.line())
    print(f"processor time of the window: {100 * share:.1f} % of one core, the heartbeat included")
    memory = benchmark.memory
    grown = [after - before for before, after in pairwise(memory)]
    print(
        "memory", ", ".join(f"{each / 1e6:.1f}" for each in memory), "MB at the start and after each quarter"
    )
    judged = benchmark.busy if by_cpu else benchmark.gaps
    linear = grown[-1] <= 1.5 * max(grown[1:-1]) + 4e6
    fine = judged.share(1.0) <= LONGEST_GAP_S and judged.share(0.99) <= LONGEST_USUAL_GAP_S and linear
    print("fine" if fine else "NOT FINE", "" if linear else "(memory grows faster than the text)")
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
