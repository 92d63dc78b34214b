"""A choice among words in small boxes."""

from enum import StrEnum

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.ui.chips import Chip, Chips
from app.ui.theme import Theme
from tests.fakes.children import child


class Fruit(StrEnum):
    """Choices."""

    APPLE = "apple"
    PEAR = "pear"


@pytest.fixture
def chips(theme: Theme, qtbot: QtBot) -> Chips:
    """Two of them on the screen."""
    made = Chips("fruit", "Fruit", {Fruit.APPLE: "Apple", Fruit.PEAR: "Pear"}, theme)
    qtbot.addWidget(made)
    made.show()
    return made


def test_the_first_is_the_choice_until_another_is_clicked(chips: Chips, qtbot: QtBot) -> None:
    told: list[object] = []
    chips.value_chosen.connect(told.append)
    assert chips.value is Fruit.APPLE
    for _ in range(2):
        qtbot.mouseClick(child(chips, Chip, "fruit_pear"), Qt.MouseButton.LeftButton)
    assert (chips.value, told) == (Fruit.PEAR, [Fruit.PEAR])


def test_the_arrow_keys_move_the_choice(chips: Chips, qtbot: QtBot) -> None:
    first = child(chips, Chip, "fruit_apple")
    first.setFocus()
    qtbot.keyClick(first, Qt.Key.Key_Right)
    assert chips.value is Fruit.PEAR
