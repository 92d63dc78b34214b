"""Putting the meters' figures together."""

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from app.core.drafting_totals import DraftingTotals
from app.core.protocol import Done, Round
from app.core.recent_drafting import DraftingReading
from app.core.stats import DraftSource, RoundStats, StatsRecorder, StopReason
from app.ui.meters import AnswerTally, MeterReading, Meters
from app.ui.monitor import Monitor
from tests.fakes.readings import machine_sample
from tests.fakes.scripted_rounds import FIRST, drafted_rounds


def drafted_round(*, emitted: int = 4, tested: int = 5, accepted: int = 3) -> Round:
    stats = RoundStats(DraftSource.DRAFT_MODEL, tested, tested, accepted, emitted, 0.1, 0.1, 0.0)
    return Round(tokens=(1,) * emitted, pieces=(), stats=stats)


class Bench:
    """Meters on a clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 50.0
        self.monitor = Monitor()
        self.meters = Meters(self.monitor, clock=lambda: self.now)
        self._readings: list[MeterReading] = []
        self.meters.changed.connect(self._readings.append)

    def read(self) -> MeterReading:
        """What they show after the monitor's next look."""
        self.monitor.sampled.emit(machine_sample())
        return self._readings[-1]


@pytest.fixture
def bench(qtbot: QtBot) -> Iterator[Bench]:
    made = Bench()
    yield made
    made.monitor.close()


def answer(bench: Bench, rounds: int = 10) -> None:
    bench.meters.begin_answer()
    for _ in range(rounds):
        bench.now += 0.25
        bench.meters.add_round(drafted_round())


def test_at_rest_there_is_nothing_but_the_machine(bench: Bench) -> None:
    reading = bench.read()
    assert reading.machine == machine_sample()
    assert reading.tally == AnswerTally()
    assert reading.rates.now == 0.0
    assert not reading.is_answering


def test_tokens_are_counted_not_rounds(bench: Bench) -> None:
    answer(bench)
    reading = bench.read()
    assert reading.is_answering
    assert reading.tally == AnswerTally(generated=40, tested=50, accepted=30)
    assert reading.rates.now == pytest.approx(16.0)
    assert reading.rates.average == pytest.approx(39 / 2.25)


def test_the_speed_falls_to_zero_after_the_answer(bench: Bench) -> None:
    answer(bench)
    bench.meters.end_answer()
    bench.now += 2.0
    reading = bench.read()
    assert not reading.is_answering
    assert reading.rates.now == pytest.approx(0.0)
    assert reading.rates.average == pytest.approx(39 / 2.25)


def test_in_the_end_the_average_is_the_one_under_the_answer(bench: Bench) -> None:
    answer(bench)
    recorder = StatsRecorder(0.0, prompt_tokens=5)
    for moment in (1.0, 2.0):
        recorder.add(drafted_round().stats, moment)
    bench.meters.end_answer(Done((), recorder.finish(StopReason.STOPPED, 0)))
    assert bench.read().rates.average == pytest.approx(7.0)


def test_drafting_is_followed_from_answer_to_answer(bench: Bench) -> None:
    bench.meters.begin_answer()
    for round_ in (FIRST, *drafted_rounds([4], 9)):
        bench.meters.add_round(round_)
    drafting = bench.read().drafting
    assert len(drafting.rounds) == 9
    assert drafting.lately is not None
    assert drafting.lately.longest == 4
    assert drafting.whole is None
    bench.meters.end_answer()
    assert bench.read().drafting.whole == DraftingTotals(rounds=9, drafting=9, tested=36)
    bench.meters.begin_answer()
    assert bench.read().drafting == DraftingReading()


def test_another_answer_begins_from_nothing(bench: Bench) -> None:
    answer(bench)
    bench.meters.end_answer()
    bench.meters.begin_answer()
    reading = bench.read()
    assert reading.tally == AnswerTally()
    assert reading.rates.average is None
    assert reading.rates.peak > 0.0
