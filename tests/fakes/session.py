"""A session without an engine: the test says what it tells."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QObject, Signal

from app.core.chat import Message
from app.core.protocol import Done, Ready, Round
from app.core.stats import GenerationStats, StatsRecorder, StopReason
from app.settings import ModelConfig
from app.ui.session_state import Empty, Running, SessionState, Setup
from tests.fakes.setups import loaded


class FakeSession(QObject):
    """Has the signals and methods of Session; remembers what it was asked for."""

    state_changed = Signal(object)
    load_progressed = Signal(float)
    costs_progressed = Signal(int, int)
    capabilities_known = Signal(object)
    probe_failed = Signal(object)
    prompt_progressed = Signal(int, int)
    round_received = Signal(object)
    answer_finished = Signal(object)
    answer_failed = Signal(object)
    answer_lost = Signal(object)
    config_changed = Signal(object)
    log_received = Signal(object)
    measuring_changed = Signal(bool)

    def __init__(self) -> None:
        super().__init__()
        self.state: SessionState = Empty()
        self.capabilities: Ready | None = None
        self.engine_pid: int | None = None
        self.is_answering = False
        self.is_measuring = False
        self.trials: Any = None  # what `begin_trials` lends
        self.asked: list[tuple[Message, ...]] = []
        self.loads: list[Setup] = []
        self.adjusted: list[ModelConfig] = []
        self.stops = 0

    def enter(self, state: SessionState) -> None:
        """Goes to another state."""
        self.state = state
        self.state_changed.emit(state)

    def run(self, setup: Setup) -> None:
        """Has loaded it."""
        self.enter(Running(setup, loaded(has_draft=setup.draft is not None)))

    def generate(self, messages: Sequence[Message]) -> None:
        self.is_answering = True
        self.asked.append(tuple(messages))

    def finish(self, done: Done) -> None:
        """The answer is whole."""
        self.is_answering = False
        self.answer_finished.emit(done)

    def begin_trials(self) -> Any:
        """Lends `trials` where the engine is free."""
        if self.is_answering or self.is_measuring or not isinstance(self.state, Running):
            return None
        if self.trials is not None:
            self.measure(True)
        return self.trials

    def measure(self, measuring: bool) -> None:
        """Somebody measures, or does no longer."""
        self.is_measuring = measuring
        self.measuring_changed.emit(measuring)

    def stop(self) -> None:
        self.stops += 1

    def load(self, setup: Setup) -> None:
        self.loads.append(setup)

    def reload(self) -> None:
        self.loads.append(self.loads[-1])

    def cancel_load(self) -> None:
        self.enter(Empty())

    def eject(self) -> None:
        self.enter(Empty())

    def adjust(self, config: ModelConfig) -> bool:
        self.adjusted.append(config)
        return True

    def probe(self) -> None:
        """Finds out nothing."""

    def close(self) -> None:
        """Has nothing to end."""


def totals(
    *rounds: Round, prompt_tokens: int = 10, reason: StopReason = StopReason.END_OF_GENERATION
) -> GenerationStats:
    """The figures of an answer of these rounds, a second each."""
    recorder = StatsRecorder(0.0, prompt_tokens)
    recorder.prompt_read(0.5, 0)
    for number, round_ in enumerate(rounds, 1):
        recorder.add(round_.stats, float(number))
    return recorder.finish(reason, 10**9)
