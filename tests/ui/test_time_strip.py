"""Where the time went."""

import pytest
from pytestqt.qtbot import QtBot

from app.ui.chart_legend import ChartLegend
from app.ui.theme import Theme
from app.ui.time_strip import TimesOfSide, TimeStrip, times_of
from app.ui.track import Track
from tests.fakes.experiments import DRAFTED, OFF, run_of

PLAIN = TimesOfSide("Off", 0.0, 8.0, 1.0, 1.0)
DRAFT = TimesOfSide("Draft Model", 1.5, 3.0, 0.25, 0.25)


@pytest.fixture
def strip(theme: Theme, qtbot: QtBot) -> TimeStrip:
    made = TimeStrip(theme)
    qtbot.addWidget(made)
    made.resize(300, made.sizeHint().height())
    made.show()
    return made


def shares(strip: TimeStrip) -> list[list[float]]:
    return [
        [segment.share for segment in track.segments]
        for track in strip.findChildren(Track)
        if track.isVisible()
    ]


def test_bars_are_as_long_as_the_answers_took(strip: TimeStrip) -> None:
    strip.show_sides([PLAIN, DRAFT])
    assert shares(strip) == [[0.0, 0.8, 0.1, 0.1], [0.15, 0.3, 0.025, 0.025]]


def test_it_is_told_in_words(strip: TimeStrip) -> None:
    strip.show_sides([PLAIN, DRAFT])
    assert strip.accessibleDescription() == (
        "Off: 10.0 s an answer: checking 8.0 s (80.0 %), sampling 1.0 s (10.0 %), other 1.0 s (10.0 %)\n"
        "Draft Model: 5.0 s an answer: drafting 1.5 s (30.0 %), checking 3.0 s (60.0 %), "
        "sampling 250 ms (5.0 %), other 250 ms (5.0 %)"
    )


def test_drafting_is_in_the_legend_only_where_there_is_some(strip: TimeStrip) -> None:
    legend = strip.findChild(ChartLegend)
    assert isinstance(legend, ChartLegend)
    strip.show_sides([PLAIN])
    assert legend.accessibleName() == "checking · sampling · other"
    assert len(shares(strip)) == 1
    strip.show_sides([PLAIN, DRAFT])
    assert legend.accessibleName() == "drafting · checking · sampling · other"


def test_times_are_those_of_an_average_answer() -> None:
    one, other = run_of(DRAFTED, 10.0), run_of(DRAFTED, 20.0)
    times = times_of("Draft Model", [one, other])
    assert times is not None
    assert times.drafting == pytest.approx((one.stats.draft_s + other.stats.draft_s) / 2)
    assert times.total == pytest.approx((one.stats.decode_s + other.stats.decode_s) / 2, rel=0.1)
    assert times.other >= 0.0


def test_no_runs_and_no_time_are_nothing_to_divide() -> None:
    assert times_of("Off", []) is None
    assert times_of("Off", [run_of(OFF, 8.0, tokens=())]) is None
