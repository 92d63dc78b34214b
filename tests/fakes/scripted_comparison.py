"""A comparison without an engine: the test says what comes of it."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal

from app.core.compare import schedule
from app.core.experiment import Experiment, Plan, PlannedRun, Run
from app.core.protocol import Round
from app.ui.comparison_state import ComparisonState, Phase
from app.ui.side import Side


class ScriptedComparison(QObject):
    """Has the signals and methods of Comparison; remembers what it was asked for.

    A test calls `begin`, then `give_round` and `end_run` as often as it likes, in the end one of `finish`,
    `fail` and `give_up`.
    """

    state_changed = Signal(object)
    run_began = Signal(object)
    prefilled = Signal(object, int, int)
    round_received = Signal(object, object)
    run_ended = Signal(object)
    finished = Signal(object)
    ended_without_result = Signal(str)
    problem_occurred = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.asked: list[tuple[Plan, tuple[Side, ...]]] = []
        self.refusal = ""  # what `start` says; empty: it begins
        self.stops = 0
        self.plan: Plan | None = None
        self.state = ComparisonState()
        self._left: list[PlannedRun] = []
        self._planned: PlannedRun | None = None

    @property
    def is_running(self) -> bool:
        return self.plan is not None

    def start(self, plan: Plan, sides: Sequence[Side]) -> str:
        """Remembers the question; refuses where it was told to."""
        self.asked.append((plan, tuple(sides)))
        if not self.refusal:
            self.plan = plan
            self._left = schedule(plan)
            self._enter(Phase.WARMING_UP)
        return self.refusal

    def stop(self) -> None:
        self.stops += 1
        if self.is_running:
            self._enter(Phase.STOPPING)

    def begin(self, seconds_left: float | None = None) -> PlannedRun:
        """The next run of the schedule begins."""
        self._planned = self._left.pop(0)
        self._enter(Phase.RUNNING, seconds_left)
        self.run_began.emit(self._planned)
        return self._planned

    def read(self, done: int, of: int) -> None:
        """So much of the prompt is read."""
        self.prefilled.emit(self._planned, done, of)

    def give_round(self, round_: Round) -> None:
        """The run has another round."""
        self.round_received.emit(self._planned, round_)

    def end_run(self, run: Run) -> None:
        """The run is whole."""
        self.run_ended.emit(run)
        self._planned = None

    def finish(self, experiment: Experiment) -> None:
        """This came of it."""
        self._end()
        self.finished.emit(experiment)

    def fail(self, sentence: str, experiment: Experiment | None = None) -> None:
        """It broke off, with what was measured or without anything."""
        self._end()
        if experiment is None:
            self.ended_without_result.emit(sentence)
        else:
            self.problem_occurred.emit(sentence)
            self.finished.emit(experiment)

    def give_up(self) -> None:
        """It was stopped before anything had ended."""
        self.fail("")

    def _enter(self, phase: Phase, seconds_left: float | None = None) -> None:
        of = len(self.plan.variants) * len(self.plan.prompts) * self.plan.repeats if self.plan else 0
        begun = self._planned is not None
        self.state = ComparisonState(
            phase, self._planned, of - len(self._left) - begun if of else 0, of, seconds_left
        )
        self.state_changed.emit(self.state)

    def _end(self) -> None:
        self.plan = None
        self._planned = None
        self._enter(Phase.IDLE)
