"""The session, with engines that are real processes and obey or misbehave as told."""

import sys
from pathlib import Path

import psutil
import pytest
from PySide6.QtCore import QCoreApplication
from pytestqt.qtbot import QtBot

from app.core.protocol import Done, Failed, FailureKind, Round
from app.core.stats import StopReason
from app.ui.engine_client import GracePeriods
from app.ui.engine_end import Activity, EndKind, EngineEnd
from app.ui.session import Session
from app.ui.session_state import (
    Empty,
    EngineLost,
    LoadFailed,
    Loading,
    Running,
)
from tests.fakes import fake_engine
from tests.fakes.pretended_trials import COSTS
from tests.fakes.watched_session import DRAFT, PATIENCE_MS, Start, setup_of

SHORT = GracePeriods(stop=50, close=50, terminate=50)

unix_only = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")


def children() -> list[psutil.Process]:
    return psutil.Process().children(recursive=True)


def test_at_first_nothing_is_loaded(start: Start) -> None:
    session = start().session

    assert session.state == Empty()
    assert session.engine_pid is None


def test_a_load_goes_through_loading_to_running(qtbot: QtBot, start: Start) -> None:
    watched = start()
    setup = setup_of()
    running = watched.load(qtbot, setup)

    assert watched.states == [Loading(setup), running]
    assert running.setup == setup
    assert running.loaded.context_length == 4096
    assert watched.session.engine_pid in [child.pid for child in children()]


def test_progress_of_a_load_is_told(qtbot: QtBot, start: Start) -> None:
    session = start().session
    with qtbot.waitSignal(session.load_progressed, timeout=PATIENCE_MS) as progressed:
        session.load(setup_of())

    assert progressed.args == [0.5]


def test_a_load_says_how_answers_are_drafted_and_tells_what_is_measured_for_it(
    qtbot: QtBot, start: Start
) -> None:
    watched = start()
    told: list[tuple[int, int]] = []
    watched.session.costs_progressed.connect(lambda done, of: told.append((done, of)))
    running = watched.load(qtbot, setup_of(draft=DRAFT))

    assert told == [(1, 2)]
    assert running.loaded.costs == COSTS


def test_where_nothing_is_drafted_nothing_is_measured(qtbot: QtBot, start: Start) -> None:
    watched = start()
    with qtbot.assertNotEmitted(watched.session.costs_progressed):
        running = watched.load(qtbot)

    assert running.loaded.costs is None


def test_an_answer(qtbot: QtBot, start: Start) -> None:
    watched = start()
    watched.load(qtbot)
    prompts: list[tuple[int, int]] = []
    watched.session.prompt_progressed.connect(lambda done, of: prompts.append((done, of)))
    watched.ask()
    watched.end_of_answer(qtbot)

    assert prompts == [(1, 2), (2, 2)]
    assert [type(each) for each in watched.said] == [Round, Round, Round, Done]


def test_an_answer_can_be_stopped(qtbot: QtBot, start: Start) -> None:
    watched = start()
    watched.load(qtbot)
    watched.ask("wait")
    watched.wait_for_round(qtbot)
    watched.session.stop()
    done = watched.end_of_answer(qtbot)

    assert isinstance(done, Done)
    assert done.stats.stop_reason is StopReason.STOPPED
    assert isinstance(watched.session.state, Running)


def test_a_refused_prompt_leaves_the_model_loaded(qtbot: QtBot, start: Start) -> None:
    watched = start()
    watched.load(qtbot)
    watched.ask("refuse")
    failed = watched.end_of_answer(qtbot)

    assert isinstance(failed, Failed)
    assert failed.kind is FailureKind.PROMPT_TOO_LONG
    assert isinstance(watched.session.state, Running)


def test_two_answers_at_once_are_a_fault_of_the_caller(qtbot: QtBot, start: Start) -> None:
    watched = start()
    with pytest.raises(RuntimeError):
        watched.ask()
    watched.load(qtbot)
    watched.ask("wait")
    with pytest.raises(RuntimeError):
        watched.ask()


def test_ejecting_ends_the_process(qtbot: QtBot, start: Start) -> None:
    watched = start()
    watched.load(qtbot)
    watched.session.eject()

    assert watched.session.state == Empty()
    assert watched.session.engine_pid is None
    qtbot.waitUntil(lambda: not children(), timeout=PATIENCE_MS)


def test_ejecting_while_it_answers_says_so(qtbot: QtBot, start: Start) -> None:
    watched = start()
    watched.load(qtbot)
    watched.ask("wait")
    watched.wait_for_round(qtbot)
    watched.session.eject()
    lost = watched.said[-1]

    assert isinstance(lost, EngineEnd)
    assert (lost.kind, lost.during) == (EndKind.CLOSED, Activity.ANSWERING)
    assert not watched.session.is_answering


def test_switching_ends_the_first_process_before_the_second_starts(qtbot: QtBot, start: Start) -> None:
    watched = start()
    watched.load(qtbot)
    first = watched.session.engine_pid
    assert first is not None
    watched.session.load(setup_of("second"))
    assert watched.session.engine_pid is None  # it waits for the memory
    running = watched.wait_until_running(qtbot)

    assert running.setup.target.path.name == "second.gguf"
    assert not psutil.pid_exists(first)
    assert len(children()) == 1


def test_of_several_loads_asked_for_at_once_the_last_counts(qtbot: QtBot, start: Start) -> None:
    watched = start()
    watched.load(qtbot)
    for name in ("second", "third", "fourth"):
        watched.session.load(setup_of(name))
    running = watched.wait_until_running(qtbot)

    assert running.setup.target.path.name == "fourth.gguf"
    assert len(children()) == 1


def test_twenty_switches_leave_one_process(qtbot: QtBot, start: Start) -> None:
    watched = start()
    for number in range(20):
        watched.load(qtbot, setup_of(f"model{number}"))
        if number % 3 == 2:
            watched.session.eject()
    assert len(children()) <= 2
    watched.session.eject()

    qtbot.waitUntil(lambda: not children(), timeout=PATIENCE_MS)


def test_a_load_can_be_cancelled(qtbot: QtBot, start: Start) -> None:
    watched = start()
    with qtbot.waitSignal(watched.session.load_progressed, timeout=PATIENCE_MS):
        watched.session.load(setup_of("slow"))
    watched.session.cancel_load()

    assert watched.session.state == Empty()
    qtbot.waitUntil(lambda: not children(), timeout=PATIENCE_MS)


def test_a_load_can_be_cancelled_before_its_engine_has_started(qtbot: QtBot, start: Start) -> None:
    watched = start("end:ignore", grace=SHORT)
    watched.load(qtbot)
    watched.session.load(setup_of("second"))
    watched.session.cancel_load()
    qtbot.waitUntil(lambda: not children(), timeout=PATIENCE_MS)

    assert [type(state) for state in watched.states] == [Loading, Running, Loading, Empty]


def test_cancelling_is_about_loads_alone(qtbot: QtBot, start: Start) -> None:
    watched = start()
    watched.load(qtbot)
    watched.session.cancel_load()

    assert isinstance(watched.session.state, Running)


def test_a_refused_load_says_why_and_leaves_no_process(qtbot: QtBot, start: Start) -> None:
    watched = start()
    watched.session.load(setup_of("broken"))
    qtbot.waitUntil(lambda: isinstance(watched.session.state, LoadFailed), timeout=PATIENCE_MS)
    state = watched.session.state

    assert isinstance(state, LoadFailed)
    assert state.failed.sentence == "broken.gguf cannot be loaded."
    assert state.failed.log == ("why not",)
    qtbot.waitUntil(lambda: not children(), timeout=PATIENCE_MS)


@unix_only
def test_an_engine_that_dies_while_loading_is_lost_and_can_be_reloaded(
    qtbot: QtBot, start: Start, tmp_path: Path
) -> None:
    watched = start(f"load:kill@{tmp_path / 'once'}")
    setup = setup_of()
    watched.session.load(setup)
    qtbot.waitUntil(lambda: isinstance(watched.session.state, EngineLost), timeout=PATIENCE_MS)
    lost = watched.session.state
    assert isinstance(lost, EngineLost)
    assert (lost.setup, lost.end.kind, lost.end.during) == (setup, EndKind.KILLED, Activity.LOADING)
    assert not children()  # it does not try again by itself

    watched.session.reload()
    assert watched.wait_until_running(qtbot).setup == setup


@unix_only
@pytest.mark.parametrize(("moment", "during"), [("prompt", Activity.READING), ("answer", Activity.ANSWERING)])
def test_an_engine_that_dies_while_answering_loses_the_answer_and_can_be_reloaded(
    qtbot: QtBot, start: Start, tmp_path: Path, moment: str, during: Activity
) -> None:
    watched = start(f"{moment}:abort@{tmp_path / 'once'}")
    watched.load(qtbot)
    watched.ask()
    lost = watched.end_of_answer(qtbot)

    assert isinstance(lost, EngineEnd)
    assert (lost.kind, lost.during) == (EndKind.CRASHED, during)
    assert lost.log[0] == fake_engine.LOG_LINE
    assert isinstance(watched.session.state, EngineLost)

    watched.session.reload()
    watched.wait_until_running(qtbot)
    watched.ask()
    assert isinstance(watched.end_of_answer(qtbot), Done)


@unix_only
def test_an_engine_that_dies_while_idle_is_lost(qtbot: QtBot, start: Start) -> None:
    watched = start()
    watched.load(qtbot)
    pid = watched.session.engine_pid
    assert pid is not None
    psutil.Process(pid).kill()
    qtbot.waitUntil(lambda: isinstance(watched.session.state, EngineLost), timeout=PATIENCE_MS)

    assert watched.said == []


@unix_only
def test_an_engine_that_ignores_stop_is_lost(qtbot: QtBot, start: Start) -> None:
    watched = start("answer:hang", grace=SHORT)
    watched.load(qtbot)
    watched.ask()
    watched.wait_for_round(qtbot)
    watched.session.stop()
    lost = watched.end_of_answer(qtbot)

    assert isinstance(lost, EngineEnd)
    assert lost.kind is EndKind.UNRESPONSIVE
    assert isinstance(watched.session.state, EngineLost)


def test_ejecting_forgets_a_failure(qtbot: QtBot, start: Start) -> None:
    watched = start("load:exit7")
    watched.session.load(setup_of())
    qtbot.waitUntil(lambda: isinstance(watched.session.state, EngineLost), timeout=PATIENCE_MS)
    watched.session.eject()

    assert watched.session.state == Empty()


def test_an_engine_that_cannot_be_started_is_told(qtbot: QtBot) -> None:
    session = Session(["/nowhere/at/all"])
    session.load(setup_of())
    qtbot.waitUntil(lambda: isinstance(session.state, EngineLost), timeout=PATIENCE_MS)

    assert isinstance(session.state, EngineLost)
    assert session.state.end.kind is EndKind.NOT_STARTED
    session.close()
    session.deleteLater()


def test_probing_learns_the_capabilities_and_leaves_no_process(qtbot: QtBot, start: Start) -> None:
    session = start().session
    with qtbot.waitSignal(session.capabilities_known, timeout=PATIENCE_MS) as known:
        session.probe()

    assert known.args == [fake_engine.READY]
    assert session.capabilities == fake_engine.READY
    assert session.state == Empty()
    qtbot.waitUntil(lambda: not children(), timeout=PATIENCE_MS)


def test_a_failed_probe_is_told(qtbot: QtBot, start: Start) -> None:
    session = start("start:exit7").session
    with qtbot.waitSignal(session.probe_failed, timeout=PATIENCE_MS) as failed:
        session.probe()

    assert failed.args[0].kind is EndKind.EXITED


def test_a_load_learns_the_capabilities_too(qtbot: QtBot, start: Start) -> None:
    watched = start()
    watched.load(qtbot)

    assert watched.session.capabilities == fake_engine.READY


@unix_only
@pytest.mark.parametrize("rules", [[], ["end:ignore"], ["end:ignore", "term:ignore"]])
def test_closing_leaves_nothing(qtbot: QtBot, start: Start, rules: list[str]) -> None:
    watched = start(*rules, grace=SHORT)
    watched.session.probe()
    watched.load(qtbot)
    watched.ask("wait")
    watched.session.load(setup_of("second"))
    watched.session.close()

    assert not children()
    watched.session.load(setup_of())
    watched.session.probe()
    QCoreApplication.processEvents()
    assert not children()


def test_closing_keeps_the_answer(qtbot: QtBot, start: Start) -> None:
    watched = start()
    watched.load(qtbot)
    watched.ask("wait")
    watched.session.close()

    assert isinstance(watched.said[-1], EngineEnd)
