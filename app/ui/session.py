"""The session: the loaded model, from the window's side.

Every load has an engine process of its own, which ends when the model goes: unloading is certain, and what
one model leaves behind cannot reach the next.
"""

from collections.abc import Callable, Sequence

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from app.core.chat import Message
from app.core.protocol import (
    CostsProgressed,
    Event,
    Failed,
    FailureKind,
    Finished,
    Load,
    Loaded,
    LoadProgressed,
    Prefilled,
    Ready,
    RoundFinished,
)
from app.settings import ModelConfig
from app.ui.chat_request import chat_request
from app.ui.engine_client import EngineClient, GracePeriods
from app.ui.engine_end import EndKind, EngineEnd
from app.ui.session_state import (
    Empty,
    EngineLost,
    LoadFailed,
    Loading,
    Running,
    SessionState,
    Setup,
    adjusted,
    needs_reload,
    to_load,
)
from app.ui.trials import Trials


class Session(QObject):
    """Loads, answers, ejects, and lends its engine for measuring. Nothing here waits, `close` excepted.

    An answer that was asked for ends with exactly one of `answer_finished` (stopped ones included),
    `answer_failed` (the engine is well and the model still there) and `answer_lost` (it is not).
    """

    state_changed = Signal(object)  # SessionState; not for an adjusted config, see config_changed
    load_progressed = Signal(float)  # 0 to 1
    costs_progressed = Signal(int, int)  # passes timed, passes to time: during a load, or before an answer
    capabilities_known = Signal(object)  # Ready
    probe_failed = Signal(object)  # EngineEnd
    prompt_progressed = Signal(int, int)  # tokens read, tokens to read
    round_received = Signal(object)  # Round
    answer_finished = Signal(object)  # Done
    answer_failed = Signal(object)  # Failed
    answer_lost = Signal(object)  # EngineEnd; kind CLOSED where the model was ejected meanwhile
    config_changed = Signal(object)  # ModelConfig now in force
    log_received = Signal(object)  # tuple[str, ...]: lines that the engine printed
    measuring_changed = Signal(bool)  # whether the engine is lent

    def __init__(
        self, command: Sequence[str], parent: QObject | None = None, *, grace: GracePeriods | None = None
    ) -> None:
        """`command` starts an engine; `grace` says how long one is waited for before it is made to end."""
        super().__init__(parent)
        self._command = tuple(command)
        self._grace = grace or GracePeriods()
        self._state: SessionState = Empty()
        self._last_setup: Setup | None = None
        self._capabilities: Ready | None = None
        self._engine: EngineClient | None = None  # that of the state
        self._ending: list[EngineClient] = []  # still giving back their memory
        self._probe: EngineClient | None = None
        self._answering = False
        self._trials: Trials | None = None
        self._closed = False

    @property
    def state(self) -> SessionState:
        """What is loaded, or why nothing is."""
        return self._state

    @property
    def capabilities(self) -> Ready | None:
        """What the engine can do here; None until one was started."""
        return self._capabilities

    @property
    def engine_pid(self) -> int | None:
        """The process that holds the model; None where there is none."""
        return self._engine.pid if self._engine is not None else None

    @property
    def is_answering(self) -> bool:
        """True from `generate` to the end of the answer."""
        return self._answering

    @property
    def is_measuring(self) -> bool:
        """True while the engine is lent; nothing can be answered meanwhile."""
        return self._trials is not None

    def probe(self) -> None:
        """Learns the engine's capabilities in the background: `capabilities_known` or `probe_failed`."""
        if self._capabilities is not None or self._probe is not None or self._closed:
            return
        probe = self._probe = self._new_engine()

        def ended(end: EngineEnd) -> None:
            self._probe = None
            probe.deleteLater()
            if self._capabilities is None and end.kind is not EndKind.CLOSED:
                self.probe_failed.emit(end)

        def ready(_: Ready) -> None:
            probe.close()

        probe.became_ready.connect(ready)
        probe.ended.connect(ended)
        probe.start()

    def load(self, setup: Setup) -> None:
        """Loads a model in place of the one that is loaded or loading; that one's process ends first."""
        if self._closed:
            return
        setup = to_load(setup)
        self._last_setup = setup
        self._drop(Loading(setup))
        self._begin_load()

    def cancel_load(self) -> None:
        """Ends a load; nothing is loaded afterwards."""
        if isinstance(self._state, Loading):
            self._drop(Empty())

    def reload(self) -> None:
        """Loads what was loaded last, or was to be. Does nothing where nothing was."""
        if self._last_setup is not None:
            self.load(self._last_setup)

    def eject(self) -> None:
        """Lets the model go, or gives up a load, and forgets a failure."""
        self._drop(Empty())

    def adjust(self, config: ModelConfig) -> bool:
        """Puts in force for the next answer what of `config` needs no reload (see `adjusted`).

        True where that is all of it; False where a reload is needed for the rest.
        """
        state = self._state
        if isinstance(state, Empty):
            return True
        before = state.setup.config
        after = adjusted(before, config)
        if after != before:
            setup = replace(state.setup, config=after)
            self._state = replace(state, setup=setup)
            self._last_setup = setup
            self.config_changed.emit(after)
        return not needs_reload(before, config)

    def generate(self, messages: Sequence[Message]) -> None:
        """Answers a conversation, the config's system prompt put before it where it has none of its own.

        Only while a model is loaded and the engine free; raises RuntimeError otherwise.
        """
        state, engine = self._state, self._free_engine()
        if not isinstance(state, Running) or engine is None:
            raise RuntimeError("no model is loaded, or it is busy already")
        self._answering = True
        engine.ask(chat_request(messages, state.setup.config))

    def begin_trials(self) -> Trials | None:
        """Lends the engine for measuring, until the trials are over; None where it is not free.

        Loading and ejecting end the trials, as they end an answer.
        """
        state, engine = self._state, self._free_engine()
        if not isinstance(state, Running) or engine is None:
            return None
        trials = self._trials = Trials(engine, state, self)
        trials.closed.connect(self._end_trials)
        self.measuring_changed.emit(True)
        return trials

    def stop(self) -> None:
        """Ends the answer early; what was said stands. An engine that does not hear it is ended.

        Trials have a stop of their own.
        """
        if self._answering and self._engine is not None:
            self._engine.stop()

    def close(self) -> None:
        """Ends every engine and waits for it: for the end of the program. Nothing can be done afterwards."""
        self._closed = True
        self._drop(Empty())
        for engine in [*self._ending, *([self._probe] if self._probe is not None else [])]:
            engine.close_now()

    def _drop(self, state: SessionState) -> None:
        """Goes to `state` and lets the engine go, the answer with it."""
        engine, self._engine = self._engine, None
        end = None
        if engine is not None:
            end = EngineEnd(EndKind.CLOSED, None, engine.activity, engine.log)
            self._ending.append(engine)
        self._enter(state, end)
        if engine is not None:
            engine.close()

    def _enter(self, state: SessionState, end: EngineEnd | None = None) -> None:
        """Goes to `state`; an answer under way is lost for the reason given."""
        self._state = state
        if self._answering and end is not None:
            self._answering = False
            self.answer_lost.emit(end)
        if self._trials is not None and end is not None:
            trials = self._trials
            self._end_trials()
            trials.lose(end)
        if self._state is state:  # unless whoever heard of it has gone on already
            self.state_changed.emit(state)

    def _free_engine(self) -> EngineClient | None:
        """The engine, where nothing is under way in it."""
        return None if self._answering or self._trials is not None else self._engine

    def _end_trials(self) -> None:
        if self._trials is not None:
            self._trials.deleteLater()
            self._trials = None
            self.measuring_changed.emit(False)

    def _begin_load(self) -> None:
        """Starts the engine for a load, once the memory of the one before is given back."""
        if not isinstance(self._state, Loading) or self._engine is not None or self._ending or self._closed:
            return
        engine = self._engine = self._new_engine()
        engine.became_ready.connect(self._of(engine, self._ask_for_load))
        engine.event_received.connect(self._of(engine, self._take))
        engine.log_received.connect(self.log_received)
        engine.ended.connect(lambda end: self._engine_ended(engine, end))
        engine.start()

    def _new_engine(self) -> EngineClient:
        engine = EngineClient(self._command, self, grace=self._grace)
        engine.became_ready.connect(self._learn)
        return engine

    def _of(self, engine: EngineClient, take: Callable[[Event], None]) -> Callable[[Event], None]:
        """Takes events as long as `engine` is the session's."""
        return lambda event: take(event) if self._engine is engine else None

    def _learn(self, ready: Ready) -> None:
        if self._capabilities != ready:
            self._capabilities = ready
            self.capabilities_known.emit(ready)

    def _ask_for_load(self, _: Event) -> None:
        if isinstance(self._state, Loading) and self._engine is not None:
            setup = self._state.setup
            draft = None if setup.draft is None else setup.draft.path
            config = setup.config
            self._engine.ask(Load(0, setup.target.path, draft, config.load, config.speculation))

    def _take(self, event: Event) -> None:
        if self._trials is not None:
            self._trials.take(event)
            return
        match event:
            case LoadProgressed():
                self.load_progressed.emit(event.share)
            case CostsProgressed():
                self.costs_progressed.emit(event.done, event.of)
            case Loaded():
                if isinstance(self._state, Loading):
                    self._enter(Running(self._state.setup, event))
            case Prefilled():
                self.prompt_progressed.emit(event.done, event.of)
            case RoundFinished():
                self.round_received.emit(event.round)
            case Finished():
                self._answering = False
                self.answer_finished.emit(event.done)
            case Failed():
                self._take_failure(event)

    def _take_failure(self, failed: Failed) -> None:
        if isinstance(self._state, Loading):
            cancelled = failed.kind is FailureKind.CANCELLED
            self._drop(Empty() if cancelled else LoadFailed(self._state.setup, failed))
        else:
            self._answering = False
            self.answer_failed.emit(failed)

    def _engine_ended(self, engine: EngineClient, end: EngineEnd) -> None:
        engine.deleteLater()
        if engine in self._ending:
            self._ending.remove(engine)
            self._begin_load()
        elif engine is self._engine:
            self._engine = None
            setup = None if isinstance(self._state, Empty) else self._state.setup
            self._enter(Empty() if setup is None else EngineLost(setup, end), end)
