"""The engine as a real process: its pipes, its end, and what becomes of it without memory."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

import app
from app.bootstrap import engine_command
from app.core.chat import Message, Role
from app.core.framing import FrameReader, event_from, frame
from app.core.options import GenerationLimits, LoadOptions, SamplingOptions, SpeculationOptions
from app.core.protocol import (
    VERSION,
    Command,
    Event,
    Failed,
    FailureKind,
    Finished,
    Generate,
    Load,
    Loaded,
    LoadProgressed,
    Prefilled,
    Ready,
    RoundFinished,
    Stop,
)
from app.core.stats import StopReason
from tests.fakes.tiny_gguf import CHATML, write_llama

ROOT = Path(app.__file__).parent.parent
OPTIONS = LoadOptions(context_length=32_768, batch_size=64, threads=1)

unix_only = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")

# An engine with a loader of its own; `{}` is what happens when a model is asked for.
PRETENDED = """
import os, sys, time
from app.core.protocol import VERSION, Ready
from app.engine.process import run
from app.engine.worker import Engine

class Loader:
    def load(self, target, draft, options, on_progress):
        on_progress(0.5)
        {}

def open_engine():
    os.write(1, b"a native print\\n")
    print("a print of Python's", flush=True)
    return Engine(Ready(VERSION, "pretended", False, 1), Loader())

run(open_engine)
"""


class EngineProcess:
    """An engine with its pipes."""

    def __init__(self, command: tuple[str, ...], log: Path) -> None:
        self._log = log
        with log.open("wb") as stderr:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                bufsize=0,
                env={**os.environ, "PYTHONPATH": str(ROOT)},
            )
        self._frames = FrameReader()
        self._arrived: list[Event] = []

    @property
    def log(self) -> str:
        """What it printed on standard error."""
        return self._log.read_text(encoding="utf-8", errors="replace")

    def send(self, *commands: Command) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(b"".join(frame(command) for command in commands))

    def next(self) -> Event | None:
        """The next event, None at the end."""
        assert self.process.stdout is not None
        while not self._arrived:
            data = self.process.stdout.read(65536)
            if not data:
                return None
            self._arrived += [event_from(content) for content in self._frames.feed(data)]
        return self._arrived.pop(0)

    def until(self, *kinds: type[Event]) -> Event:
        """The next event of one of the kinds."""
        while (event := self.next()) is not None:
            if isinstance(event, kinds):
                return event
        raise AssertionError(f"the engine ended with {self.process.wait()}:\n{self.log}")

    def close_input(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()

    def finish(self) -> int:
        """Ends it with its input; the exit code."""
        self.close_input()
        return self.process.wait(60)


Start = Callable[..., EngineProcess]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts engines: the real one, or one that runs a program."""
    started: list[EngineProcess] = []

    def run(program: str | None = None) -> EngineProcess:
        command = engine_command() if program is None else (sys.executable, "-P", "-c", program)
        engine = EngineProcess(command, tmp_path / f"log{len(started)}.txt")
        started.append(engine)
        return engine

    yield run
    for engine in started:
        with engine.process as process:
            process.kill()


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny model that can talk for long."""
    path = tmp_path_factory.mktemp("models") / "tiny.gguf"
    return write_llama(path, context_length=32_768, chat_template=CHATML)


def generate(request_id: int, text: str = "Hello", max_tokens: int = 0) -> Generate:
    return Generate(
        request_id,
        (Message(Role.USER, text),),
        SamplingOptions(temperature=0.0),
        SpeculationOptions(),
        GenerationLimits(max_tokens=max_tokens),
    )


LONG_PROMPT = "a long story about a boat " * 1000


def test_it_says_what_it_is_and_ends_with_its_input(start: Start) -> None:
    engine = start()
    ready = engine.until(Ready)

    assert isinstance(ready, Ready)
    assert ready.version == VERSION
    assert ready.engine_version.startswith("llama-cpp-python")
    assert ready.threads >= 1
    assert engine.finish() == 0


def test_a_model_is_loaded_and_answers(start: Start, model: Path) -> None:
    engine = start()
    engine.send(Load(1, model, None, OPTIONS))
    loaded = engine.until(Loaded)
    assert isinstance(loaded, Loaded)
    assert loaded.context_length == 32_768

    engine.send(generate(2, max_tokens=5))
    finished = engine.until(Finished)
    assert isinstance(finished, Finished)
    assert finished.done.stats.generated_tokens == 5
    assert engine.finish() == 0


def test_the_log_of_llama_cpp_is_on_standard_error(start: Start, model: Path) -> None:
    engine = start()
    engine.send(Load(1, model, None, OPTIONS))
    engine.until(Loaded)
    engine.finish()

    assert "llama_model_loader" in engine.log


def test_a_draft_is_loaded_and_drafts(start: Start, model: Path) -> None:
    engine = start()
    engine.send(Load(1, model, model, OPTIONS))
    loaded = engine.until(Loaded)

    assert isinstance(loaded, Loaded)
    assert loaded.has_draft


def test_a_broken_draft_does_not_take_the_target_with_it(start: Start, model: Path, tmp_path: Path) -> None:
    draft = tmp_path / "broken.gguf"
    draft.write_bytes(model.read_bytes()[:5000])
    engine = start()
    engine.send(Load(1, model, draft, OPTIONS))
    loaded = engine.until(Loaded)

    assert isinstance(loaded, Loaded)
    assert not loaded.has_draft
    assert loaded.draft_refusal is not None
    assert "broken.gguf" in loaded.draft_refusal.sentence


def test_a_broken_model_is_refused(start: Start, model: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(model.read_bytes()[:5000])
    engine = start()
    engine.send(Load(1, broken, None, OPTIONS))
    failed = engine.until(Failed)

    assert isinstance(failed, Failed)
    assert failed.kind is FailureKind.MODEL_FILE


def test_a_prompt_that_is_too_long_is_refused_and_the_next_is_answered(start: Start, model: Path) -> None:
    engine = start()
    engine.send(Load(1, model, None, LoadOptions(context_length=256, threads=1)))
    engine.send(generate(2, LONG_PROMPT), generate(3, max_tokens=3))
    failed = engine.until(Failed)

    assert isinstance(failed, Failed)
    assert failed.kind is FailureKind.PROMPT_TOO_LONG
    engine.until(Finished)


def test_stop_is_heard_in_a_long_prompt(start: Start, model: Path) -> None:
    engine = start()
    engine.send(Load(1, model, None, OPTIONS), generate(2, LONG_PROMPT))
    engine.until(Prefilled)
    engine.send(Stop(2))
    finished = engine.until(Finished)

    assert isinstance(finished, Finished)
    assert finished.done.stats.stop_reason is StopReason.STOPPED
    assert finished.done.stats.generated_tokens == 0


def test_stop_is_heard_in_an_answer(start: Start, model: Path) -> None:
    engine = start()
    engine.send(Load(1, model, None, OPTIONS), generate(2))
    engine.until(RoundFinished)
    engine.send(Stop(2))
    finished = engine.until(Finished)

    assert isinstance(finished, Finished)
    assert finished.done.stats.stop_reason is StopReason.STOPPED


def test_nothing_that_is_printed_gets_between_the_frames(start: Start) -> None:
    engine = start(PRETENDED.format("os.write(1, b'native again'); raise ValueError"))
    engine.until(Ready)
    engine.send(Load(1, Path("x"), None, OPTIONS))
    engine.until(Failed)
    engine.finish()

    for text in ("a native print", "a print of Python's", "native again"):
        assert text in engine.log


def test_it_ends_with_its_input_though_a_load_hears_nothing(start: Start) -> None:
    engine = start(PRETENDED.format("time.sleep(3600)"))
    engine.send(Load(1, Path("x"), None, OPTIONS))
    engine.until(LoadProgressed)

    assert engine.finish() == 0


@pytest.mark.parametrize("moment", [Loaded, Prefilled, RoundFinished])
def test_it_ends_with_its_input_at_any_moment(start: Start, model: Path, moment: type[Event]) -> None:
    engine = start()
    engine.send(Load(1, model, None, OPTIONS), generate(2, LONG_PROMPT if moment is Prefilled else "Hello"))
    engine.until(moment)

    assert engine.finish() == 0


def test_an_engine_that_cannot_be_opened_ends_and_says_why(start: Start) -> None:
    engine = start(
        PRETENDED.format("pass").replace("return Engine", "raise OSError('no library'); return Engine")
    )

    assert engine.next() is None
    assert engine.process.wait(60) == 1
    assert "no library" in engine.log


def test_an_engine_whose_thread_fails_ends_and_says_why(start: Start) -> None:
    """What cannot be sent, say: without its thread it would seem to think for ever."""
    engine = start(
        PRETENDED.format("raise SystemError").replace(
            "run(", "import app.engine.worker as w\nw.failure = None\nrun("
        )
    )
    engine.send(Load(1, Path("x"), None, OPTIONS))
    engine.until(LoadProgressed)

    assert engine.next() is None
    assert engine.process.wait(60) == 1
    assert "SystemError" in engine.log


def test_what_is_no_command_ends_it(start: Start) -> None:
    engine = start()
    engine.until(Ready)
    assert engine.process.stdin is not None
    engine.process.stdin.write(b"\x04\x00\x00\x00junk")

    assert engine.next() is None
    assert engine.process.wait(60) == 1
    assert "does not understand" in engine.log


@unix_only
def test_ctrl_c_is_not_for_the_engine(start: Start) -> None:
    engine = start()
    engine.until(Ready)
    engine.process.send_signal(signal.SIGINT)
    engine.send(generate(1))

    assert isinstance(engine.until(Failed), Failed)  # it goes on


def test_it_has_a_lower_priority_than_the_window(start: Start) -> None:
    engine = start()
    engine.until(Ready)
    mine, its = psutil.Process().nice(), psutil.Process(engine.process.pid).nice()

    if sys.platform == "win32":
        assert its == psutil.BELOW_NORMAL_PRIORITY_CLASS
    else:
        assert mine < its <= mine + 5 or its == 19
