"""The window's end of an engine's pipes, before a worker whose loader pretends."""

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

import numpy as np

from app.core.chat import Message, Role
from app.core.errors import LoadCancelledError, OptionsError, TemplateError
from app.core.framing import FrameReader, ProtocolError, event_from, frame
from app.core.options import (
    GenerationLimits,
    LoadOptions,
    SamplingOptions,
    SpeculationMode,
    SpeculationOptions,
)
from app.core.pass_costs import PassCosts
from app.core.protocol import VERSION, Command, Done, Event, Generate, Load, Obstacle, Ready, Refusal, Round
from app.core.stats import DraftSource, RoundStats, StatsRecorder, StopReason
from app.core.weighing import Weighing
from app.engine.event_writer import WindowGoneError
from app.engine.stopping import InterruptedPassError, StopSignal
from app.engine.tokens import Tokens
from app.engine.worker import Engine, Pair, serve

READY = Ready(VERSION, "pretended 1", supports_gpu=False, threads=2)
REFUSAL = Refusal(Obstacle.INCOMPATIBLE, "It does not fit.")
COSTS = PassCosts((1, 2), (1.0, 1.5), 0.5, 4)
ROUND = Round((1,), (), RoundStats(DraftSource.NONE, 0, 0, 0, 1, 0.0, 0.0, 0.0))


class PretendedPair:
    """Answers with three rounds; "wait" until it is stopped. A prompt that names a failure raises it."""

    context_length = 4096
    has_draft = True
    target_bytes = 1000
    draft_bytes = 100
    refusal = None
    draft_refusal = REFUSAL
    template_problem = TemplateError("The template is broken.")

    def __init__(self, loader: "PretendedLoader") -> None:
        self._loader = loader
        self._text = ""
        self._knows_costs = False
        self.is_closed = False
        self.calls: list[tuple[object, ...]] = []  # what was asked for besides prompts

    def prompt_tokens(self, messages: Sequence[Message]) -> Tokens:
        """Seven tokens."""
        self._text = messages[-1].content
        return np.zeros(7, np.int32)

    def generate(
        self,
        prompt: Tokens,
        sampling: SamplingOptions,
        speculation: SpeculationOptions,
        limits: GenerationLimits,
        stop: StopSignal,
        on_prefill: Callable[[int, int], None] | None = None,
        *,
        draft: Path | None = None,
        trace: bool = False,
    ) -> Iterator[Round | Done]:
        """Rounds; "wait" has no end before its stop."""
        self._called("generate", draft, trace)
        if self._text in self._loader.failures:
            raise self._loader.failures[self._text]
        assert on_prefill is not None
        on_prefill(7, 7)
        rounds = 0
        while not stop.is_set and (self._text == "wait" or rounds < 3):
            rounds += 1
            yield ROUND
        reason = StopReason.STOPPED if stop.is_set else StopReason.END_OF_GENERATION
        yield Done((), StatsRecorder(0.0, len(prompt)).finish(reason, 1))

    def forget(self) -> None:
        """Empties nothing."""
        self._called("forget")

    def add_draft(self, path: Path, options: LoadOptions, stop: StopSignal) -> int | Refusal:
        """Adds anything but "misfit"; "slow" until it is stopped."""
        self._called("add", path, options)
        while path.name == "slow":
            if stop.is_set:
                raise LoadCancelledError("Loading slow was cancelled.")
        return REFUSAL if path.name == "misfit" else 100

    def remove_draft(self, path: Path) -> None:
        """Removes it."""
        self._called("remove", path)

    def weigh(
        self,
        prompt: Tokens,
        sampling: SamplingOptions,
        answer: Sequence[int],
        candidates: Sequence[int | None],
        stop: StopSignal,
    ) -> Weighing:
        """Logits that are the tokens themselves, the end's 0; "wait" is stopped."""
        self._called("weigh", len(prompt), sampling, tuple(answer))
        if self._text == "wait":
            raise InterruptedPassError
        tokens = [each or 0 for each in candidates]
        return Weighing(tuple(map(float, tokens)), tuple(f"<{token}>" for token in tokens), len(answer), 0.5)

    def measure_costs(
        self,
        most: int,
        stop: StopSignal,
        draft: Path | None = None,
        on_progress: Callable[[int, int], None] | None = None,
    ) -> PassCosts:
        """A second for each token."""
        self._called("measure", most, draft)
        if draft is not None and draft.name == "missing":
            raise OptionsError("The draft model missing is not loaded.")
        if on_progress is not None:
            on_progress(most, most)
        lengths = tuple(range(1, most + 1))
        return PassCosts(lengths, tuple(map(float, lengths)), 0.5, 32)

    def prepare(
        self,
        speculation: SpeculationOptions,
        stop: StopSignal,
        on_progress: Callable[[int, int], None] | None = None,
        *,
        draft: Path | None = None,
        prompt: Tokens | None = None,
    ) -> PassCosts | None:
        """`COSTS` where something drafts, measured once."""
        if speculation.mode is SpeculationMode.OFF:
            return None
        if not self._knows_costs:
            self._called("prepare", draft)
            assert on_progress is not None
            on_progress(1, 2)
            while self._loader.measures_for_ever and not stop.is_set:
                pass
            if stop.is_set:
                raise InterruptedPassError
            on_progress(2, 2)
            self._knows_costs = True
        return COSTS

    def close(self) -> None:
        """Remembers it."""
        self.is_closed = True

    def _called(self, *call: object) -> None:
        self._loader.threads.add(threading.current_thread())
        self.calls.append(call)


class PretendedLoader:
    """Loads at once, "slow" until it is cancelled, "deaf" until it is stopped, and then it has loaded."""

    def __init__(self) -> None:
        self.threads: set[threading.Thread] = set()
        self.failures: dict[str, Exception] = {}
        self.pairs: list[PretendedPair] = []
        self.steps = 1
        self.measures_for_ever = False  # in `prepare`, until it is stopped
        self.blocked = threading.Event()  # "blocked" loads until this is set, and hears nothing

    def load(
        self,
        target: Path,
        draft: Path | None,
        options: LoadOptions,
        on_progress: Callable[[float], bool] | None = None,
    ) -> Pair:
        """Loads, or raises what was put into `failures` for the target's name."""
        self.threads.add(threading.current_thread())
        assert on_progress is not None
        if target.name in self.failures:
            raise self.failures[target.name]
        for step in range(self.steps):
            on_progress((step + 1) / self.steps)
        if target.name == "blocked":
            self.blocked.wait()
        going_on = target.name in ("slow", "deaf")
        while going_on:
            going_on = on_progress(0.5)
        if target.name == "slow":
            raise LoadCancelledError("Loading slow was cancelled.")
        self.pairs.append(PretendedPair(self))
        return self.pairs[-1]


class Window:
    """The other end of the pipes, and `serve` in a thread."""

    def __init__(self) -> None:
        self.loader = PretendedLoader()
        commands, self._commands = pipe()
        self._events, self._written_to = pipe()
        self._frames = FrameReader()
        self._arrived: list[Event] = []
        self.failure: BaseException | None = None
        self.serving = threading.Thread(target=self._serve, args=(commands, self._written_to))
        self.serving.start()

    def send(self, *commands: Command) -> None:
        """Sends commands in one go."""
        self.send_bytes(b"".join(frame(command) for command in commands))

    def send_bytes(self, data: bytes) -> None:
        """Sends anything."""
        self._commands.write(data)

    def next(self) -> Event:
        """The next event; waits for it."""
        while not self._arrived:
            data = self._events.read(65536)
            assert data, "the engine has ended"
            self._arrived += [event_from(content) for content in self._frames.feed(data)]
        return self._arrived.pop(0)

    def until(self, kind: type[Event]) -> list[Event]:
        """Events up to the first of that kind."""
        events = [self.next()]
        while not isinstance(events[-1], kind):
            events.append(self.next())
        return events

    def close(self) -> None:
        """Ends the engine's input, and waits for `serve` to return."""
        self._commands.close()
        self.serving.join(30)
        assert not self.serving.is_alive()

    def close_events(self) -> None:
        """Reads no more; then the engine's thread cannot wait for a full pipe either."""
        self._events.close()

    def finish(self) -> None:
        """Ends everything, and waits for it."""
        self.loader.blocked.set()
        self.close()
        self.close_events()
        for thread in self.loader.threads:
            thread.join(30)
            assert not thread.is_alive()
        self._written_to.close()

    def _serve(self, commands: BinaryIO, events: BinaryIO) -> None:
        try:
            serve(commands, events, lambda: Engine(READY, self.loader))
        except (ProtocolError, WindowGoneError) as error:
            self.failure = error
        finally:
            commands.close()


def pipe() -> tuple[BinaryIO, BinaryIO]:
    """Its two ends, to read from and to write to."""
    read, write = os.pipe()
    return os.fdopen(read, "rb", buffering=0), os.fdopen(write, "wb", buffering=0)


def load(request_id: int, name: str = "model") -> Load:
    """A request to load a model."""
    return Load(request_id, Path("/models") / name, None, LoadOptions())


def generate(request_id: int, text: str = "hello") -> Generate:
    """A request for an answer."""
    messages = (Message(Role.USER, text),)
    return Generate(request_id, messages, SamplingOptions(), SpeculationOptions(), GenerationLimits())
