"""The last rounds as bars."""

import pytest
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from app.core.protocol import Round
from app.core.stats import DraftSource
from app.ui.rounds_strip import RoundsStrip
from app.ui.theme import Theme
from tests.fakes.paint_counter import PaintCounter
from tests.fakes.scripted_rounds import drafted_round, drafted_rounds, paused_round

HIGH, GROUND = 32, 2  # pixels
LAST = 272 - 2  # the column of the newest round


@pytest.fixture
def strip(theme: Theme, qtbot: QtBot) -> RoundsStrip:
    made = RoundsStrip(theme)
    qtbot.addWidget(made)
    made.resize(272, made.sizeHint().height())
    return made


def show(strip: RoundsStrip, *rounds: Round) -> QImage:
    strip.show_rounds([each.stats for each in rounds])
    return strip.grab().toImage()


def is_like(found: QColor, wanted: QColor) -> bool:
    return found.rgb() == wanted.rgb()


def test_the_newest_round_is_on_the_right(strip: RoundsStrip, theme: Theme) -> None:
    image = show(strip, drafted_round(8, 8), drafted_round(4, 4))
    accent = theme.colours.accent
    assert is_like(image.pixelColor(LAST, HIGH - 16), accent)
    assert not is_like(image.pixelColor(LAST, HIGH - 17), accent), "half as high as the one before"
    assert is_like(image.pixelColor(LAST - 3, 0), accent)
    assert not is_like(image.pixelColor(LAST - 1, 20), accent), "a gap is between them"


def test_what_was_accepted_is_filled_and_what_was_drafted_outlined(strip: RoundsStrip, theme: Theme) -> None:
    image = show(strip, drafted_round(8, 2))
    accent = theme.colours.accent
    assert is_like(image.pixelColor(LAST, 0), accent), "the upper edge"
    between = image.pixelColor(LAST, 10)
    assert not is_like(between, accent)
    assert not is_like(between, image.pixelColor(20, 10)), "nor is it empty"
    assert is_like(image.pixelColor(LAST, HIGH - 8), accent)


def test_the_colour_tells_the_source(strip: RoundsStrip, theme: Theme) -> None:
    image = show(strip, drafted_round(4, 4), drafted_round(4, 4, source=DraftSource.PROMPT_LOOKUP))
    assert is_like(image.pixelColor(LAST, 10), theme.colours.chart_5)
    assert is_like(image.pixelColor(LAST - 3, 10), theme.colours.accent)


def test_a_round_without_a_draft_is_a_mark_on_the_ground(strip: RoundsStrip, theme: Theme) -> None:
    image = show(strip, paused_round())
    assert is_like(image.pixelColor(LAST, HIGH), theme.colours.faint)
    assert is_like(image.pixelColor(LAST, HIGH - 1), image.pixelColor(20, HIGH - 1))


@pytest.mark.parametrize(("longest", "scale"), [(1, 4), (4, 4), (5, 8), (9, 16), (16, 16), (20, 20)])
def test_the_scale_has_few_steps_so_that_bars_keep_their_height(
    strip: RoundsStrip, longest: int, scale: int
) -> None:
    show(strip, drafted_round(longest, 0), drafted_round(1, 1))
    assert strip.scale == scale


def test_as_many_rounds_are_seen_and_told_as_have_room(strip: RoundsStrip) -> None:
    show(strip, drafted_round(16, 16), *drafted_rounds([3], 99))
    assert len(strip.rounds) == 91
    assert strip.scale == 4, "what is not seen does not count"
    assert strip.accessibleDescription().startswith("The last 91 rounds\n")
    strip.resize(299, strip.height())
    strip.show()
    assert len(strip.rounds) == 100
    assert strip.accessibleDescription().startswith("The last 100 rounds\n")
    assert strip.toolTip()


def test_the_same_rounds_are_not_painted_again(strip: RoundsStrip, qtbot: QtBot) -> None:
    strip.show()
    qtbot.waitExposed(strip)
    counter = PaintCounter(strip)
    counter.take()
    strip.show_rounds([drafted_round().stats])
    assert counter.take() == 1
    strip.show_rounds([drafted_round().stats])
    assert counter.take() == 0
