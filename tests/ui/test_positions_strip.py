"""Acceptance by position."""

import pytest
from PySide6.QtGui import QColor, QFontMetricsF
from pytestqt.qtbot import QtBot

from app.ui.accepted_positions import AcceptedPositions
from app.ui.positions_strip import PositionsStrip
from app.ui.theme import Theme

ONE = AcceptedPositions((90, 45, 0), (100, 90, 45), "accent", "Draft Model")
OTHER = AcceptedPositions((10,), (40,), "muted", "Prompt Lookup")


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
    assert colour(strip, 34, 30) == theme.colours.muted
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
    strip.show_sides([AcceptedPositions((9,) * 16, (10,) * 16, "accent", "Draft Model")])
    assert colour(strip, 295, 28) == theme.colours.accent


@pytest.mark.parametrize("width", [120, 180, 231, 300, 420])
@pytest.mark.parametrize("count", [1, 5, 7, 8, 9, 16])
def test_captions_have_room(strip: PositionsStrip, theme: Theme, width: int, count: int) -> None:
    strip.resize(width, strip.height())
    strip.show_sides([AcceptedPositions((10,) * count, (10,) * count, "accent", "Draft Model")])
    metrics = QFontMetricsF(theme.body_font(11))
    wide, gap = strip.bars()
    captions = strip.captions()
    end = 0.0
    for index, text in enumerate(captions):
        if text:
            middle = index * (wide + gap) + wide / 2
            half = metrics.horizontalAdvance(text) / 2
            assert index == 0 or middle - half >= end + 2
            end = middle + half
    assert end <= width + 0.01
    assert captions[0] in ("1", "100 %")


def test_shares_are_shown_where_all_have_room(strip: PositionsStrip) -> None:
    strip.resize(400, strip.height())
    strip.show_sides([ONE])
    assert strip.captions() == ["90 %", "50 %", "0 %"]
    strip.show_sides([ONE, OTHER])
    assert strip.captions() == ["1", "2", "3"]


def test_of_few_tokens_the_counts_are_told_and_the_bar_is_pale(strip: PositionsStrip, theme: Theme) -> None:
    strip.show_sides([AcceptedPositions((20, 3, 0), (20, 3, 0), "accent", "Draft Model")])

    assert strip.captions() == ["100 %", "3/3", "3"]
    assert colour(strip, 22, 20) == theme.colours.accent
    assert colour(strip, 52 + 22, 20) not in (theme.colours.accent, theme.colours.raised)


def test_nothing_drafted_is_nothing_to_show(strip: PositionsStrip) -> None:
    strip.show_sides([])
    assert strip.accessibleDescription() == ""
    strip.grab()
