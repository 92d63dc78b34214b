"""The client of an engine process, against real children that misbehave."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest
from pytestqt.qtbot import QtBot

from app.core.chat import Message, Role
from app.core.options import GenerationLimits, LoadOptions, SamplingOptions, SpeculationOptions
from app.core.protocol import (
    Event,
    Failed,
    FailureKind,
    Finished,
    Generate,
    Load,
    Loaded,
    LoadProgressed,
    Prefilled,
    RoundFinished,
)
from app.core.stats import StopReason
from app.ui.engine_client import EngineClient, GracePeriods
from app.ui.engine_end import Activity, EndKind, EngineEnd
from tests.fakes import fake_engine

PATIENCE_MS = 60_000  # a busy machine is not a failing one
SHORT = GracePeriods(stop=50, close=50, terminate=50)
LONG = GracePeriods(stop=60_000, close=60_000, terminate=60_000)

unix_only = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")


class Watched:
    """A client and all that it said."""

    def __init__(self, command: list[str], grace: GracePeriods) -> None:
        self.client = EngineClient(command, grace=grace)
        self.events: list[Event] = []
        self.batches: list[tuple[str, ...]] = []
        self.ends: list[EngineEnd] = []
        self.client.event_received.connect(self.events.append)
        self.client.log_received.connect(self.batches.append)
        self.client.ended.connect(self.ends.append)

    def kinds(self) -> list[type[Event]]:
        return [type(event) for event in self.events]


Start = Callable[..., Watched]


@pytest.fixture
def start(qtbot: QtBot) -> Iterator[Start]:
    """Starts a fake engine that follows rules; see there. It is ready afterwards unless told otherwise."""
    started: list[Watched] = []

    def run(*rules: str, grace: GracePeriods = LONG, ready: bool = True) -> Watched:
        watched = Watched([sys.executable, fake_engine.__file__, *rules], grace)
        started.append(watched)
        if ready:
            with qtbot.waitSignal(watched.client.became_ready, timeout=PATIENCE_MS):
                watched.client.start()
        else:
            watched.client.start()
        return watched

    yield run
    for watched in started:
        watched.client.close_now()
        watched.client.deleteLater()


def load(watched: Watched, target: str = "model.gguf") -> None:
    watched.client.ask(Load(0, Path(target).absolute(), None, LoadOptions()))


def generate(watched: Watched, text: str = "hello") -> None:
    message = Message(Role.USER, text)
    options = SamplingOptions(), SpeculationOptions(), GenerationLimits()
    watched.client.ask(Generate(0, (message,), *options))


def wait_for(qtbot: QtBot, watched: Watched, kind: type[Event]) -> None:
    qtbot.waitUntil(lambda: kind in watched.kinds(), timeout=PATIENCE_MS)


def end_of(qtbot: QtBot, watched: Watched) -> EngineEnd:
    qtbot.waitUntil(lambda: bool(watched.ends), timeout=PATIENCE_MS)
    assert len(watched.ends) == 1
    assert watched.client.pid is None
    return watched.ends[0]


def test_a_load_and_an_answer(qtbot: QtBot, start: Start) -> None:
    engine = start()
    load(engine)
    wait_for(qtbot, engine, Loaded)
    generate(engine)
    wait_for(qtbot, engine, Finished)

    expected = [LoadProgressed, Loaded, Prefilled, Prefilled, *[RoundFinished] * 3, Finished]
    assert engine.kinds() == expected


def test_closing_ends_the_process(qtbot: QtBot, start: Start) -> None:
    engine = start()
    pid = engine.client.pid
    assert pid is not None
    engine.client.close()

    assert end_of(qtbot, engine).kind is EndKind.CLOSED
    assert not psutil.pid_exists(pid)  # no zombie either


@unix_only
@pytest.mark.parametrize(
    "rules", [["end:ignore"], ["end:ignore", "term:ignore"], ["load:hang", "term:ignore"]]
)
def test_closing_ends_a_process_that_does_not_listen(qtbot: QtBot, start: Start, rules: list[str]) -> None:
    engine = start(*rules, grace=SHORT)
    load(engine)
    engine.client.close()

    assert end_of(qtbot, engine).kind is EndKind.CLOSED


@unix_only
@pytest.mark.parametrize("rules", [[], ["end:ignore"], ["end:ignore", "term:ignore"], ["start:hang"]])
def test_closing_for_good_waits_until_the_process_is_gone(start: Start, rules: list[str]) -> None:
    engine = start(*rules, grace=SHORT, ready="start:hang" not in rules)
    pid = engine.client.pid
    assert pid is not None
    engine.client.close_now()

    assert not psutil.pid_exists(pid)
    assert [end.kind for end in engine.ends] == [EndKind.CLOSED]


def test_nothing_is_heard_after_closing(qtbot: QtBot, start: Start) -> None:
    engine = start()
    load(engine)
    engine.client.close()
    end_of(qtbot, engine)

    assert engine.events == []


@unix_only
@pytest.mark.parametrize(
    ("moment", "during"),
    [
        ("start", Activity.STARTING),
        ("load", Activity.LOADING),
        ("idle", Activity.IDLE),
        ("prompt", Activity.READING),
        ("answer", Activity.ANSWERING),
    ],
)
@pytest.mark.parametrize(("action", "kind"), [("abort", EndKind.CRASHED), ("kill", EndKind.KILLED)])
def test_an_unasked_end_says_what_was_going_on(
    qtbot: QtBot, start: Start, moment: str, during: Activity, action: str, kind: EndKind
) -> None:
    engine = start(f"{moment}:{action}", ready=moment != "start")
    if moment != "start":
        load(engine)
    if moment in ("prompt", "answer"):
        wait_for(qtbot, engine, Loaded)
        generate(engine)
    end = end_of(qtbot, engine)

    assert (end.kind, end.during) == (kind, during)


@pytest.mark.parametrize(
    ("action", "kind"),
    [
        ("exit0", EndKind.EXITED),
        ("exit7", EndKind.EXITED),
        ("half", EndKind.EXITED),
        ("exit137", EndKind.KILLED),
        pytest.param("bad_alloc", EndKind.OUT_OF_MEMORY, marks=unix_only),
        ("junk", EndKind.BAD_MESSAGE),
        ("nonsense", EndKind.BAD_MESSAGE),
        ("again", EndKind.BAD_MESSAGE),
    ],
)
def test_an_unasked_end_says_what_happened(qtbot: QtBot, start: Start, action: str, kind: EndKind) -> None:
    engine = start(f"load:{action}")
    load(engine)

    assert end_of(qtbot, engine).kind is kind
    assert engine.kinds() == [LoadProgressed]


def test_an_exit_code_is_told(qtbot: QtBot, start: Start) -> None:
    engine = start("load:exit7")
    load(engine)

    assert end_of(qtbot, engine).code == 7


def test_a_program_that_is_not_there_is_told(qtbot: QtBot) -> None:
    engine = Watched(["/nowhere/at/all"], LONG)
    engine.client.start()
    end = end_of(qtbot, engine)

    assert (end.kind, end.code, end.during) == (EndKind.NOT_STARTED, None, Activity.STARTING)
    assert end.log  # the system's reason
    engine.client.deleteLater()


def test_a_program_that_is_not_there_can_be_closed(qtbot: QtBot) -> None:
    engine = Watched(["/nowhere/at/all"], LONG)
    engine.client.start()
    engine.client.close_now()

    assert end_of(qtbot, engine).kind is EndKind.CLOSED
    engine.client.deleteLater()


def test_another_version_is_refused(qtbot: QtBot, start: Start) -> None:
    engine = start("start:version", ready=False)

    assert end_of(qtbot, engine).kind is EndKind.WRONG_VERSION


def test_anything_before_ready_is_refused(qtbot: QtBot, start: Start) -> None:
    engine = start("start:early", ready=False)

    assert end_of(qtbot, engine).kind is EndKind.BAD_MESSAGE
    assert engine.events == []


def test_events_of_other_requests_are_dropped(qtbot: QtBot, start: Start) -> None:
    engine = start("answer:stale")
    load(engine)
    wait_for(qtbot, engine, Loaded)
    generate(engine)
    wait_for(qtbot, engine, Finished)

    assert engine.kinds().count(RoundFinished) == 3


def test_stop_ends_an_answer(qtbot: QtBot, start: Start) -> None:
    engine = start()
    load(engine)
    wait_for(qtbot, engine, Loaded)
    generate(engine, "wait")
    wait_for(qtbot, engine, RoundFinished)
    engine.client.stop()
    wait_for(qtbot, engine, Finished)

    event = engine.events[-1]
    assert isinstance(event, Finished)
    assert event.done.stats.stop_reason is StopReason.STOPPED
    assert engine.client.activity is Activity.IDLE


def test_stop_ends_a_load(qtbot: QtBot, start: Start) -> None:
    engine = start()
    load(engine, "slow.gguf")
    wait_for(qtbot, engine, LoadProgressed)
    engine.client.stop()
    wait_for(qtbot, engine, Failed)

    event = engine.events[-1]
    assert isinstance(event, Failed)
    assert event.kind is FailureKind.CANCELLED


@unix_only
@pytest.mark.parametrize("rules", [["stop:ignore"], ["answer:hang"], ["answer:hang", "term:ignore"]])
def test_an_engine_that_ignores_stop_is_ended(qtbot: QtBot, start: Start, rules: list[str]) -> None:
    engine = start(*rules, grace=SHORT)
    load(engine)
    wait_for(qtbot, engine, Loaded)
    generate(engine, "wait")
    wait_for(qtbot, engine, RoundFinished)
    engine.client.stop()
    end = end_of(qtbot, engine)

    assert (end.kind, end.during) == (EndKind.UNRESPONSIVE, Activity.ANSWERING)


def test_an_answer_just_before_the_end_is_heard(qtbot: QtBot, start: Start) -> None:
    engine = start("stop:exit7")
    load(engine)
    wait_for(qtbot, engine, Loaded)
    generate(engine)
    engine.client.stop()
    end_of(qtbot, engine)

    assert engine.kinds()[-1] is Finished


def test_the_last_lines_are_kept(qtbot: QtBot, start: Start) -> None:
    engine = start("load:chatter", "idle:exit7")
    load(engine)
    end = end_of(qtbot, engine)

    assert end.log == tuple(f"line {number}" for number in range(800, 1000))


def test_a_line_without_its_end_is_kept(qtbot: QtBot, start: Start) -> None:
    engine = start("load:unfinished_line", "idle:exit7")
    load(engine)
    end = end_of(qtbot, engine)

    assert end.log == (fake_engine.LOG_LINE, "GGML_ASSERT(x) failed")


def test_the_log_comes_in_batches(qtbot: QtBot, start: Start) -> None:
    engine = start("load:chatter")
    load(engine)
    qtbot.waitUntil(
        lambda: bool(engine.batches) and engine.batches[-1][-1] == "line 999", timeout=PATIENCE_MS
    )

    assert len(engine.batches) < 100
    assert max(len(batch) for batch in engine.batches) <= 200


def test_two_requests_at_once_are_a_fault_of_the_caller(start: Start) -> None:
    engine = start()
    load(engine)

    with pytest.raises(RuntimeError):
        load(engine)
