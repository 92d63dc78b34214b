"""The window's side with real engines and tiny models: whatever ends an engine, or the window."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from app.bootstrap import engine_command
from app.core.chat import Message, Role
from app.core.options import GenerationLimits, LoadOptions, SpeculationMode, SpeculationOptions
from app.core.protocol import Done, Failed, FailureKind, Round
from app.core.stats import StopReason
from app.models.info import read_info
from app.models.library import LocalModel
from app.settings import ModelConfig
from app.ui.engine_end import EndKind, EngineEnd
from app.ui.session import Session
from app.ui.session_state import Empty, EngineLost, LoadFailed, Running, Setup
from tests.fakes.tiny_gguf import CHATML, write_llama

PATIENCE_MS = 60_000  # a busy machine is not a failing one
LONG_PROMPT = "a long story about a boat " * 1000
LOAD = LoadOptions(context_length=32_768, batch_size=64, threads=1)

unix_only = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")
linux_only = pytest.mark.skipif(sys.platform != "linux", reason="limits of another process: Linux alone")

# A window that starts an answer, says which process gives it, and goes on.
WINDOW = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from app.ui.session_state import Running
from tests.ui.test_real_engine import Session, engine_command, setup_of
from app.core.chat import Message, Role

application = QCoreApplication([])
session = Session(engine_command())

def go_on(state):
    if isinstance(state, Running):
        session.generate([Message(Role.USER, "Hello")])

session.state_changed.connect(go_on)
session.round_received.connect(lambda _: print(session.engine_pid, flush=True))
session.load(setup_of(Path(sys.argv[1])))
application.exec()
"""


def local_model(path: Path) -> LocalModel:
    return LocalModel(read_info(path), publisher="", name="Tiny", modified=0.0, managed=True, projector=None)


def setup_of(target: Path, draft: Path | None = None, limits: GenerationLimits | None = None) -> Setup:
    mode = SpeculationMode.OFF if draft is None else SpeculationMode.DRAFT_MODEL
    config = ModelConfig(
        load=LOAD,
        speculation=SpeculationOptions(mode=mode),
        draft=draft,
        limits=limits or GenerationLimits(),
        seed=1,
    )
    return Setup(local_model(target), None if draft is None else local_model(draft), config)


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two tiny models that can talk for long, the second drafting well for the first."""
    folder = tmp_path_factory.mktemp("models")
    target = write_llama(folder / "target.gguf", context_length=32_768, chat_template=CHATML)
    draft = write_llama(folder / "draft.gguf", context_length=32_768, noise=0.01)
    return target, draft


@pytest.fixture
def session(qtbot: QtBot) -> Iterator[Session]:
    made = Session(engine_command())
    yield made
    made.close()
    made.deleteLater()


def load(qtbot: QtBot, session: Session, setup: Setup) -> None:
    session.load(setup)
    qtbot.waitUntil(lambda: isinstance(session.state, Running), timeout=PATIENCE_MS)


def ask(session: Session, text: str = "Hello") -> list[object]:
    """Asks; gives a list in which everything will be that is said to it."""
    said: list[object] = []
    for signal_ in (session.round_received, session.answer_finished, session.answer_failed):
        signal_.connect(said.append)
    session.answer_lost.connect(said.append)
    session.generate([Message(Role.USER, text)])
    return said


def pid_of(session: Session) -> int:
    assert session.engine_pid is not None
    return session.engine_pid


def test_a_pair_answers_and_drafting_can_be_switched_off(
    qtbot: QtBot, session: Session, models: tuple[Path, Path]
) -> None:
    setup = setup_of(*models, limits=GenerationLimits(max_tokens=40))
    load(qtbot, session, setup)
    tokens = []
    for config in (setup.config, ModelConfig(limits=setup.config.limits, seed=1, load=LOAD)):
        assert session.adjust(config)
        said = ask(session)
        qtbot.waitUntil(lambda: not session.is_answering, timeout=PATIENCE_MS)
        tokens.append([token for round_ in said if isinstance(round_, Round) for token in round_.tokens])
        done = said[-1]
        assert isinstance(done, Done)
        assert (done.stats.estimated_speedup is None) == (config is not setup.config)

    assert tokens[0] == tokens[1]


@unix_only
@pytest.mark.parametrize(("name", "kind"), [("SIGKILL", EndKind.KILLED), ("SIGABRT", EndKind.CRASHED)])
def test_an_engine_killed_while_loading_is_lost(
    qtbot: QtBot, session: Session, models: tuple[Path, Path], name: str, kind: EndKind
) -> None:
    session.load_progressed.connect(lambda _: os.kill(pid_of(session), getattr(signal, name)))
    session.load(setup_of(models[0]))
    qtbot.waitUntil(lambda: isinstance(session.state, EngineLost), timeout=PATIENCE_MS)

    assert isinstance(session.state, EngineLost)
    assert session.state.end.kind is kind
    assert session.state.end.log


@unix_only
@pytest.mark.parametrize("text", [LONG_PROMPT, "Hello"])
@pytest.mark.parametrize(("name", "kind"), [("SIGKILL", EndKind.KILLED), ("SIGABRT", EndKind.CRASHED)])
def test_an_engine_killed_while_answering_is_lost_and_can_be_reloaded(
    qtbot: QtBot, session: Session, models: tuple[Path, Path], text: str, name: str, kind: EndKind
) -> None:
    setup = setup_of(models[0])
    load(qtbot, session, setup)
    said = ask(session, text)
    with qtbot.waitSignal(
        session.prompt_progressed if text is LONG_PROMPT else session.round_received, timeout=PATIENCE_MS
    ):
        pass
    os.kill(pid_of(session), getattr(signal, name))
    qtbot.waitUntil(lambda: not session.is_answering, timeout=PATIENCE_MS)

    assert isinstance(said[-1], EngineEnd)
    assert said[-1].kind is kind
    session.reload()
    qtbot.waitUntil(lambda: isinstance(session.state, Running), timeout=PATIENCE_MS)


@pytest.mark.parametrize("text", [LONG_PROMPT, "Hello"])
def test_an_answer_can_be_stopped_and_the_next_asked_for(
    qtbot: QtBot, session: Session, models: tuple[Path, Path], text: str
) -> None:
    load(qtbot, session, setup_of(*models))
    for _ in range(2):
        said = ask(session, text)
        with qtbot.waitSignal(
            session.prompt_progressed if text is LONG_PROMPT else session.round_received, timeout=PATIENCE_MS
        ):
            pass
        session.stop()
        qtbot.waitUntil(lambda: not session.is_answering, timeout=PATIENCE_MS)
        done = said[-1]
        assert isinstance(done, Done)
        assert done.stats.stop_reason is StopReason.STOPPED


def without_memory(pid: int, left: int) -> None:
    """From now on the process gets no more than `left` bytes of address space."""
    import resource  # not on Windows

    limit = psutil.Process(pid).memory_info().vms + left
    resource.prlimit(pid, resource.RLIMIT_AS, (limit, limit))


@linux_only
@pytest.mark.parametrize("left", [0, 2**22, 2**26])
def test_a_load_without_memory_fails_in_words_that_name_it(
    qtbot: QtBot, session: Session, models: tuple[Path, Path], left: int
) -> None:
    """llama.cpp refuses what it noticed and aborts over what it did not; both are told for what they are."""
    setup = setup_of(models[0])
    load_options = replace(LOAD, context_length=2**20)  # a cache of 256 MiB
    session.capabilities_known.connect(lambda _: without_memory(pid_of(session), left))
    session.load(replace(setup, config=replace(setup.config, load=load_options)))
    qtbot.waitUntil(lambda: isinstance(session.state, EngineLost | LoadFailed), timeout=PATIENCE_MS)

    if isinstance(session.state, LoadFailed):
        assert session.state.failed.kind in (FailureKind.LOAD, FailureKind.OUT_OF_MEMORY)
        assert "memory" in session.state.failed.sentence.lower()
    else:
        assert isinstance(session.state, EngineLost)
        assert session.state.end.kind is EndKind.OUT_OF_MEMORY


@linux_only
@pytest.mark.parametrize("text", ["a story about a boat " * 100, "Hello"])
def test_an_answer_without_memory_does_not_hang(
    qtbot: QtBot, session: Session, models: tuple[Path, Path], text: str
) -> None:
    """It goes on with what it has, fails in words, or dies of it."""
    load(qtbot, session, setup_of(models[0], limits=GenerationLimits(max_tokens=50)))
    without_memory(pid_of(session), 0)
    said = ask(session, text)
    qtbot.waitUntil(lambda: not session.is_answering, timeout=PATIENCE_MS)

    if isinstance(said[-1], Failed):
        assert said[-1].kind is FailureKind.OUT_OF_MEMORY
    if isinstance(said[-1], EngineEnd):
        assert said[-1].kind is EndKind.OUT_OF_MEMORY


def test_loading_ejecting_and_switching_leaves_nothing(
    qtbot: QtBot, session: Session, models: tuple[Path, Path]
) -> None:
    pids = set()
    for number in range(20):
        load(qtbot, session, setup_of(*models) if number % 2 else setup_of(models[1]))
        pids.add(pid_of(session))
        if number % 3 == 0:
            ask(session)
        if number % 4 == 0:
            session.eject()
            assert session.state == Empty()
    session.eject()
    qtbot.waitUntil(lambda: not psutil.Process().children(recursive=True), timeout=PATIENCE_MS)

    assert len(pids) == 20
    assert not any(psutil.pid_exists(pid) for pid in pids)


@unix_only
def test_the_engine_ends_when_the_window_is_killed(models: tuple[Path, Path]) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", WINDOW, str(models[0])],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parent.parent.parent,
        env={**os.environ, "PYTHONPATH": "."},
    ) as window:
        assert window.stdout is not None
        engine = psutil.Process(int(window.stdout.readline()))
        window.kill()
    _, alive = psutil.wait_procs([engine], timeout=30)

    assert not alive
