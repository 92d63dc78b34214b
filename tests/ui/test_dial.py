"""The dial."""

import pytest
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from app.core.rates import RateReading
from app.settings import ThemeChoice
from app.ui.dial import COMPACT, SpeedDial, fitting_scale
from app.ui.theme import Theme
from tests.fakes.paint_counter import PaintCounter


@pytest.fixture
def dial(theme: Theme, qtbot: QtBot) -> SpeedDial:
    made = SpeedDial(theme)
    qtbot.addWidget(made)
    made.resize(200, 146)
    return made


def picture(dial: SpeedDial) -> QImage:
    return dial.grab().toImage()


def at(image: QImage, x: int, y: int) -> QColor:
    ratio = image.devicePixelRatio()
    return image.pixelColor(round(x * ratio), round(y * ratio))


def rates(now: float, average: float | None = None, peak: float = 0.0) -> RateReading:
    return RateReading(now, average, (peak,))


@pytest.mark.parametrize(
    ("scale", "peak", "wanted"),
    [
        (20, 18.0, 20),
        (20, 20.0, 20),
        (20, 20.1, 50),  # it grows at once
        (20, 180.0, 200),
        (50, 19.0, 50),  # 19 is too near to 20 to shrink
        (50, 17.9, 20),
        (50, 4.0, 5),
        (50, 0.0, 50),  # nothing runs
        (5, 0.3, 5),
        (200, 99_999.0, 10_000),
    ],
)
def test_the_scale_suits_the_last_minute(scale: int, peak: float, wanted: int) -> None:
    assert fitting_scale(scale, peak) == wanted


def test_a_speed_around_the_end_of_a_scale_does_not_switch_back_and_forth() -> None:
    scales = []
    scale = 20
    for number in range(40):
        scale = fitting_scale(scale, 20.0 + (0.4 if number % 2 else -0.4))
        scales.append(scale)
    assert scales == [20] + [50] * 39


def test_it_shows_the_speed_now_and_the_average(dial: SpeedDial) -> None:
    dial.show_rates(rates(18.34, 17.61))
    assert dial.figure == "18.3"
    assert dial.caption == "now · 17.6 average"
    assert dial.accessibleDescription() == "18.3 tokens per second now, 17.6 on average"


def test_without_an_average_there_is_none(dial: SpeedDial) -> None:
    dial.show_rates(rates(0.0))
    assert (dial.figure, dial.caption) == ("0.0", "now")
    assert dial.accessibleDescription() == "0.0 tokens per second now"


def test_the_arc_reaches_as_far_as_the_speed(dial: SpeedDial, theme: Theme) -> None:
    left, top, right = (24, 98), (100, 24), (176, 98)
    dial.show_rates(rates(0.0))
    assert [at(picture(dial), *place) for place in (left, top, right)] == [theme.colours.raised] * 3
    dial.show_rates(rates(12.0, peak=18.0))
    assert dial.scale == 20
    shown = picture(dial)
    assert at(shown, *left) == theme.colours.accent
    assert at(shown, *top) == theme.colours.accent
    assert at(shown, *right) == theme.colours.raised
    dial.show_rates(rates(20.0))
    assert at(picture(dial), *right) == theme.colours.accent


def test_it_follows_the_theme(dial: SpeedDial, theme: Theme) -> None:
    dial.show_rates(rates(20.0))
    dark = at(picture(dial), 100, 24)
    theme.choose(ThemeChoice.LIGHT)
    assert at(picture(dial), 100, 24) == theme.colours.accent != dark


def test_a_wide_one_stands_in_the_middle(dial: SpeedDial, theme: Theme) -> None:
    dial.resize(300, 146)
    dial.show_rates(rates(20.0))
    assert at(picture(dial), 150, 24) == theme.colours.accent


def test_what_looks_the_same_is_not_painted_again(dial: SpeedDial, qtbot: QtBot) -> None:
    dial.show()
    qtbot.waitExposed(dial)
    counter = PaintCounter(dial)
    counter.take()
    dial.show_rates(rates(8.04, 7.0))
    assert counter.take() == 1
    dial.show_rates(rates(8.01, 7.01))
    assert counter.take() == 0


@pytest.fixture
def compact(theme: Theme, qtbot: QtBot) -> SpeedDial:
    """One of two that share a scale."""
    made = SpeedDial(theme, size=COMPACT, role="muted")
    qtbot.addWidget(made)
    made.resize(made.sizeHint())
    return made


def test_a_compact_one_shows_a_speed_on_a_scale_that_somebody_else_chose(
    compact: SpeedDial, theme: Theme
) -> None:
    left, top, right = (6, 53), (52, 8), (98, 53)
    compact.show_speed(10.0, 20, is_over=True)
    shown = picture(compact)
    assert at(shown, *left) == theme.colours.muted
    assert at(shown, *right) == theme.colours.raised
    assert compact.accessibleDescription() == "10.0 tokens per second"
    compact.set_role("accent")
    assert at(picture(compact), *left) == theme.colours.accent
    compact.set_scale(100)
    assert at(picture(compact), *top) == theme.colours.raised
    assert compact.figure == "10.0"


def test_a_compact_one_can_have_no_speed(compact: SpeedDial, theme: Theme) -> None:
    compact.show_speed(None, 20, is_over=True)
    assert compact.figure == "–"
    assert compact.accessibleDescription() == "no speed"
    assert at(picture(compact), 6, 53) == theme.colours.raised
    compact.show_speed(0.0, 20, is_over=False)
    assert compact.accessibleDescription() == "0.0 tokens per second now"
