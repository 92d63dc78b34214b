"""The comparison that is carried out: one at a time, for whichever page began it."""

import logging
import time
from collections import deque
from collections.abc import Callable, Sequence

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from app.core.compare import WARM_UP_TOKENS
from app.core.experiment import Experiment, Plan
from app.core.prompts import Prompt
from app.core.protocol import (
    DraftAdded,
    Event,
    Failed,
    FailureKind,
    Finished,
    Prefilled,
    RoundFinished,
    Weighed,
)
from app.ui.comparison_facts import Facts, find_facts, with_identities
from app.ui.comparison_problems import problem_of, too_long_text
from app.ui.comparison_state import ComparisonState, Phase
from app.ui.comparison_steps import (
    Answer,
    LoadDraft,
    Step,
    WeighDifference,
    added_drafts,
    counted_runs,
    steps_of,
)
from app.ui.engine_end import EndKind, EngineEnd
from app.ui.engine_words import happened_sentence
from app.ui.measurement import Measurement
from app.ui.session import Session
from app.ui.side import Side
from app.ui.tasks import Task, Tasks
from app.ui.trials import Trials

_log = logging.getLogger(__name__)


class Comparison(QObject):
    """Carries out plans with the engine, which it borrows of the session meanwhile.

    What was begun ends with one of `finished` and `ended_without_result`. By then the engine is given back,
    unless it is lost, and the next comparison can begin.
    """

    state_changed = Signal(object)  # ComparisonState
    run_began = Signal(object)  # PlannedRun; these four are of runs that count alone
    prefilled = Signal(object, int, int)  # PlannedRun, tokens of the prompt read, tokens to read
    round_received = Signal(object, object)  # PlannedRun, Round
    run_ended = Signal(object)  # Run
    finished = Signal(object)  # Experiment; not complete where it was stopped or broke off
    ended_without_result = Signal(str)  # a sentence; empty where it was stopped
    problem_occurred = Signal(str)  # a sentence: why it broke off; `finished` follows

    def __init__(
        self,
        session: Session,
        tasks: Tasks,
        parent: QObject | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._tasks = tasks
        self._clock = clock
        self._state = ComparisonState()
        self._plan: Plan | None = None
        self._sides: tuple[Side, ...] = ()
        self._trials: Trials | None = None
        self._measurement: Measurement | None = None
        self._steps: deque[Step] = deque()
        self._step: Step | None = None
        self._problem = ""
        self._is_ending = False  # the engine is being given back
        self._task: Task | None = None

    @property
    def is_running(self) -> bool:
        """True from a successful `start` until it has ended."""
        return self._plan is not None

    @property
    def plan(self) -> Plan | None:
        """What is being carried out."""
        return self._plan

    @property
    def state(self) -> ComparisonState:
        """How far it is."""
        return self._state

    def start(self, plan: Plan, sides: Sequence[Side]) -> str:
        """Begins, or says in a sentence why it cannot; `sides` belong to the plan's variants, in their order.

        What turns out only later, such as a prompt that is too long, ends what was begun.
        """
        if [side.variant.id for side in sides] != [variant.id for variant in plan.variants]:
            raise ValueError("each variant needs its side")
        if problem := problem_of(plan, sides, self._session, comparing=self.is_running):
            return problem
        trials = self._session.begin_trials()
        assert trials is not None, "nothing was in the way"
        self._plan, self._sides, self._trials = plan, tuple(sides), trials
        self._problem, self._is_ending = "", False
        trials.event_received.connect(self._take)
        trials.closed.connect(self._end)
        trials.lost.connect(self._lose)
        runs = len(plan.variants) * len(plan.prompts) * plan.repeats
        self._enter(ComparisonState(Phase.WARMING_UP, of=runs))
        target, ready = trials.running.setup.target, self._session.capabilities
        version = "" if ready is None else ready.engine_version
        self._task = self._tasks.run(
            self, lambda: find_facts(target, sides, version), self._begin, self._give_up
        )
        return ""

    def stop(self) -> None:
        """Ends it early. The run under way is not counted; what had ended is kept."""
        if self._trials is not None and not self._is_ending:
            self._is_ending = True
            self._enter(replace(self._state, phase=Phase.STOPPING))
            self._give_back()

    def close(self) -> None:
        """Ends it at once, at the end of the program; what was measured is told before this returns."""
        trials, measurement = self._trials, self._measurement
        self._trials = None
        self._forget()
        if trials is not None:
            trials.close()
        if measurement is not None and measurement.run_count:
            self.finished.emit(measurement.experiment())

    def _begin(self, facts: Facts) -> None:
        trials, plan = self._trials, self._plan
        if trials is None or plan is None:
            return
        drafts = added_drafts(self._sides, trials.running)
        plan = with_identities(plan, self._sides, facts)
        self._measurement = Measurement(plan, trials.running, facts, drafts, self._clock)
        self._steps.extend(steps_of(plan, drafts))
        self._next()

    def _next(self) -> None:
        """Goes on to the next step; after the last of all the engine is given back."""
        trials, measurement = self._trials, self._measurement
        if trials is None or measurement is None or self._is_ending:
            return  # whoever heard of the last step has ended it all
        step = self._step = self._steps.popleft() if self._steps else None
        match step:
            case LoadDraft():
                trials.add_draft(step.path)
                self._enter(replace(self._state, phase=Phase.LOADING_DRAFT))
            case Answer():
                self._ask(step, trials, measurement)
            case WeighDifference():
                self._weigh(step, trials, measurement)
            case None:
                self._give_back()

    def _ask(self, step: Answer, trials: Trials, measurement: Measurement) -> None:
        plan, planned = measurement.plan, step.planned
        variant = plan.variant(planned.variant)
        limits = plan.limits if step.is_counted else replace(plan.limits, max_tokens=WARM_UP_TOKENS)
        measurement.begin(planned)
        trials.answer(
            _prompt(plan, planned.prompt).messages,
            plan.sampling,
            variant.speculation,
            limits,
            draft=measurement.draft_of(variant.id),
        )
        phase = Phase.RUNNING if step.is_counted else Phase.WARMING_UP
        seconds_left = measurement.seconds_left(counted_runs([step, *self._steps]))
        self._enter(ComparisonState(phase, planned, measurement.run_count, self._state.of, seconds_left))
        if self._state.phase is Phase.RUNNING:
            self.run_began.emit(planned)

    def _weigh(self, step: WeighDifference, trials: Trials, measurement: Measurement) -> None:
        plan, deviation = measurement.plan, step.deviation
        prompt = _prompt(plan, deviation.run.prompt)
        trials.weigh(prompt.messages, plan.sampling, deviation.shared, deviation.candidates)
        self._enter(ComparisonState(Phase.WEIGHING, None, measurement.run_count, self._state.of))

    def _take(self, event: Event) -> None:
        measurement, step = self._measurement, self._step
        assert measurement is not None
        match event, step:
            case Failed(kind=FailureKind.PROMPT_TOO_LONG), _:
                prompt = step.planned.prompt if isinstance(step, Answer) else ""
                self._break_off(too_long_text(measurement.plan, prompt, measurement.context_length))
            case Failed(), _:
                self._break_off(event.sentence)
            case Prefilled(), Answer(_, False) if event.of:
                share = event.done / event.of if event.done < event.of else None
                self._enter(replace(self._state, read=share))
            case Prefilled(), Answer(planned, True):
                self.prefilled.emit(planned, event.done, event.of)
            case RoundFinished(), Answer(planned, True):
                measurement.add(event.round)
                self.round_received.emit(planned, event.round)
            case Finished(), Answer():
                self._end_answer(event, step, measurement)
            case DraftAdded(), LoadDraft() if event.refusal is not None:
                self._break_off(event.refusal.sentence)
            case DraftAdded(), LoadDraft():
                measurement.add_draft(step.path, event.draft_bytes)
                self._next()
            case Weighed(), WeighDifference():
                measurement.weigh(step, event.weighing)
                self._next()

    def _end_answer(self, event: Finished, step: Answer, measurement: Measurement) -> None:
        if step.is_counted:
            run = measurement.end(event.done)
            if not self._steps:
                self._steps.extend(measurement.differences())
            self.run_ended.emit(run)
        if self._step is step:  # unless whoever heard of it has begun another comparison
            self._next()

    def _give_up(self, error: Exception) -> None:
        """Work in a thread has failed, before the first step or after the last one."""
        _log.error("A comparison failed.", exc_info=error)
        sentence = self.tr("The comparison ended with a fault of the program: {error}")
        self._problem = self._problem or sentence.format(error=f"{type(error).__name__}: {error}")
        if self._trials is None:
            self._tell(None)
        else:
            self._give_back()

    def _break_off(self, problem: str) -> None:
        self._problem = problem
        self._give_back()

    def _give_back(self) -> None:
        self._is_ending = True
        if self._task is not None:
            self._task.cancel()
        if self._trials is not None:
            self._trials.close()

    def _lose(self, end: EngineEnd) -> None:
        """The engine is gone, by the user's own wish or for a reason that the window tells as well."""
        if end.kind is not EndKind.CLOSED:
            self._problem = self._problem or happened_sentence(end)
        elif not self._is_ending:
            self._problem = self.tr("The model was unloaded before the comparison had ended.")
        self._give_back()
        self._end()

    def _end(self) -> None:
        """The engine is the session's again; what was measured is put together in a thread."""
        self._trials = None
        measurement = self._measurement
        if measurement is None or not measurement.run_count:
            self._tell(None)
        else:
            self._tasks.run(self, measurement.experiment, self._tell, self._give_up)

    def _tell(self, experiment: Experiment | None) -> None:
        if not self.is_running:
            return
        problem = self._problem
        self._forget()
        if experiment is None:
            self.ended_without_result.emit(problem)
            return
        if problem:
            self.problem_occurred.emit(problem)
        self.finished.emit(experiment)

    def _forget(self) -> None:
        self._plan = self._measurement = self._step = None
        self._sides = ()
        self._steps.clear()
        self._enter(ComparisonState())

    def _enter(self, state: ComparisonState) -> None:
        if state != self._state:
            self._state = state
            self.state_changed.emit(state)


def _prompt(plan: Plan, id_: str) -> Prompt:
    return next(prompt for prompt in plan.prompts if prompt.id == id_)
