"""Where the time went."""

import pytest
from pytestqt.qtbot import QtBot

from app.ui.chart_legend import ChartLegend
from app.ui.theme import Theme
from app.ui.time_strip import TimesOfSide, TimeStrip, times_of
from app.ui.track import Track
from tests.fakes.experiments import DRAFTED, OFF, run_of

PLAIN = TimesOfSide("Off", 0.0, 8.0, 1.0, 1.0, drafts=False)
DRAFT = TimesOfSide("Draft Model", 1.5, 3.0, 0.25, 0.25, runs=3)


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
        "Off: 10.0 s an answer: generating 8.0 s (80.0 %), sampling 1.0 s (10.0 %), other 1.0 s (10.0 %)\n"
        "Draft Model: 5.0 s an answer, the median of 3 runs: drafting 1.5 s (30.0 %), "
        "checking 3.0 s (60.0 %), sampling 250 ms (5.0 %), other 250 ms (5.0 %)"
    )


def test_what_the_time_went_into_has_the_colours_of_the_other_views(strip: TimeStrip) -> None:
    strip.show_sides([PLAIN, DRAFT])
    roles = [[segment.role for segment in track.segments] for track in strip.findChildren(Track)]
    assert [each[:2] for each in roles] == [["accent", "faint"], ["accent", "chart_2"]]


def test_drafting_is_in_the_legend_only_where_there_is_some(strip: TimeStrip) -> None:
    legend = strip.findChild(ChartLegend)
    assert isinstance(legend, ChartLegend)
    strip.show_sides([PLAIN])
    assert legend.accessibleName() == "generating · sampling · other"
    assert len(shares(strip)) == 1
    strip.show_sides([PLAIN, DRAFT])
    assert legend.accessibleName() == "generating · drafting · checking · sampling · other"


def test_times_are_those_of_the_median_run() -> None:
    slow, median, fast = (run_of(DRAFTED, rate) for rate in (2.0, 19.0, 20.0))
    times = times_of("Draft Model", [median, slow, fast])
    assert times is not None
    assert (times.drafting, times.checking) == (median.stats.draft_s, median.stats.verify_s)
    assert times.total == pytest.approx(median.stats.decode_s)
    assert (times.runs, times.drafts) == (3, True)


def test_what_cannot_be_seen_is_not_in_the_legend(strip: TimeStrip) -> None:
    legend = strip.findChild(ChartLegend)
    assert isinstance(legend, ChartLegend)
    strip.show_sides([TimesOfSide("Draft Model", 3.0, 6.0, 0.01, 0.02)])
    assert legend.accessibleName() == "drafting · checking"


def test_no_runs_and_no_time_are_nothing_to_divide() -> None:
    assert times_of("Off", []) is None
    assert times_of("Off", [run_of(OFF, 8.0, tokens=())]) is None
