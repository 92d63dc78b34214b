"""Pictures of what is shown, as files."""

import re
from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.ui.chart import Chart, Series
from app.ui.picture_export import save_picture
from app.ui.theme import Theme
from app.ui.widgets import Card, column, label

SIZE = QSize(432, 332)  # the card's, and 16 pixels around it


@pytest.fixture
def card(theme: Theme, qtbot: QtBot) -> Card:
    """A card with a chart in it, on the screen."""
    chart = Chart(theme, "Max draft tokens", "tok/s", "chart")
    chart.show_series([Series("Draft Model", ((1.0, 9.8), (2.0, 12.5)), "accent", best=1)])
    made = Card()
    made.setLayout(column(label("Best: max 2"), chart))
    made.resize(400, 300)
    qtbot.addWidget(made)
    made.show()
    qtbot.waitUntil(lambda: made.findChild(QWidget, "chart_plot") is not None, timeout=20_000)
    QApplication.processEvents()
    return made


def has(image: QImage, colour: QColor) -> bool:
    value = colour.rgb()
    return any(image.pixel(x, y) == value for y in range(image.height()) for x in range(image.width()))


def test_a_png_has_twice_the_pixels(card: Card, theme: Theme, tmp_path: Path) -> None:
    path = tmp_path / "chart é.png"
    save_picture(card, path)
    image = QImage(str(path))
    assert image.size() == SIZE * 2
    assert image.pixelColor(4, 4) == theme.colours.window  # behind it
    assert image.pixelColor(200, 60) == theme.colours.panel
    assert has(image, theme.colours.accent)


def test_an_svg_has_the_words_and_the_lines(card: Card, theme: Theme, tmp_path: Path) -> None:
    path = tmp_path / "chart.SVG"
    save_picture(card, path)
    content = path.read_text(encoding="utf-8")
    for words in ("Best: max 2", "Draft Model", "Max draft tokens", "tok/s", "12.5"):
        assert re.search(f">{re.escape(words)} ?</text>", content)
    assert "<image" not in content  # all of it can be enlarged
    drawing = QSvgRenderer(str(path))
    assert drawing.isValid()
    assert drawing.viewBox().size() == SIZE
    image = QImage(SIZE, QImage.Format.Format_ARGB32)
    painter = QPainter(image)
    drawing.render(painter)
    painter.end()
    assert image.pixelColor(4, 4) == theme.colours.window
    assert has(image, theme.colours.accent)


@pytest.mark.parametrize("name", ["chart.png", "chart.svg"])
def test_a_folder_that_is_not_there_is_an_error(card: Card, tmp_path: Path, name: str) -> None:
    with pytest.raises(OSError):
        save_picture(card, tmp_path / "missing" / name)
