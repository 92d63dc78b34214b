"""The field for what the user says next."""

from itertools import pairwise

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPlainTextEdit, QPushButton
from pytestqt.qtbot import QtBot

from app.ui.composer import Composer
from app.ui.icons import Icons
from app.ui.theme import Theme
from tests.fakes.children import child


@pytest.fixture
def composer(theme: Theme, icons: Icons, qtbot: QtBot) -> Composer:
    made = Composer(theme, icons)
    qtbot.addWidget(made)
    made.resize(500, made.sizeHint().height())
    made.show()
    made.activateWindow()
    made.take_focus()
    return made


def field(composer: Composer) -> QPlainTextEdit:
    return child(composer, QPlainTextEdit, "composer_field")


def button(composer: Composer, name: str) -> QPushButton:
    return child(composer, QPushButton, name)


def inked_lines(field: QPlainTextEdit) -> list[tuple[int, int]]:
    """Where rows of pixels begin and end that have something on them, left of where the cursor is."""
    image = field.viewport().grab().toImage()
    nothing = image.pixelColor(0, 0)
    inked = [any(image.pixelColor(x, y) != nothing for x in range(20)) for y in range(image.height())]
    edges = [y for y, pair in enumerate(pairwise([False, *inked, False])) if pair[0] != pair[1]]
    return list(zip(edges[::2], edges[1::2], strict=True))


def test_enter_sends_and_empties_the_field(composer: Composer, qtbot: QtBot) -> None:
    QTest.keyClicks(field(composer), "Hello")
    with qtbot.waitSignal(composer.sent) as sent:
        QTest.keyClick(field(composer), Qt.Key.Key_Return)
    assert sent.args == ["Hello"]
    assert composer.text == ""


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter])
def test_shift_and_enter_break_the_line(composer: Composer, qtbot: QtBot, key: Qt.Key) -> None:
    QTest.keyClicks(field(composer), "a")
    with qtbot.assertNotEmitted(composer.sent):
        QTest.keyClick(field(composer), key, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClicks(field(composer), "b")
    assert composer.text == "a\nb"


def test_enter_on_the_number_pad_sends(composer: Composer, qtbot: QtBot) -> None:
    composer.set_text("a")
    with qtbot.waitSignal(composer.sent):
        QTest.keyClick(field(composer), Qt.Key.Key_Enter, Qt.KeyboardModifier.KeypadModifier)


def test_enter_that_ends_a_composition_does_not_send(composer: Composer, qtbot: QtBot) -> None:
    composer.set_text("a")
    QApplication.sendEvent(field(composer), QInputMethodEvent("か", []))
    with qtbot.assertNotEmitted(composer.sent):
        QTest.keyClick(field(composer), Qt.Key.Key_Return)


def test_the_button_sends(composer: Composer, qtbot: QtBot) -> None:
    assert not button(composer, "send_button").isEnabled()
    composer.set_text("  Hello \n")
    assert button(composer, "send_button").isEnabled()
    with qtbot.waitSignal(composer.sent) as sent:
        qtbot.mouseClick(button(composer, "send_button"), Qt.MouseButton.LeftButton)
    assert sent.args == ["Hello"]


def test_nothing_is_not_sent(composer: Composer, qtbot: QtBot) -> None:
    composer.set_text(" \n ")
    with qtbot.assertNotEmitted(composer.sent):
        QTest.keyClick(field(composer), Qt.Key.Key_Return)
    assert not button(composer, "send_button").isEnabled()


def test_while_an_answer_is_given_there_is_stop_instead(composer: Composer, qtbot: QtBot) -> None:
    composer.set_text("next")
    composer.set_running(True)
    assert button(composer, "stop_button").isVisible()
    assert not button(composer, "send_button").isVisible()
    with qtbot.assertNotEmitted(composer.sent):
        QTest.keyClick(field(composer), Qt.Key.Key_Return)
    assert composer.text == "next"
    with qtbot.waitSignal(composer.stop_requested):
        button(composer, "stop_button").click()
    composer.set_running(False)
    assert button(composer, "send_button").isVisible()
    assert not button(composer, "stop_button").isVisible()


def test_escape_stops_an_answer_and_nothing_else(composer: Composer, qtbot: QtBot) -> None:
    qtbot.waitUntil(composer.isActiveWindow)
    with qtbot.assertNotEmitted(composer.stop_requested):
        QTest.keyClick(field(composer), Qt.Key.Key_Escape)
    composer.set_running(True)
    with qtbot.waitSignal(composer.stop_requested):
        QTest.keyClick(field(composer), Qt.Key.Key_Escape)


def test_a_reason_not_to_send_is_told(composer: Composer, qtbot: QtBot) -> None:
    composer.set_text("Hello")
    composer.set_enabled_reason("Load a model to chat")
    assert child(composer, QLabel, "composer_hint").text() == "Load a model to chat"
    assert not button(composer, "send_button").isEnabled()
    with qtbot.assertNotEmitted(composer.sent):
        QTest.keyClick(field(composer), Qt.Key.Key_Return)
    assert composer.text == "Hello"
    QTest.keyClicks(field(composer), " you")
    assert composer.text == "Hello you"
    composer.set_enabled_reason("")
    assert button(composer, "send_button").isEnabled()


def test_it_grows_with_its_text_up_to_a_limit(composer: Composer) -> None:
    heights = []
    for lines in (1, 2, 8, 9, 50):
        composer.set_text("\n".join(["x"] * lines))
        heights.append(field(composer).height())
    assert heights[0] < heights[1] < heights[2] == heights[3] == heights[4]
    composer.set_text("")
    assert field(composer).height() == heights[0]


@pytest.mark.parametrize("lines", [1, 3, 8])
def test_all_of_a_few_lines_can_be_seen(composer: Composer, lines: int) -> None:
    composer.set_text("\n".join(["gj"] * lines))
    assert field(composer).verticalScrollBar().maximum() == 0


def test_no_line_is_seen_in_part(composer: Composer) -> None:
    composer.set_text("\n".join(["MMM"] * 12))
    bar = field(composer).verticalScrollBar()
    assert bar.maximum() == 12 - 8
    for value in (0, 2, bar.maximum()):
        bar.setValue(value)
        assert len(inked_lines(field(composer))) == 8
        assert len({end - start for start, end in inked_lines(field(composer))}) == 1


def test_a_long_line_is_wrapped_and_counts(composer: Composer) -> None:
    composer.set_text("x")
    low = field(composer).height()
    composer.set_text("word " * 60)
    assert field(composer).height() > low


def test_text_is_pasted_without_its_look(composer: Composer) -> None:
    QGuiApplication.clipboard().setText("<b>bold</b>\nnext")
    field(composer).paste()
    assert composer.text == "<b>bold</b>\nnext"


def test_what_was_replaced_can_be_brought_back(composer: Composer) -> None:
    QTest.keyClicks(field(composer), "mine")
    composer.set_text("other")
    field(composer).undo()
    assert composer.text == "mine"
