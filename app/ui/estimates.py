"""Estimates of memory while settings move: one at a time, and only the last one asked for counts."""

from pathlib import Path

from msgspec import Struct
from PySide6.QtCore import QObject, Signal

from app.core.advice import Advisor
from app.core.errors import SlipstreamError
from app.core.estimate import MemoryEstimate
from app.core.options import LoadOptions
from app.ui.tasks import Task, Tasks


class _Question(Struct, frozen=True):
    target: Path
    draft: Path | None
    options: LoadOptions


class Estimates(QObject):
    """Asks the advisor. A question that comes while another is being answered waits for it, replacing any
    that waits already; answers to questions that were replaced are not told.
    """

    estimated = Signal(object)  # MemoryEstimate
    failed = Signal(str)  # a sentence: why there is none

    def __init__(self, advisor: Advisor, tasks: Tasks, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._advisor = advisor
        self._tasks = tasks
        self._wanted: _Question | None = None
        self._asked: _Question | None = None
        self._stale = False  # files have changed since the question that is under way was asked
        self._task: Task | None = None

    def ask(self, target: Path, draft: Path | None, options: LoadOptions) -> None:
        """Wants an estimate."""
        question = _Question(target, draft, options)
        if question != self._wanted:
            self._wanted = question
            self._next()

    def refresh(self) -> None:
        """Wants the last one anew, since files have changed."""
        self._stale = self._asked is not None
        self._next()

    def stop(self) -> None:
        """Wants none any more."""
        self._wanted = self._asked = None
        self._stale = False
        if self._task is not None:
            self._task.cancel()
            self._task = None

    def _next(self) -> None:
        question = self._wanted
        if question is None or self._asked is not None:
            return
        self._asked = question
        self._task = self._tasks.run(
            self,
            lambda: self._advisor.estimate(question.target, question.draft, question.options),
            self._take,
            self._take_failure,
        )

    def _take(self, estimate: MemoryEstimate) -> None:
        if self._is_wanted():
            self.estimated.emit(estimate)

    def _take_failure(self, error: Exception) -> None:
        if not isinstance(error, SlipstreamError):
            raise error
        if self._is_wanted():
            self.failed.emit(str(error))

    def _is_wanted(self) -> bool:
        """Whether the answer that has just come is to the last question; asks the next one if it is not."""
        asked, self._asked = self._asked, None
        stale, self._stale = self._stale, False
        if asked == self._wanted and not stale:
            return True
        self._next()
        return False
