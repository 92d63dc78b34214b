"""Looks at every local model, one after the other, for whether it can draft for a target."""

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.core.advice import Advisor
from app.core.compatibility import Compatibility
from app.core.errors import SlipstreamError
from app.models.library import LocalModel
from app.ui.draft_candidates import Candidate, Unreadable, Verdict, arrange, verdict_on
from app.ui.library_service import LibraryService
from app.ui.tasks import Task, Tasks


class DraftChecks(QObject):
    """Keeps the candidates and follows the library: what has changed on the disk is looked at again."""

    candidates_changed = Signal()

    def __init__(
        self,
        target: LocalModel,
        library: LibraryService,
        advisor: Advisor,
        tasks: Tasks,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._target = target
        self._library = library
        self._advisor = advisor
        self._tasks = tasks
        self._chosen: Path | None = None
        self._verdicts: dict[Path, tuple[LocalModel, Verdict]] = {}
        self._task: Task | None = None
        self._wanted = False
        self.candidates: tuple[Candidate, ...] = ()
        library.listing_changed.connect(self._follow)
        self._arrange()

    def start(self) -> None:
        """Begins to look at files; until then all that is known are their headers."""
        if not self._wanted:
            self._wanted = True
            self._next()

    def choose(self, path: Path | None) -> None:
        """Tells which one is chosen: a file that is not in the library is a candidate as well."""
        self._chosen = path
        self._arrange()

    def stop(self) -> None:
        """Looks at no further file."""
        self._wanted = False
        if self._task is not None:
            self._task.cancel()
            self._task = None

    def _follow(self) -> None:
        found = self._library.find(self._target.path)
        if found is not None and found != self._target:
            self._target = found
            self._verdicts.clear()
        listed = set(self._library.listing.models)
        self._verdicts = {path: kept for path, kept in self._verdicts.items() if kept[0] in listed}
        if self._task is not None:
            self._task.cancel()
            self._task = None
        self._arrange()
        self._next()

    def _arrange(self) -> None:
        listing = self._library.listing
        verdicts = {path: verdict for path, (_, verdict) in self._verdicts.items()}
        self.candidates = arrange(self._target, listing.models, listing.unusable, verdicts, self._chosen)
        self.candidates_changed.emit()

    def _next(self) -> None:
        row = next((row for row in self.candidates if row.is_open), None)
        if row is None or row.model is None or self._task is not None or not self._wanted:
            return
        target, draft = self._target, row.model

        def done(answer: Compatibility) -> None:
            self._settle(draft, verdict_on(target, draft, answer))

        def failed(error: Exception) -> None:
            if not isinstance(error, SlipstreamError):
                raise error
            self._settle(draft, Unreadable(str(error)))

        task = self._tasks.run(
            self, lambda: self._advisor.compatibility(target.path, draft.path), done, failed
        )
        if draft.path not in self._verdicts:
            self._task = task

    def _settle(self, draft: LocalModel, verdict: Verdict) -> None:
        self._task = None
        self._verdicts[draft.path] = (draft, verdict)
        self._arrange()
        self._next()
