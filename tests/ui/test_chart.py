"""Charts with axes."""

import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage, QWheelEvent
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.settings import ThemeChoice
from app.ui.chart import Chart, Level, Series
from app.ui.theme import Theme
from tests.fakes.children import child

DRAFT = Series("Draft Model", ((1.0, 9.8), (2.0, 11.0), (3.0, 12.5)), "accent", best=2)
OFF = Level("Off", 8.2, "bad")


@pytest.fixture
def chart(theme: Theme, qtbot: QtBot) -> Iterator[Chart]:
    made = Chart(theme, "Max draft tokens", "tok/s", "test_chart")
    made.resize(480, 280)
    qtbot.addWidget(made)
    yield made


Shown = Callable[[], QImage]


@pytest.fixture
def shown(chart: Chart, qtbot: QtBot) -> Shown:
    """Puts the chart on the screen, with what it plots with loaded, and gives its picture."""

    def picture() -> QImage:
        chart.show()
        qtbot.waitUntil(lambda: chart.findChild(QWidget, "test_chart_plot") is not None, timeout=20_000)
        QApplication.processEvents()
        return chart.grab().toImage()

    return picture


def rows_with(image: QImage, colour: QColor) -> set[int]:
    """The lines of a picture that have a pixel of a colour."""
    value = colour.rgb()
    return {y for y in range(image.height()) for x in range(image.width()) if image.pixel(x, y) == value}


def columns_with(image: QImage, colour: QColor) -> set[int]:
    value = colour.rgb()
    return {x for y in range(image.height()) for x in range(image.width()) if image.pixel(x, y) == value}


def test_what_it_plots_with_is_not_loaded_before_it_is_shown() -> None:
    """Half a second that the start of the window does not pay."""
    code = (
        "import sys\n"
        "from PySide6.QtWidgets import QApplication\n"
        "from app.settings import ThemeChoice\n"
        "from app.ui.chart import Chart, Series\n"
        "from app.ui.theme import Theme\n"
        "application = QApplication([])\n"
        "chart = Chart(Theme(application, ThemeChoice.DARK), 'x', 'y', 'chart')\n"
        "chart.show_series([Series('a', ((0.0, 1.0),), 'accent')])\n"
        "assert 'pyqtgraph' not in sys.modules\n"
        "chart.show()\n"
        "application.processEvents()\n"
        "application.processEvents()\n"
        "assert 'pyqtgraph' in sys.modules\n"
        "assert sys.modules['pyqtgraph'].Qt.QT_LIB == 'PySide6'\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)


def test_points_rise_with_their_values(chart: Chart, shown: Shown, theme: Theme) -> None:
    chart.show_series([DRAFT], [OFF])
    image = shown()
    points, level = rows_with(image, theme.colours.accent), rows_with(image, theme.colours.bad)
    below_legend = {y for y in points if y > 40}
    assert min(below_legend) < max(below_legend) < min(y for y in level if y > 40)
    assert max(columns_with(image, theme.colours.bad)) > 450  # across the whole chart


def test_the_axis_begins_at_zero(chart: Chart, shown: Shown, theme: Theme) -> None:
    """Else a small gain would look like a large one."""
    chart.show_series([Series("a", ((1.0, 10.0), (2.0, 10.4)), "accent", dots=False)])
    image = shown()
    places = {y for y in rows_with(image, theme.colours.accent) if y > 40}
    assert max(places) - min(places) < 15
    assert max(places) < 120  # in the upper part of 280 pixels


def test_a_given_range_leaves_room_for_points_to_come(chart: Chart, shown: Shown, theme: Theme) -> None:
    chart.show_series([Series("", ((1.0, 10.0), (2.0, 10.0)), "accent")], x_range=(1.0, 8.0))
    assert max(columns_with(shown(), theme.colours.accent)) < 160


def test_the_spread_is_drawn_around_a_point(chart: Chart, shown: Shown, theme: Theme) -> None:
    alone = Series("", ((1.0, 10.0),), "accent")
    chart.show_series([alone])
    narrow = shown()
    chart.show_series([Series("", alone.points, "accent", spread=((5.0, 12.0),))])
    wide = shown()

    def height(image: QImage) -> int:
        middle = columns_with(image, theme.colours.accent)
        x = (min(middle) + max(middle)) // 2
        tinted = [image.pixelColor(x, y) for y in range(image.height())]
        inked = [y for y, colour in enumerate(tinted) if colour.green() - colour.red() > 40]
        return max(inked) - min(inked)

    assert height(wide) > 2 * height(narrow)


def test_the_best_is_named_where_there_is_little_room(chart: Chart, shown: Shown, theme: Theme) -> None:
    chart.resize(480, 190)
    chart.show_series([replace(DRAFT, name="", best=None)])
    assert not rows_with(shown(), theme.colours.text)
    chart.show_series([replace(DRAFT, name="")])
    lines = rows_with(shown(), theme.colours.text)
    assert max(lines) - min(lines) >= 8  # digits of 12 pixels, not cut


def test_it_follows_the_theme(chart: Chart, shown: Shown, theme: Theme) -> None:
    chart.show_series([DRAFT])
    dark = theme.colours.accent
    assert rows_with(shown(), dark)
    theme.choose(ThemeChoice.LIGHT)
    image = shown()
    assert rows_with(image, theme.colours.accent)
    assert not rows_with(image, dark)


def test_other_figures_take_the_place_of_the_first(chart: Chart, shown: Shown, theme: Theme) -> None:
    chart.show_series([DRAFT], [OFF])
    shown()
    chart.show_series([Series("Prompt lookup", DRAFT.points, "chart_4")])
    image = shown()
    assert rows_with(image, theme.colours.chart_4)
    assert not rows_with(image, theme.colours.accent) | rows_with(image, theme.colours.bad)


def test_without_figures_it_says_what_will_be_here(chart: Chart, shown: Shown) -> None:
    chart.set_empty_text("The chart comes with the first run.")
    assert chart.is_empty
    shown()
    line = chart.findChild(QWidget, "test_chart_empty_line")
    assert line is not None
    assert line.isVisible()
    chart.show_series([DRAFT])
    assert not line.isVisible()
    chart.show_series([])
    assert line.isVisible()


def test_it_tells_its_figures(chart: Chart) -> None:
    assert chart.accessibleName() == "tok/s by Max draft tokens"
    chart.show_series([DRAFT], [OFF])
    assert chart.accessibleDescription() == "Draft Model: 1: 9.80, 2: 11.0, 3: 12.5. Off: 8.20"


def test_of_a_curve_it_tells_the_ends(chart: Chart) -> None:
    curve = tuple((number / 50, 1.0 + number / 100) for number in range(51))
    chart.show_series([Series("Standard model", curve, "accent", dots=False)])
    assert chart.accessibleDescription() == "Standard model: from 1.00 to 1.50"


def test_the_mouse_does_nothing_to_it(chart: Chart, shown: Shown) -> None:
    """The wheel is the page's, which scrolls under it."""
    chart.show_series([DRAFT])
    before = shown()
    place = QPointF(chart.rect().center())
    event = QWheelEvent(
        place,
        chart.mapToGlobal(place),
        QPoint(0, 0),
        QPoint(0, 240),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    under = chart.childAt(chart.rect().center())
    plot = chart.findChild(QWidget, "test_chart_plot")
    assert under is not None
    assert plot is not None
    QApplication.sendEvent(under, event)
    assert not event.isAccepted()
    assert shown() == before
    assert plot.focusPolicy() is Qt.FocusPolicy.NoFocus


def test_it_is_put_off_while_something_is_timed(chart: Chart, qtbot: QtBot) -> None:
    """Loading what it plots with takes up to a second of the processor."""
    chart.show_series((DRAFT,), (OFF,))
    chart.put_off(True)
    chart.show()
    QApplication.processEvents()
    line = child(chart, QLabel, "test_chart_later_line")
    assert chart.findChild(QWidget, "test_chart_plot") is None
    assert line.isVisible()
    chart.put_off(False)
    qtbot.waitUntil(lambda: chart.findChild(QWidget, "test_chart_plot") is not None, timeout=20_000)
    assert not line.isVisible()
    chart.put_off(True)  # what is loaded is loaded
    assert not line.isVisible()


def test_put_off_and_hidden_it_is_not_loaded_for_nobody(chart: Chart) -> None:
    chart.put_off(True)
    chart.put_off(False)
    QApplication.processEvents()
    assert chart.findChild(QWidget, "test_chart_plot") is None
