"""Acceptance by position."""

import pytest
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from app.ui.positions_strip import AcceptedOfSide, PositionsStrip
from app.ui.theme import Theme

ONE = AcceptedOfSide("Draft Model", (90, 45, 0), (100, 90, 45), "accent")
OTHER = AcceptedOfSide("Prompt Lookup", (10,), (40,), "chart_2")


@pytest.fixture
def strip(theme: Theme, qtbot: QtBot) -> PositionsStrip:
    made = PositionsStrip(theme)
    qtbot.addWidget(made)
    made.resize(300, made.sizeHint().height())
    return made


def colour(strip: PositionsStrip, x: int, y: int) -> QColor:
    image = strip.grab().toImage()
    ratio = image.devicePixelRatio()
    return image.pixelColor(round(x * ratio), round(y * ratio))


def test_a_bar_is_as_high_as_the_share_that_was_accepted(strip: PositionsStrip, theme: Theme) -> None:
    strip.show_sides([ONE])
    first, second, third = 22, 52 + 22, 104 + 22  # the middles of the bars, 44 wide and 8 apart
    assert colour(strip, first, 8) == theme.colours.accent
    assert [colour(strip, second, y) for y in (8, 28)] == [theme.colours.raised, theme.colours.accent]
    assert colour(strip, third, 28) == theme.colours.raised


def test_two_that_draft_stand_beside_each_other(strip: PositionsStrip, theme: Theme) -> None:
    strip.show_sides([ONE, OTHER])
    assert colour(strip, 10, 30) == theme.colours.accent
    assert colour(strip, 34, 30) == theme.colours.chart_2
    assert strip.accessibleDescription().splitlines()[-1] == (
        "Prompt Lookup, position 1: 10 of 40 accepted (25.0 %)"
    )


def test_it_is_told_in_words(strip: PositionsStrip) -> None:
    strip.show_sides([ONE])
    assert strip.accessibleDescription() == (
        "Position 1: 90 of 100 accepted (90.0 %)\n"
        "Position 2: 45 of 90 accepted (50.0 %)\n"
        "Position 3: 0 of 45 accepted (0.0 %)"
    )
    assert "45 of 90" in strip.toolTip()


def test_sixteen_positions_have_room(strip: PositionsStrip, theme: Theme) -> None:
    strip.show_sides([AcceptedOfSide("Draft Model", (9,) * 16, (10,) * 16, "accent")])
    assert colour(strip, 295, 28) == theme.colours.accent


def test_nothing_drafted_is_nothing_to_show(strip: PositionsStrip) -> None:
    strip.show_sides([])
    assert strip.accessibleDescription() == ""
    strip.grab()
