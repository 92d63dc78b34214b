"""The engine's side of the pipe, with a loader that pretends."""

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pytest

from app.core.chat import Message, Role
from app.core.errors import (
    EngineError,
    FileProblem,
    GrammarError,
    LoadCancelledError,
    LoadError,
    ModelFileError,
    OptionsError,
    PromptTooLongError,
    SlipstreamError,
    TemplateError,
)
from app.core.options import GenerationLimits, LoadOptions, SamplingOptions, SpeculationOptions
from app.core.protocol import (
    VERSION,
    Command,
    Done,
    Event,
    Failed,
    FailureKind,
    Finished,
    FrameReader,
    Generate,
    Load,
    Loaded,
    LoadProgressed,
    Obstacle,
    Prefilled,
    ProtocolError,
    Ready,
    Refusal,
    Round,
    RoundFinished,
    Stop,
    event_from,
    frame,
)
from app.core.stats import DraftSource, RoundStats, StatsRecorder, StopReason
from app.engine.event_writer import EventWriter, WindowGoneError
from app.engine.stopping import StopSignal
from app.engine.tokens import Tokens
from app.engine.worker import Engine, Pair, serve

READY = Ready(VERSION, "pretended 1", supports_gpu=False, threads=2)
REFUSAL = Refusal(Obstacle.INCOMPATIBLE, "It does not fit.")
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
        self.is_closed = False

    def prompt_tokens(self, messages: Sequence[Message]) -> Tokens:
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
    ) -> Iterator[Round | Done]:
        self._loader.threads.add(threading.current_thread())
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

    def close(self) -> None:
        self.is_closed = True


class PretendedLoader:
    """Loads at once, "slow" until it is cancelled, "deaf" until it is stopped, and then it has loaded."""

    def __init__(self) -> None:
        self.threads: set[threading.Thread] = set()
        self.failures: dict[str, Exception] = {}
        self.pairs: list[PretendedPair] = []
        self.steps = 1
        self.blocked = threading.Event()  # "blocked" loads until this is set, and hears nothing

    def load(
        self,
        target: Path,
        draft: Path | None,
        options: LoadOptions,
        on_progress: Callable[[float], bool] | None = None,
    ) -> Pair:
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
        commands, self._commands = _pipe()
        self._events, self._written_to = _pipe()
        self._frames = FrameReader()
        self._arrived: list[Event] = []
        self.failure: BaseException | None = None
        self.serving = threading.Thread(target=self._serve, args=(commands, self._written_to))
        self.serving.start()

    def send(self, *commands: Command) -> None:
        self.send_bytes(b"".join(frame(command) for command in commands))

    def send_bytes(self, data: bytes) -> None:
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


def _pipe() -> tuple[BinaryIO, BinaryIO]:
    read, write = os.pipe()
    return os.fdopen(read, "rb", buffering=0), os.fdopen(write, "wb", buffering=0)


@pytest.fixture
def window() -> Iterator[Window]:
    opened = Window()
    yield opened
    opened.finish()


def load(request_id: int, name: str = "model") -> Load:
    return Load(request_id, Path("/models") / name, None, LoadOptions())


def generate(request_id: int, text: str = "hello") -> Generate:
    messages = (Message(Role.USER, text),)
    return Generate(request_id, messages, SamplingOptions(), SpeculationOptions(), GenerationLimits())


@pytest.fixture
def loaded(window: Window) -> Window:
    """With a model, Ready and Loaded read."""
    window.send(load(1))
    window.until(Loaded)
    return window


def test_first_it_says_that_it_is_ready(window: Window) -> None:
    assert window.next() == READY


def test_a_load_tells_progress_and_what_was_loaded(window: Window) -> None:
    window.send(load(5))
    _, progress, answer = window.until(Loaded)

    assert progress == LoadProgressed(5, 1.0)
    assert isinstance(answer, Loaded)
    assert answer.load_s >= 0.0
    assert answer == Loaded(5, 4096, True, 1000, 100, answer.load_s, None, REFUSAL, "The template is broken.")


def test_progress_is_not_told_too_often(window: Window) -> None:
    window.loader.steps = 10_000
    window.send(load(1))
    shares = [event.share for event in window.until(Loaded) if isinstance(event, LoadProgressed)]

    assert len(shares) < 1000  # twenty a second, however slow the machine
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_an_answer_comes_round_by_round(loaded: Window) -> None:
    loaded.send(generate(2))
    prefilled, *rounds, finished = loaded.until(Finished)

    assert prefilled == Prefilled(2, 7, 7)
    assert rounds == [RoundFinished(2, ROUND)] * 3
    assert isinstance(finished, Finished)
    assert finished.done.stats.stop_reason is StopReason.END_OF_GENERATION


def test_stop_is_heard_while_it_answers(loaded: Window) -> None:
    loaded.send(generate(2, "wait"))
    loaded.until(RoundFinished)
    loaded.send(Stop(2))
    finished = loaded.until(Finished)[-1]

    assert isinstance(finished, Finished)
    assert finished.done.stats.stop_reason is StopReason.STOPPED


def test_stop_is_heard_before_its_request_is_begun(loaded: Window) -> None:
    loaded.send(generate(2, "wait"), generate(3, "wait"), Stop(3), Stop(2))
    loaded.until(Finished)

    assert [type(event) for event in loaded.until(Finished)] == [Prefilled, Finished]


def test_stop_of_another_request_changes_nothing(loaded: Window) -> None:
    loaded.send(Stop(1), Stop(77), generate(2))

    finished = loaded.until(Finished)[-1]
    assert isinstance(finished, Finished)
    assert finished.done.stats.stop_reason is StopReason.END_OF_GENERATION


def test_stop_cancels_a_load(window: Window) -> None:
    window.send(load(1, "slow"))
    window.until(LoadProgressed)
    window.send(Stop(1))

    assert window.until(Failed)[-1] == Failed(1, FailureKind.CANCELLED, "Loading slow was cancelled.")


def test_stop_cancels_a_load_that_does_not_heed_it(window: Window) -> None:
    window.send(load(1, "deaf"))
    window.until(LoadProgressed)
    window.send(Stop(1))

    assert window.until(Failed)[-1] == Failed(1, FailureKind.CANCELLED, "Loading deaf was cancelled.")
    assert window.loader.pairs[0].is_closed


def test_after_a_cancelled_load_another_can_be_asked_for(window: Window) -> None:
    window.send(load(1, "slow"), Stop(1), load(2))

    loaded = window.until(Loaded)[-1]
    assert isinstance(loaded, Loaded)
    assert loaded.request_id == 2


def test_loads_and_answers_happen_on_one_thread_that_is_not_the_one_that_reads(loaded: Window) -> None:
    loaded.send(generate(2), generate(3))
    loaded.until(Finished)
    loaded.until(Finished)

    assert len(loaded.loader.threads) == 1
    assert loaded.serving not in loaded.loader.threads


@pytest.mark.parametrize(
    ("error", "kind", "log"),
    [
        (ModelFileError(Path("x"), FileProblem.DAMAGED, "A sentence."), FailureKind.MODEL_FILE, ()),
        (LoadError("A sentence.", ("a line",)), FailureKind.LOAD, ("a line",)),
        (OptionsError("A sentence."), FailureKind.OPTIONS, ()),
        (TemplateError("A sentence."), FailureKind.TEMPLATE, ()),
        (GrammarError("A sentence."), FailureKind.GRAMMAR, ()),
        (PromptTooLongError(9, 8), FailureKind.PROMPT_TOO_LONG, ()),
        (EngineError("A sentence."), FailureKind.ENGINE, ()),
        (SlipstreamError("A sentence."), FailureKind.ENGINE, ()),
    ],
)
def test_what_people_are_told_of_is_told_to_the_window(
    loaded: Window, error: SlipstreamError, kind: FailureKind, log: tuple[str, ...]
) -> None:
    loaded.loader.failures["this"] = error
    loaded.send(generate(2, "this"), generate(3))

    assert loaded.next() == Failed(2, kind, str(error), log)
    assert isinstance(loaded.until(Finished)[-1], Finished)


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (ValueError("broken"), FailureKind.INTERNAL),
        (OSError("disk on fire"), FailureKind.INTERNAL),
        (MemoryError(), FailureKind.OUT_OF_MEMORY),
    ],
)
def test_what_nobody_foresaw_is_told_with_its_traceback(
    loaded: Window, capsys: pytest.CaptureFixture[str], error: Exception, kind: FailureKind
) -> None:
    loaded.loader.failures["this"] = error
    loaded.send(generate(2, "this"), generate(3))
    failed = loaded.next()

    assert isinstance(failed, Failed)
    assert failed.kind is kind
    assert "Error" not in failed.sentence
    assert failed.log[-1].startswith(type(error).__name__)
    assert type(error).__name__ in capsys.readouterr().err
    assert isinstance(loaded.until(Finished)[-1], Finished)  # and it goes on


def test_a_failed_load_says_why_and_another_can_be_asked_for(window: Window) -> None:
    window.loader.failures["bad"] = LoadError("It is bad.")
    window.send(load(1, "bad"), load(2))

    assert window.until(Failed)[-1] == Failed(1, FailureKind.LOAD, "It is bad.")
    window.until(Loaded)


def test_an_answer_without_a_model_is_refused(window: Window) -> None:
    window.send(generate(1))

    failed = window.until(Failed)[-1]
    assert isinstance(failed, Failed)
    assert failed.kind is FailureKind.NOT_LOADED


def test_a_second_model_is_refused(loaded: Window) -> None:
    loaded.send(load(2))

    failed = loaded.next()
    assert isinstance(failed, Failed)
    assert failed.kind is FailureKind.INTERNAL


def test_the_end_of_the_input_is_heard_while_a_load_hears_nothing(window: Window) -> None:
    window.send(load(1, "blocked"))
    window.until(LoadProgressed)
    window.close()  # waits for serve to return

    assert not window.loader.blocked.is_set()


def test_the_end_of_the_input_stops_an_answer_and_frees_the_model(loaded: Window) -> None:
    loaded.send(generate(2, "wait"))
    loaded.until(RoundFinished)
    loaded.close()
    loaded.close_events()
    (thread,) = loaded.loader.threads
    thread.join(30)

    assert not thread.is_alive()
    assert loaded.loader.pairs[0].is_closed


def test_the_thread_ends_when_nobody_reads_the_events(loaded: Window) -> None:
    loaded.close_events()
    loaded.send(generate(2, "wait"))
    (thread,) = loaded.loader.threads
    thread.join(30)

    assert not thread.is_alive()


def test_what_is_no_command_ends_it(window: Window) -> None:
    window.send_bytes(b"\x04\x00\x00\x00junk")
    window.serving.join(30)

    assert isinstance(window.failure, ProtocolError)


def test_frames_of_two_threads_do_not_mix() -> None:
    read, write = _pipe()
    writer = EventWriter(write)
    events: list[Event] = [Failed(number, FailureKind.ENGINE, "x" * 20_000) for number in range(20)]

    def send_all(some: list[Event]) -> None:
        for event in some:
            writer.send(event)

    threads = [threading.Thread(target=send_all, args=(some,)) for some in (events[::2], events[1::2])]
    for thread in threads:
        thread.start()
    frames = FrameReader()
    arrived: list[Event] = []
    while len(arrived) < len(events):
        arrived += [event_from(content) for content in frames.feed(read.read(4096))]
    for thread in threads:
        thread.join()
    read.close()
    write.close()

    assert sorted(event.request_id for event in arrived if isinstance(event, Failed)) == list(range(20))
