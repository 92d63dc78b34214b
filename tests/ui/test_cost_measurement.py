"""Measuring what passes cost."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from app.core.pass_costs import PassCosts
from app.core.protocol import CostsMeasured, CostsProgressed, Failed, FailureKind
from app.ui.cost_measurement import MOST_TOKENS, PAUSE_S, CostMeasurement, CostProgress
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
        self.now = 100.0
        self.measurement = CostMeasurement(self.session, clock=lambda: self.now)  # type: ignore[arg-type]
        self.measured: list[PassCosts] = []
        self.failures: list[str] = []
        self.progress: list[CostProgress] = []
        self.measurement.progressed.connect(self.progress.append)
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


def test_times_that_contradict_each_other_are_refused_with_the_reason(bench: Bench) -> None:
    """On a busy machine: a pass over one token that took ten times as long as one over two."""
    bench.measurement.start()
    bench.trials.tell(CostsMeasured(1, replace(COSTS, target_s=(1.42, 0.12, 0.13, 0.14))))
    assert bench.measured == []
    (sentence,) = bench.failures
    assert sentence.startswith("The computer is too busy to measure")
    assert bench.trials.is_closed


def test_progress_is_told_now_and_then(bench: Bench) -> None:
    bench.measurement.start()
    bench.trials.tell(CostsProgressed(1, 0, 16))
    bench.trials.tell(CostsProgressed(1, 1, 16))  # at the same moment
    bench.now += PAUSE_S
    bench.trials.tell(CostsProgressed(1, 2, 16))
    bench.now += 3.0
    bench.trials.tell(CostsProgressed(1, 17, 24))
    assert bench.progress == [
        CostProgress(0, 16, 0.0, False),
        CostProgress(2, 16, PAUSE_S, False),
        CostProgress(17, 24, 3.0 + PAUSE_S, True),
    ]


def test_one_that_was_stopped_says_so(bench: Bench) -> None:
    bench.measurement.start()
    bench.measurement.stop()
    assert bench.trials.stops == 1
    bench.trials.tell(Failed(1, FailureKind.CANCELLED, "Stopped."))
    assert bench.failures == ["Stopped; nothing was measured."]


def test_a_crash_is_told(bench: Bench) -> None:
    bench.measurement.start()
    bench.trials.lose()
    assert len(bench.failures) == 1
    assert "crashed" in bench.failures[0]
    assert not bench.measurement.is_running


def test_an_engine_that_is_lost_after_the_end_is_not_told_again(bench: Bench) -> None:
    bench.measurement.start()
    bench.trials.tell(CostsMeasured(1, COSTS))
    bench.trials.lose()
    assert (bench.measured, bench.failures) == ([COSTS], [])


def test_an_engine_process_measures(start: Start, qtbot: QtBot) -> None:
    watched = start()
    watched.load(qtbot, setup_of(draft=DRAFT))
    measurement = CostMeasurement(watched.session, watched.session)
    with qtbot.waitSignal(measurement.measured, timeout=PATIENCE_MS) as measured:
        assert measurement.start()
    assert measured.args == [COSTS]
    assert not watched.session.is_measuring
