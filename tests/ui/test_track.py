"""The bar that shares are shown on."""

import pytest
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from app.ui.theme import Theme
from app.ui.track import Segment, Track
from tests.fakes.paint_counter import PaintCounter


@pytest.fixture
def track(theme: Theme, qtbot: QtBot) -> Track:
    made = Track(theme)
    qtbot.addWidget(made)
    made.resize(200, 12)
    return made


def at(track: Track, x: int, y: int = 6) -> QColor:
    image = track.grab().toImage()
    ratio = image.devicePixelRatio()
    return image.pixelColor(round(x * ratio), round(y * ratio))


def test_segments_follow_each_other_from_the_left(track: Track, theme: Theme) -> None:
    track.show_segments(Segment(0.25, "accent"), Segment(0.5, "faint"))
    assert at(track, 25) == theme.colours.accent
    assert at(track, 100) == theme.colours.faint
    assert at(track, 175) == theme.colours.raised


def test_a_mark_stands_across_the_bar(track: Track, theme: Theme) -> None:
    track.show_segments(Segment(0.25, "accent"), mark=0.6)
    assert at(track, 120, 0) == theme.colours.text
    assert at(track, 60, 0) != theme.colours.text


@pytest.mark.parametrize(("share", "shown"), [(-0.5, 0.0), (1.7, 1.0), (0.12345, 0.123)])
def test_shares_stay_within_the_bar(track: Track, share: float, shown: float) -> None:
    track.show_segments(Segment(share, "accent"), mark=share)
    assert track.segments == (Segment(shown, "accent"),)
    assert track.mark == shown


def test_a_change_that_nobody_would_see_is_not_painted(track: Track, qtbot: QtBot) -> None:
    track.show()
    qtbot.waitExposed(track)
    counter = PaintCounter(track)
    counter.take()
    track.show_segments(Segment(0.5, "accent"))
    assert counter.take() == 1
    track.show_segments(Segment(0.50001, "accent"))
    assert counter.take() == 0
