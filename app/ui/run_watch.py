"""Between a tab's run bar and the comparison: begins it, follows it, and collects what has ended."""

from collections.abc import Callable, Sequence

from msgspec import Struct
from PySide6.QtCore import QObject, Signal

from app.core.experiment import Experiment, Plan, Run
from app.ui.compare_services import CompareServices
from app.ui.comparison_state import ComparisonState
from app.ui.run_bar import RunBar
from app.ui.run_reason import reason_not_to_run
from app.ui.side import Side
from app.ui.variant_words import variant_text


class Work(Struct, frozen=True):
    """What is to be carried out; the sides belong to the plan's variants."""

    plan: Plan
    sides: tuple[Side, ...]


class RunWatch(QObject):
    """For one tab. `make_work` gives what Run would begin, or says why nothing can be."""

    began = Signal()
    run_ended = Signal()  # another one is among `runs`
    finished = Signal(object, object)  # Experiment, and the Work that it came of
    ended_without_result = Signal()
    problem_occurred = Signal(str)

    def __init__(
        self,
        services: CompareServices,
        bar: RunBar,
        make_work: Callable[[], Work | str],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._services = services
        self._comparison = services.comparison
        self._bar = bar
        self._make_work = make_work
        self._work: Work | None = None  # under way, begun here
        self._runs: list[Run] = []
        bar.run_requested.connect(self.start)
        bar.stop_requested.connect(self._comparison.stop)
        self._comparison.state_changed.connect(self._show_state)
        self._comparison.run_ended.connect(self._take)
        self._comparison.finished.connect(self._finish)
        self._comparison.ended_without_result.connect(self._give_up)
        self._comparison.problem_occurred.connect(self._tell_problem)
        session = services.session
        for signal in (
            session.state_changed,
            session.measuring_changed,
            session.answer_finished,
            session.answer_failed,
            session.answer_lost,
        ):
            signal.connect(self.check)

    @property
    def work(self) -> Work | None:
        """What is being carried out, where it was begun here."""
        return self._work

    @property
    def runs(self) -> Sequence[Run]:
        """What has ended of it."""
        return self._runs

    def start(self) -> None:
        """Begins, or says why it cannot."""
        if self._work is not None:
            return
        work = reason_not_to_run(self._services) or self._make_work()
        if isinstance(work, str):
            self.problem_occurred.emit(work)
            return
        self._work, self._runs = work, []
        if problem := self._comparison.start(work.plan, work.sides):
            self._work = None
            self.problem_occurred.emit(problem)
            return
        self.began.emit()
        self._show_state(self._comparison.state)

    def check(self) -> None:
        """Finds out anew whether anything can be run."""
        if self._work is None:
            self._bar.set_reason(self._reason())

    def _reason(self) -> str:
        work = reason_not_to_run(self._services) or self._make_work()
        return work if isinstance(work, str) else ""

    def _show_state(self, state: ComparisonState) -> None:
        if self._work is None:
            self._bar.show_state(ComparisonState(), str)
            self.check()
        else:
            self._bar.show_state(state, self._words_of, with_prompt=len(self._work.plan.prompts) > 1)

    def _words_of(self, variant: str) -> str:
        assert self._work is not None
        return variant_text(self._work.plan.variant(variant))

    def _take(self, run: Run) -> None:
        if self._work is not None:
            self._runs.append(run)
            self.run_ended.emit()

    def _finish(self, experiment: Experiment) -> None:
        work = self._end()
        if work is not None:
            self.finished.emit(experiment, work)

    def _give_up(self, problem: str) -> None:
        if self._end() is not None:
            if problem:
                self.problem_occurred.emit(problem)
            self.ended_without_result.emit()

    def _tell_problem(self, problem: str) -> None:
        if self._work is not None:
            self.problem_occurred.emit(problem)

    def _end(self) -> Work | None:
        """What was under way, if it was begun here; now nothing is."""
        work, self._work = self._work, None
        self._show_state(self._comparison.state)
        return work
