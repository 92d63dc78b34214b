"""Every run on one axis."""

import pytest
from PySide6.QtGui import QColor, QFontMetricsF
from pytestqt.qtbot import QtBot

from app.settings import ThemeChoice
from app.ui.runs_strip import RunsOfSide, RunsStrip
from app.ui.theme import Theme

OFF = RunsOfSide("Off", (8.2, 8.0, 8.4), "muted")
DRAFT = RunsOfSide("Draft Model", (16.0, 18.0, 17.0), "accent")


@pytest.fixture
def strip(theme: Theme, qtbot: QtBot) -> RunsStrip:
    made = RunsStrip(theme)
    qtbot.addWidget(made)
    made.resize(400, made.sizeHint().height())
    made.show_sides([OFF, DRAFT])
    return made


def at(strip: RunsStrip, speed: float, row: int) -> QColor:
    image = strip.grab().toImage()
    ratio = image.devicePixelRatio()
    return image.pixelColor(round(strip.place_of(speed) * ratio), round((2 + 15 * (row + 0.5)) * ratio))


def near(one: QColor, other: QColor) -> bool:
    pairs = ((one.red(), other.red()), (one.green(), other.green()), (one.blue(), other.blue()))
    return all(abs(a - b) < 60 for a, b in pairs)


def test_the_axis_begins_at_zero_and_holds_every_run(strip: RunsStrip) -> None:
    zero, half, most = (strip.place_of(speed) for speed in (0.0, 9.0, 18.0))
    assert half - zero == pytest.approx(most - half)
    assert zero > 0
    assert most < strip.width()


def test_each_run_is_a_dot_in_its_sides_row_and_colour(strip: RunsStrip, theme: Theme) -> None:
    for speed in OFF.speeds:
        assert near(at(strip, speed, 0), theme.colours.muted)
    for speed in DRAFT.speeds:
        assert near(at(strip, speed, 1), theme.colours.accent)
    assert not near(at(strip, 12.0, 1), theme.colours.accent)


def test_it_follows_the_theme(strip: RunsStrip, theme: Theme) -> None:
    theme.choose(ThemeChoice.LIGHT)
    assert near(at(strip, 17.0, 1), theme.colours.accent)


def test_it_is_told_in_words(strip: RunsStrip) -> None:
    assert strip.accessibleDescription() == (
        "Off: median 8.2 tok/s of 3 runs, 8.0 to 8.4: 8.2, 8.0, 8.4\n"
        "Draft Model: median 17.0 tok/s of 3 runs, 16.0 to 18.0: 16.0, 18.0, 17.0"
    )
    assert "17.0" in strip.toolTip()


def test_a_single_run_has_no_median(strip: RunsStrip) -> None:
    strip.show_sides([RunsOfSide("Off", (8.24,), "muted")])
    assert strip.accessibleDescription() == "Off: 8.2 tok/s, one run"


@pytest.mark.parametrize("width", [160, 400])
def test_a_slow_median_does_not_cover_the_zero(strip: RunsStrip, theme: Theme, width: int) -> None:
    strip.resize(width, strip.height())
    strip.show_sides([RunsOfSide("Off", (0.3,), "muted"), RunsOfSide("Draft Model", (90.0,), "accent")])
    zero = QFontMetricsF(theme.body_font(11)).horizontalAdvance("0")
    assert strip.median_labels()[0][0] > strip.place_of(0.0) + zero


def test_a_side_without_speeds_is_told_of(strip: RunsStrip) -> None:
    strip.show_sides([OFF, RunsOfSide("Draft Model", (), "accent")])
    assert strip.accessibleDescription().endswith("Draft Model: no speed")
    strip.grab()  # and can be painted


def test_nothing_at_all_can_be_painted(strip: RunsStrip) -> None:
    strip.show_sides([])
    assert strip.accessibleDescription() == ""
    strip.grab()


@pytest.mark.parametrize("width", [160, 400])
def test_labels_of_medians_that_are_near_do_not_touch(strip: RunsStrip, theme: Theme, width: int) -> None:
    strip.resize(width, strip.height())
    strip.show_sides([RunsOfSide("Off", (18.0,), "muted"), RunsOfSide("Draft Model", (18.1,), "accent")])
    (first, one, _), (second, other, _) = strip.median_labels()
    metrics = QFontMetricsF(theme.body_font(11))
    assert first + metrics.horizontalAdvance(one) < second
    assert second + metrics.horizontalAdvance(other) <= strip.width()
