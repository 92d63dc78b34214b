"""What drafts are expected to gain for a target: asked one after the other, and anew as settings move."""

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.core.advice import Advisor
from app.core.errors import SlipstreamError
from app.core.options import LoadOptions
from app.core.pair_expectation import DraftLengths, PairExpectation
from app.ui.tasks import Tasks


class Outlooks(QObject):
    """Asks the advisor. While an answer is asked for anew, the one before it stays."""

    outlook_changed = Signal()

    def __init__(self, target: Path, advisor: Advisor, tasks: Tasks, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._target = target
        self._advisor = advisor
        self._tasks = tasks
        self._load = LoadOptions()
        self._lengths = DraftLengths()
        self._wanted: list[Path | None] = []
        self._fresh: set[Path | None] = set()
        self._known: dict[Path | None, PairExpectation] = {}
        self._asked = False
        self._stale = False  # what is known has changed since the question that is under way was asked

    def of(self, draft: Path | None) -> PairExpectation | None:
        """What is known so far; None of a file stands for prompt lookup."""
        return self._known.get(draft)

    def look_at(self, *drafts: Path | None) -> None:
        """Wants to know these as well, in this order."""
        self._wanted += [draft for draft in drafts if draft not in self._wanted]
        self._next()

    def set_load(self, load: LoadOptions) -> None:
        """How the models would be loaded."""
        if load != self._load:
            self._load = load
            self.refresh()

    def set_lengths(self, lengths: DraftLengths) -> None:
        """How much would be drafted."""
        if lengths != self._lengths:
            self._lengths = lengths
            self.refresh()

    def refresh(self) -> None:
        """Wants everything anew, since files have changed."""
        self._fresh.clear()
        self._stale = self._asked
        self._next()

    def _next(self) -> None:
        if self._asked:
            return
        for draft in self._wanted:
            if draft not in self._fresh:
                self._ask(draft)
                return

    def _ask(self, draft: Path | None) -> None:
        self._asked = True
        load, lengths = self._load, self._lengths

        def take(found: PairExpectation) -> None:
            self._settle(draft, found)

        def fail(error: Exception) -> None:
            if not isinstance(error, SlipstreamError):
                raise error
            self._settle(draft, None)  # what is wrong with a file its row says

        def ask() -> PairExpectation:
            return self._advisor.expectation(self._target, draft, load, lengths)

        self._tasks.run(self, ask, take, fail)

    def _settle(self, draft: Path | None, found: PairExpectation | None) -> None:
        self._asked = False
        if not self._stale:
            self._fresh.add(draft)
            before = self._known.pop(draft, None)
            if found is not None:
                self._known[draft] = found
            if found != before:
                self.outlook_changed.emit()
        self._stale = False
        self._next()
