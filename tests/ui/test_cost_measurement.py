"""Measuring what passes cost."""

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from app.core.pass_costs import PassCosts
from app.core.protocol import CostsMeasured, Failed, FailureKind
from app.ui.cost_measurement import MOST_TOKENS, CostMeasurement
from tests.fakes.pretended_trials import COSTS
from tests.fakes.scripted_trials import ScriptedTrials
from tests.fakes.session import FakeSession
from tests.fakes.setups import drafted_setup
from tests.fakes.watched_session import DRAFT, PATIENCE_MS, Start, setup_of


class Bench:
    """A measurement on a session of which nothing is real, and how it ended."""

    def __init__(self) -> None:
        self.session = FakeSession()
        self.session.run(drafted_setup())
        self.trials = ScriptedTrials(self.session)
        self.measurement = CostMeasurement(self.session)  # type: ignore[arg-type]
        self.measured: list[PassCosts] = []
        self.failures: list[str] = []
        self.measurement.measured.connect(self.measured.append)
        self.measurement.failed.connect(self.failures.append)


@pytest.fixture
def bench(qtbot: QtBot) -> Iterator[Bench]:
    made = Bench()
    yield made
    made.measurement.deleteLater()


def test_costs_are_measured_and_the_engine_given_back(bench: Bench) -> None:
    assert bench.measurement.start()
    assert bench.trials.measured == [MOST_TOKENS]
    assert bench.measurement.is_running
    bench.trials.tell(CostsMeasured(1, COSTS))
    assert bench.measured == [COSTS]
    assert bench.trials.is_closed
    assert not bench.measurement.is_running


def test_an_engine_that_is_not_free_is_not_asked(bench: Bench) -> None:
    bench.session.is_answering = True
    assert not bench.measurement.start()
    assert bench.trials.measured == []


def test_a_second_one_does_not_begin(bench: Bench) -> None:
    bench.measurement.start()
    assert not bench.measurement.start()
    assert len(bench.trials.measured) == 1


def test_a_failure_is_told(bench: Bench) -> None:
    bench.measurement.start()
    bench.trials.tell(Failed(1, FailureKind.ENGINE, "The pass failed."))
    assert bench.failures == ["The pass failed."]
    assert bench.trials.is_closed


def test_one_that_was_stopped_says_nothing(bench: Bench) -> None:
    bench.measurement.start()
    bench.measurement.stop()
    assert bench.trials.stops == 1
    bench.trials.tell(Failed(1, FailureKind.CANCELLED, "Stopped."))
    assert bench.failures == [""]


def test_a_crash_is_told(bench: Bench) -> None:
    bench.measurement.start()
    bench.trials.lose()
    assert len(bench.failures) == 1
    assert "crashed" in bench.failures[0]
    assert not bench.measurement.is_running


def test_an_engine_process_measures(start: Start, qtbot: QtBot) -> None:
    watched = start()
    watched.load(qtbot, setup_of(draft=DRAFT))
    measurement = CostMeasurement(watched.session, watched.session)
    with qtbot.waitSignal(measurement.measured, timeout=PATIENCE_MS) as measured:
        assert measurement.start()
    assert measured.args == [COSTS]
    assert not watched.session.is_measuring
