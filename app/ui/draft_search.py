"""Looks for draft models on the hub, and compares vocabularies before anything is downloaded."""

from collections.abc import Callable
from pathlib import Path
from threading import Event

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from app.core.advice import Advisor
from app.core.compatibility import Compatibility, Compatible, Incompatible
from app.core.errors import ModelFileError, SlipstreamError
from app.models.draft_facts import Outlook, TargetFacts, outlook_for
from app.models.draft_suggestions import PASSED_OVER, DraftSuggestion, suggest
from app.models.hub import Hub
from app.models.hub_problems import HubError
from app.models.info import read_info
from app.ui.draft_candidates import takes_back_tokens
from app.ui.tasks import Task, Tasks


class NotChecked(Struct, frozen=True):
    """It is likely to fit; nothing more is known yet. `sentence` says why not, once that failed."""

    sentence: str = ""


class Checking(Struct, frozen=True):
    """Headers are being fetched and compared."""


class Checked(Struct, frozen=True):
    """The vocabularies fit."""


class DoesNotFit(Struct, frozen=True):
    """The vocabularies differ."""

    reason: Incompatible


class Unusable(Struct, frozen=True):
    """The file cannot draft at all. An empty sentence: it cannot take back rejected tokens."""

    sentence: str = ""


Verdict = NotChecked | Checking | Checked | DoesNotFit | Unusable


class _NoneCompared(Struct, frozen=True):
    """Neither this nor any other can be compared now."""

    sentence: str


class Finding(Struct, frozen=True):
    """A suggestion with what is known of it."""

    suggestion: DraftSuggestion
    verdict: Verdict = NotChecked()

    @property
    def may_fit(self) -> bool:
        """False once it is known not to."""
        return not isinstance(self.verdict, DoesNotFit | Unusable)

    @property
    def has_failed(self) -> bool:
        """True where it could not be found out; trying again makes sense."""
        return isinstance(self.verdict, NotChecked) and bool(self.verdict.sentence)


class Idle(Struct, frozen=True):
    """Nothing was asked."""


class Looking(Struct, frozen=True):
    """The hub is being asked."""


class Hopeless(Struct, frozen=True):
    """Looking makes no sense."""

    outlook: Outlook


class Found(Struct, frozen=True):
    """What was found, the likeliest first; perhaps nothing."""

    findings: tuple[Finding, ...]


class Failed(Struct, frozen=True):
    """The hub could not be asked; `sentence` is for people."""

    sentence: str


SearchState = Idle | Looking | Hopeless | Found | Failed


class DraftSearch(QObject):
    """One search after the other; what an earlier one still brings is dropped.

    Vocabularies are compared one at a time, the likeliest draft's first, until one fits; with `check_all`,
    all of them. A header is some megabytes.
    """

    changed = Signal()

    def __init__(
        self,
        hub: Hub,
        advisor: Advisor,
        tasks: Tasks,
        *,
        limit: int = 4,
        check_all: bool = False,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._hub = hub
        self._advisor = advisor
        self._tasks = tasks
        self._limit = limit
        self._check_all = check_all
        self._question: tuple[TargetFacts, Callable[[], Path]] | None = None
        self._chosen: DraftSuggestion | None = None
        self._task: Task | None = None
        self._stop = Event()
        self.state: SearchState = Idle()

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What was found so far."""
        return self.state.findings if isinstance(self.state, Found) else ()

    @property
    def current(self) -> Finding | None:
        """The one to offer: chosen by the person, else known to fit, else likely to."""
        chosen = [each for each in self.findings if each.suggestion == self._chosen]
        checked = [each for each in self.findings if isinstance(each.verdict, Checked)]
        likely = [each for each in self.findings if each.may_fit]
        likely.sort(key=lambda each: each.has_failed)
        return next(iter((*chosen, *checked, *likely)), None)

    def begin(self, facts: TargetFacts, target: Callable[[], Path]) -> None:
        """Looks for a target's drafts. `target` gives a file with its header, in a thread; it may raise
        HubError or ModelFileError.
        """
        self.stop()
        self._question = facts, target
        outlook = outlook_for(facts)
        if outlook is not Outlook.HOPEFUL:
            self._show(Hopeless(outlook))
            return
        stop = self._stop
        self._show(Looking())
        self._run(
            lambda: suggest(self._hub, facts, self._limit, lambda: not stop.is_set()),
            lambda found: self._take(found),
            self._take_failure,
        )

    def again(self) -> None:
        """Repeats what failed: the search, or the comparison."""
        if isinstance(self.state, Found):
            for finding in self.findings:
                if finding.has_failed:
                    self._settle(finding.suggestion, NotChecked())
            self._next()
        elif self._question is not None:
            self.begin(*self._question)

    def choose(self, suggestion: DraftSuggestion) -> None:
        """Prefers one of those found, and compares its vocabulary next."""
        self._chosen = suggestion
        self.changed.emit()
        self._next()

    def stop(self) -> None:
        """Forgets all of it."""
        self._stop.set()
        self._stop = Event()
        if self._task is not None:
            self._task.cancel()
            self._task = None
        self._question = self._chosen = None
        self.state = Idle()

    def _run(
        self,
        work: Callable[[], object],
        done: Callable[..., None],
        failed: Callable[[Exception], None] | None = None,
    ) -> None:
        """With tasks that are done at once, the answer is there before the task is known."""
        stop = self._stop
        task = self._tasks.run(self, work, done, failed)
        if not stop.is_set():
            self._task = task

    def _show(self, state: SearchState) -> None:
        self.state = state
        self.changed.emit()

    def _take(self, found: tuple[DraftSuggestion, ...]) -> None:
        self._show(Found(tuple(Finding(suggestion) for suggestion in found)))
        self._next()

    def _take_failure(self, error: Exception) -> None:
        if not isinstance(error, SlipstreamError):
            raise error
        self._show(Failed(str(error)))

    def _next(self) -> None:
        suggestion = self._to_check()
        if suggestion is None or self._question is None:
            return
        target = self._question[1]
        self._settle(suggestion, Checking())
        self._run(
            lambda: self._compare(target, suggestion),
            lambda verdict: self._take_verdict(suggestion, verdict),
        )

    def _to_check(self) -> DraftSuggestion | None:
        findings = self.findings
        if any(isinstance(each.verdict, Checking) for each in findings):
            return None
        chosen = [each for each in findings if each.suggestion == self._chosen]
        if not self._check_all and any(isinstance(each.verdict, Checked) for each in findings):
            findings = ()
        waiting = (each for each in (*chosen, *findings) if each.verdict == NotChecked())
        return next((each.suggestion for each in waiting), None)

    def _compare(self, target: Callable[[], Path], suggestion: DraftSuggestion) -> Verdict | _NoneCompared:
        """In a thread."""
        try:
            ours = target()
        except (HubError, ModelFileError) as error:
            return _NoneCompared(str(error))
        try:
            theirs = self._hub.header(suggestion.model, suggestion.row)
            if not takes_back_tokens(read_info(theirs)):
                return Unusable()
            answer: Compatibility = self._advisor.compatibility(ours, theirs)
        except HubError as error:
            sentence = str(error)
            return NotChecked(sentence) if error.problem in PASSED_OVER else _NoneCompared(sentence)
        except ModelFileError as error:
            return _NoneCompared(str(error)) if error.path == ours else Unusable(str(error))
        return Checked() if isinstance(answer, Compatible) else DoesNotFit(answer)

    def _take_verdict(self, suggestion: DraftSuggestion, verdict: Verdict | _NoneCompared) -> None:
        if not isinstance(verdict, _NoneCompared):
            self._settle(suggestion, verdict)
            self._next()
            return
        for finding in self.findings:
            if finding.suggestion == suggestion or finding.verdict == NotChecked():
                self._settle(finding.suggestion, NotChecked(verdict.sentence))

    def _settle(self, suggestion: DraftSuggestion, verdict: Verdict) -> None:
        self._show(
            Found(
                tuple(
                    replace(each, verdict=verdict) if each.suggestion == suggestion else each
                    for each in self.findings
                )
            )
        )
