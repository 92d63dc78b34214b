"""Between a tab's run bar and the comparison: begins it, and hands on what comes of it."""

from collections.abc import Callable

from msgspec import Struct
from PySide6.QtCore import QObject, Signal

from app.core.experiment import Experiment, Plan, PlannedRun, Run
from app.core.protocol import Round
from app.ui.compare_services import CompareServices
from app.ui.comparison_problems import engine_problem, follow_engine, problem_of
from app.ui.comparison_state import ComparisonState
from app.ui.run_bar import RunBar
from app.ui.side import Side
from app.ui.variant_words import variant_text


class Work(Struct, frozen=True):
    """What is to be carried out; the sides belong to the plan's variants."""

    plan: Plan
    sides: tuple[Side, ...]


class RunWatch(QObject):
    """For one tab: of what others began it tells nothing.

    `make_work` gives what Run would begin; None while no model is loaded.
    """

    began = Signal(object)  # Work
    run_began = Signal(object)  # PlannedRun; these four are of runs that count alone
    prefilled = Signal(object, int, int)  # PlannedRun, tokens of the prompt read, tokens to read
    round_received = Signal(object, object)  # PlannedRun, Round
    run_ended = Signal(object)  # Run
    finished = Signal(object)  # Experiment
    ended_without_result = Signal(str)  # why, in a sentence
    problem_occurred = Signal(str)

    def __init__(
        self,
        services: CompareServices,
        bar: RunBar,
        make_work: Callable[[], Work | None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session = services.session
        self._comparison = services.comparison
        self._bar = bar
        self._make_work = make_work
        self._work: Work | None = None  # under way, begun here
        self._reason = ""  # as the bar shows it
        bar.run_requested.connect(self.start)
        bar.stop_requested.connect(self._comparison.stop)
        self._comparison.state_changed.connect(self._show_state)
        self._comparison.run_began.connect(self._begin_run)
        self._comparison.prefilled.connect(self._prefill)
        self._comparison.round_received.connect(self._add_round)
        self._comparison.run_ended.connect(self._end_run)
        self._comparison.finished.connect(self._finish)
        self._comparison.ended_without_result.connect(self._give_up)
        self._comparison.problem_occurred.connect(self._tell_problem)
        follow_engine(self._session, self.check)

    @property
    def work(self) -> Work | None:
        """What is being carried out, where it was begun here."""
        return self._work

    @property
    def reason(self) -> str:
        """Why nothing can be begun, as of the last check; empty where it can, or where its own goes on."""
        return self._reason if self._work is None else ""

    def start(self) -> None:
        """Begins, or says why it cannot."""
        if self._work is not None:
            return
        work = self._make_work()
        if problem := self._problem_of(work):
            self.problem_occurred.emit(problem)
            return
        assert work is not None
        self._work = work
        if problem := self._comparison.start(work.plan, work.sides):
            self._work = None
            self.problem_occurred.emit(problem)
            return
        self.began.emit(work)
        self._show_state(self._comparison.state)

    def check(self) -> None:
        """Finds out anew whether anything can be run."""
        if self._work is None:
            reason = self._problem_of(self._make_work())
            if reason != self._reason:
                self._reason = reason
                self._bar.set_reason(reason)

    def _problem_of(self, work: Work | None) -> str:
        comparing = self._comparison.is_running
        if work is None:
            return engine_problem(self._session, comparing=comparing)
        return problem_of(work.plan, work.sides, self._session, comparing=comparing)

    def _show_state(self, state: ComparisonState) -> None:
        if self._work is None:
            self._bar.show_state(ComparisonState(), str)
            self.check()
        else:
            self._bar.show_state(state, self._words_of, with_prompt=len(self._work.plan.prompts) > 1)

    def _words_of(self, variant: str) -> str:
        assert self._work is not None
        return variant_text(self._work.plan.variant(variant))

    def _begin_run(self, planned: PlannedRun) -> None:
        if self._work is not None:
            self.run_began.emit(planned)

    def _prefill(self, planned: PlannedRun, done: int, of: int) -> None:
        if self._work is not None:
            self.prefilled.emit(planned, done, of)

    def _add_round(self, planned: PlannedRun, round_: Round) -> None:
        if self._work is not None:
            self.round_received.emit(planned, round_)

    def _end_run(self, run: Run) -> None:
        if self._work is not None:
            self.run_ended.emit(run)

    def _finish(self, experiment: Experiment) -> None:
        if self._end():
            self.finished.emit(experiment)

    def _give_up(self, problem: str) -> None:
        if self._end():
            self.ended_without_result.emit(problem or self.tr("Stopped; nothing had been measured yet."))

    def _tell_problem(self, problem: str) -> None:
        if self._work is not None:
            self.problem_occurred.emit(problem)

    def _end(self) -> bool:
        """Nothing is under way any more; whether it was begun here."""
        was_here = self._work is not None
        self._work = None
        self._show_state(self._comparison.state)
        return was_here
