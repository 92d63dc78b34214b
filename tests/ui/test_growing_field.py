"""The field that is as high as its text."""

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from app.ui.growing_field import GrowingField
from app.ui.theme import Theme

MOST_LINES = 5


@pytest.fixture
def field(qtbot: QtBot, theme: Theme) -> Iterator[GrowingField]:
    made = GrowingField(theme, "field", MOST_LINES)
    qtbot.addWidget(made)
    made.resize(600, made.height())
    made.show()
    yield made


def height_of_lines(field: GrowingField, count: int) -> int:
    field.setPlainText("\n".join("word" for _ in range(count)))
    return field.height()


def test_it_grows_with_its_lines_and_then_no_more(field: GrowingField) -> None:
    heights = [height_of_lines(field, count) for count in (1, 2, 5, 6, 50)]

    assert heights[0] < heights[1] < heights[2] == heights[3] == heights[4]


def test_it_is_as_high_as_lines_that_are_broken_by_its_width(field: GrowingField) -> None:
    three = height_of_lines(field, 3)
    field.setPlainText("a long line of text that is broken " * 3)
    assert field.height() < three, "in so wide a field it takes two lines at most"

    field.resize(300, field.height())
    narrow = field.height()
    field.resize(600, field.height())

    assert narrow >= three
    assert field.height() < narrow


def test_it_shrinks_again(field: GrowingField) -> None:
    one = height_of_lines(field, 1)
    height_of_lines(field, 4)
    field.clear()

    assert field.height() == one
