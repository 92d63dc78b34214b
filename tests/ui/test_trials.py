"""The engine lent for measuring, with engines that are real processes and obey or misbehave as told."""

import sys
from collections.abc import Sequence
from pathlib import Path

import psutil
import pytest
from pytestqt.qtbot import QtBot

from app.core.chat import Message, Role
from app.core.options import GenerationLimits, SamplingOptions, SpeculationMode, SpeculationOptions
from app.core.protocol import (
    CostsMeasured,
    Done,
    DraftAdded,
    Ending,
    Event,
    Failed,
    FailureKind,
    Finished,
    Prefilled,
    RoundFinished,
    Weighed,
)
from app.core.stats import StopReason
from app.settings import ModelConfig
from app.ui.engine_client import GracePeriods
from app.ui.engine_end import Activity, EndKind, EngineEnd
from app.ui.session import Session
from app.ui.session_state import EngineLost, Running
from app.ui.trials import Trials
from tests.fakes.watched_session import PATIENCE_MS, Start, setup_of

SHORT = GracePeriods(stop=50, close=50, terminate=50)
DRAFTING = SpeculationOptions(mode=SpeculationMode.DRAFT_MODEL)
EXTRA = Path("/models/extra.gguf")

unix_only = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")


class Lent:
    """Trials and all that they said."""

    def __init__(self, session: Session) -> None:
        made = session.begin_trials()
        assert made is not None
        self.trials: Trials = made
        self.events: list[Event] = []
        self.ends: list[object] = []
        self._ended = 0
        made.event_received.connect(self.events.append)
        made.lost.connect(self.ends.append)
        made.closed.connect(lambda: self.ends.append("closed"))

    def ask(
        self, text: str = "hello", draft: Path | None = None, speculation: SpeculationOptions = DRAFTING
    ) -> None:
        self.trials.answer(
            [Message(Role.USER, text)], SamplingOptions(), speculation, GenerationLimits(), draft=draft
        )

    def ending(self, qtbot: QtBot) -> Event:
        """What ended the request, once it has; to be called after each."""
        self._ended += 1
        qtbot.waitUntil(lambda: len(self._endings) == self._ended, timeout=PATIENCE_MS)
        return self._endings[-1]

    @property
    def _endings(self) -> list[Event]:
        return [event for event in self.events if isinstance(event, Ending)]

    def wait_for(self, qtbot: QtBot, kind: type[Event]) -> None:
        qtbot.waitUntil(lambda: kind in map(type, self.events), timeout=PATIENCE_MS)

    def end(self, qtbot: QtBot) -> object:
        """How the trials ended, once they have."""
        qtbot.waitUntil(lambda: bool(self.ends), timeout=PATIENCE_MS)
        assert len(self.ends) == 1
        return self.ends[0]


def kinds(events: Sequence[Event]) -> list[type[Event]]:
    return [type(event) for event in events]


def test_nothing_is_lent_while_nothing_is_loaded(start: Start) -> None:
    assert start().session.begin_trials() is None


def test_nothing_is_lent_while_a_model_loads(qtbot: QtBot, start: Start) -> None:
    session = start().session
    with qtbot.waitSignal(session.load_progressed, timeout=PATIENCE_MS):
        session.load(setup_of("slow"))

    assert session.begin_trials() is None


def test_nothing_is_lent_while_the_chat_is_answered(qtbot: QtBot, start: Start) -> None:
    watched = start()
    watched.load(qtbot)
    watched.ask("wait")

    assert watched.session.begin_trials() is None
    assert not watched.session.is_measuring


def test_the_engine_is_lent_once_and_the_chat_waits(qtbot: QtBot, start: Start) -> None:
    watched = start()
    running = watched.load(qtbot)
    told: list[bool] = []
    watched.session.measuring_changed.connect(told.append)
    lent = Lent(watched.session)

    assert lent.trials.running == running
    assert watched.session.is_measuring
    assert watched.session.begin_trials() is None
    with pytest.raises(RuntimeError):
        watched.ask()
    lent.trials.close()
    assert told == [True, False]
    assert lent.ends == ["closed"]

    watched.ask()
    assert isinstance(watched.end_of_answer(qtbot), Done)


def test_a_measured_answer_is_none_of_the_chats(qtbot: QtBot, start: Start) -> None:
    watched = start()
    watched.load(qtbot)
    lent = Lent(watched.session)
    with qtbot.assertNotEmitted(watched.session.prompt_progressed):
        lent.ask()
        finished = lent.ending(qtbot)

    assert isinstance(finished, Finished)
    assert kinds(lent.events[:-1]) == [Prefilled, *[RoundFinished] * 5]
    assert watched.said == []


def test_one_request_follows_the_other(qtbot: QtBot, start: Start) -> None:
    watched = start()
    watched.load(qtbot)
    lent, message = Lent(watched.session), [Message(Role.USER, "hello")]
    lent.trials.add_draft(EXTRA)
    assert isinstance(lent.ending(qtbot), DraftAdded)
    lent.ask(draft=EXTRA)
    with pytest.raises(RuntimeError):
        lent.ask(draft=EXTRA)
    assert isinstance(lent.ending(qtbot), Finished)
    lent.trials.weigh(message, SamplingOptions(), [5, 5], [5, None])
    assert isinstance(lent.ending(qtbot), Weighed)
    lent.trials.measure_costs(3, EXTRA)
    assert isinstance(lent.ending(qtbot), CostsMeasured)


def test_the_engine_comes_back_without_the_added_draft_models(qtbot: QtBot, start: Start) -> None:
    watched = start()
    watched.load(qtbot)
    lent = Lent(watched.session)
    for name in ("one.gguf", "misfit.gguf", "two.gguf"):
        lent.trials.add_draft(Path("/models") / name)
        lent.ending(qtbot)
    lent.trials.close()
    assert watched.session.is_measuring  # until they are removed
    assert lent.end(qtbot) == "closed"

    again = Lent(watched.session)
    again.ask(draft=Path("/models/two.gguf"))
    failed = again.ending(qtbot)
    assert isinstance(failed, Failed)
    assert "two.gguf is not there" in failed.sentence


def test_a_measured_answer_can_be_stopped(qtbot: QtBot, start: Start) -> None:
    watched = start()
    watched.load(qtbot)
    lent = Lent(watched.session)
    lent.ask("wait")
    lent.wait_for(qtbot, RoundFinished)
    lent.trials.stop()
    finished = lent.ending(qtbot)

    assert isinstance(finished, Finished)
    assert finished.done.stats.stop_reason is StopReason.STOPPED
    assert watched.session.is_measuring


@pytest.mark.parametrize("request_", ["draft", "weigh", "costs"])
def test_every_request_can_be_stopped(qtbot: QtBot, start: Start, request_: str) -> None:
    watched = start("weigh:wait", "measure:wait")
    watched.load(qtbot)
    lent = Lent(watched.session)
    match request_:
        case "draft":
            lent.trials.add_draft(Path("/models/slow.gguf"))
        case "weigh":
            lent.trials.weigh([Message(Role.USER, "hello")], SamplingOptions(), [], [5])
        case "costs":
            lent.trials.measure_costs(2)
    lent.trials.stop()
    failed = lent.ending(qtbot)

    assert isinstance(failed, Failed)
    assert failed.kind is FailureKind.CANCELLED


def test_closing_stops_what_is_under_way_and_tells_no_more(qtbot: QtBot, start: Start) -> None:
    watched = start()
    watched.load(qtbot)
    lent = Lent(watched.session)
    lent.ask("wait")
    lent.wait_for(qtbot, RoundFinished)
    lent.trials.close()
    assert watched.session.is_measuring  # the engine is not free yet
    with pytest.raises(RuntimeError):
        lent.ask()

    assert lent.end(qtbot) == "closed"
    assert not any(isinstance(event, Ending) for event in lent.events)
    assert isinstance(watched.session.state, Running)


@unix_only
@pytest.mark.parametrize(
    ("rules", "during"),
    [
        (["answer:hang"], Activity.ANSWERING),
        (["weigh:hang"], Activity.MEASURING),
        (["draft:hang", "term:ignore"], Activity.LOADING),
    ],
)
def test_an_engine_that_does_not_hear_it_is_ended(
    qtbot: QtBot, start: Start, rules: list[str], during: Activity
) -> None:
    watched = start(*rules, grace=SHORT)
    watched.load(qtbot)
    lent = Lent(watched.session)
    match during:
        case Activity.ANSWERING:
            lent.ask()
            lent.wait_for(qtbot, RoundFinished)
        case Activity.MEASURING:
            lent.trials.weigh([Message(Role.USER, "hello")], SamplingOptions(), [], [5])
        case _:
            lent.trials.add_draft(EXTRA)
    lent.trials.close()
    end = lent.end(qtbot)

    assert isinstance(end, EngineEnd)
    assert (end.kind, end.during) == (EndKind.UNRESPONSIVE, during)
    assert isinstance(watched.session.state, EngineLost)
    assert not watched.session.is_measuring


@pytest.mark.parametrize("act", ["eject", "load", "close"])
def test_whatever_ends_the_model_ends_the_trials(qtbot: QtBot, start: Start, act: str) -> None:
    watched = start()
    watched.load(qtbot)
    lent = Lent(watched.session)
    lent.ask("wait")
    lent.wait_for(qtbot, RoundFinished)
    if act == "load":
        watched.session.load(setup_of("second"))
    else:
        getattr(watched.session, act)()
    end = lent.end(qtbot)

    assert isinstance(end, EngineEnd)
    assert (end.kind, end.during) == (EndKind.CLOSED, Activity.ANSWERING)
    assert not watched.session.is_measuring
    lent.trials.close()  # is nothing any more
    assert len(lent.ends) == 1


@unix_only
def test_a_crash_ends_them_and_the_model_can_be_reloaded(qtbot: QtBot, start: Start, tmp_path: Path) -> None:
    watched = start(f"answer:abort@{tmp_path / 'once'}")
    watched.load(qtbot)
    lent = Lent(watched.session)
    lent.ask()
    end = lent.end(qtbot)

    assert isinstance(end, EngineEnd)
    assert end.kind is EndKind.CRASHED
    assert isinstance(watched.session.state, EngineLost)
    watched.session.reload()
    watched.wait_until_running(qtbot)
    again = Lent(watched.session)
    again.ask()
    assert isinstance(again.ending(qtbot), Finished)


@unix_only
def test_an_engine_that_dies_between_requests_ends_them(qtbot: QtBot, start: Start) -> None:
    watched = start()
    watched.load(qtbot)
    lent = Lent(watched.session)
    assert watched.session.engine_pid is not None
    psutil.Process(watched.session.engine_pid).kill()

    end = lent.end(qtbot)
    assert isinstance(end, EngineEnd)
    assert end.kind is EndKind.KILLED


def test_settings_can_be_changed_meanwhile_for_the_next_answer(qtbot: QtBot, start: Start) -> None:
    watched = start()
    running = watched.load(qtbot)
    lent = Lent(watched.session)
    assert watched.session.adjust(ModelConfig(seed=7))

    assert lent.trials.running == running
    lent.trials.close()
    watched.ask("echo")
    watched.end_of_answer(qtbot)
    assert "seed 7" in str(watched.said)
