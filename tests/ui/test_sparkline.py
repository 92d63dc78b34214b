"""The line of the last minute."""

import pytest
from pytestqt.qtbot import QtBot

from app.ui.sparkline import Sparkline
from app.ui.theme import Theme
from tests.fakes.paint_counter import PaintCounter


@pytest.fixture
def line(theme: Theme, qtbot: QtBot) -> Sparkline:
    made = Sparkline(theme)
    qtbot.addWidget(made)
    made.resize(240, 36)
    return made


def test_it_runs_from_the_oldest_on_the_left_to_the_newest_on_the_right(line: Sparkline) -> None:
    line.show_values((0.0, 5.0, 10.0))
    points = line.points()
    assert len(points) == 3
    assert points[0].x() < 2
    assert points[1].x() == pytest.approx(120, abs=1)
    assert points[2].x() > 238
    assert points[0].y() > points[1].y() > points[2].y()


@pytest.mark.parametrize("highest", [0.01, 18.0, 9000.0])
def test_every_speed_stays_inside(line: Sparkline, highest: float) -> None:
    line.show_values((0.0, highest, highest / 2))
    assert all(0 <= point.y() <= 36 and 0 <= point.x() <= 240 for point in line.points())
    assert min(point.y() for point in line.points()) < 8  # and the highest is near the top


@pytest.mark.parametrize("values", [(), (0.0,), (7.0,), (0.0, 0.0, 0.0)])
def test_nothing_is_a_faint_line_at_the_bottom(
    line: Sparkline, theme: Theme, values: tuple[float, ...]
) -> None:
    line.show_values(values)
    assert line.points() == []
    image = line.grab().toImage()
    colours = {image.pixelColor(image.width() // 2, y).name() for y in range(image.height())}
    assert theme.colours.line.name() in colours
    assert theme.colours.accent.name() not in colours


def test_a_speed_is_drawn_in_the_accent(line: Sparkline, theme: Theme) -> None:
    line.show_values((10.0, 10.0))
    y = round(line.points()[0].y())
    image = line.grab().toImage()
    ratio = image.devicePixelRatio()
    column = [image.pixelColor(round(120 * ratio), round(row * ratio)) for row in range(y - 2, y + 3)]
    accent = theme.colours.accent
    assert any(
        abs(colour.green() - accent.green()) < 40 and colour.red() < colour.green() for colour in column
    )


def test_it_says_what_it_shows(line: Sparkline) -> None:
    assert line.accessibleDescription() == "Nothing was generated"
    line.show_values((0.0, 19.24, 3.0))
    assert line.accessibleDescription() == "At most 19.2 tokens per second"


def test_the_same_line_is_not_painted_again(line: Sparkline, qtbot: QtBot) -> None:
    line.show()
    qtbot.waitExposed(line)
    counter = PaintCounter(line)
    counter.take()
    line.show_values((0.0, 1.0))
    assert counter.take() == 1
    line.show_values((0.0, 1.0))
    assert counter.take() == 0
