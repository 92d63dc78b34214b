"""The button that looks like a field."""

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.ui.field_button import FieldButton
from app.ui.icons import Icons
from app.ui.theme import Theme


@pytest.fixture
def button(qtbot: QtBot, theme: Theme, icons: Icons) -> FieldButton:
    made = FieldButton(theme, icons, "choice")
    qtbot.addWidget(made)
    made.setText("Draft Model · max 5")
    return made


@pytest.mark.parametrize("key", [Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down])
def test_it_is_pressed_by_the_keys_that_open_choices(qtbot: QtBot, button: FieldButton, key: Qt.Key) -> None:
    with qtbot.waitSignal(button.clicked):
        qtbot.keyClick(button, key)


def test_it_wants_room_for_its_words_and_takes_less(button: FieldButton) -> None:
    usual = button.sizeHint().width()
    button.setText("Draft Model · max 5 · min 2 · probability 0.4 · Qwen2.5 0.5B")
    wanted = button.sizeHint()

    assert wanted.width() > usual
    button.resize(wanted)
    assert not button.is_cut
    button.resize(button.minimumSizeHint())
    assert button.is_cut


def test_short_words_do_not_make_it_narrower_than_other_fields(button: FieldButton) -> None:
    usual = button.sizeHint()
    button.setText("Off")

    assert button.sizeHint() == usual


def test_it_shows_by_its_edge_that_it_has_the_focus(qtbot: QtBot, button: FieldButton) -> None:
    button.resize(button.sizeHint())
    button.show()
    before = button.grab().toImage()
    button.activateWindow()
    button.setFocus()
    qtbot.waitUntil(button.hasFocus)

    assert button.grab().toImage() != before
