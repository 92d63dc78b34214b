"""What the user wrote."""

import pytest
from PySide6.QtCore import QPoint, QRectF
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from app.ui.answer_tools import AnswerTools
from app.ui.icons import Icons
from app.ui.prose_view import ProseView
from app.ui.theme import Theme
from app.ui.user_message import UserMessage
from tests.fakes.children import child
from tests.fakes.tasks import ImmediateTasks
from tests.ui.answers import said


@pytest.fixture
def tools(theme: Theme, icons: Icons, immediate_tasks: ImmediateTasks) -> AnswerTools:
    return AnswerTools(theme, icons, immediate_tasks)


def shown(tools: AnswerTools, qtbot: QtBot, text: str) -> UserMessage:
    message = UserMessage(tools, said(7, text))
    qtbot.addWidget(message)
    message.resize(700, message.height_at(700))
    message.show()
    return message


@pytest.mark.parametrize("text", ["# no *heading*", "<b>x</b>", "a\n\n  b", "ünï 👨‍👩‍👧 ไทย עברית"])
def test_text_is_shown_as_it_is(tools: AnswerTools, qtbot: QtBot, text: str) -> None:
    assert shown(tools, qtbot, text).shown_text == text


def test_a_long_text_is_shown_in_part_until_all_is_asked_for(tools: AnswerTools, qtbot: QtBot) -> None:
    text = "\n".join(f"line {number}" for number in range(3000))
    message = shown(tools, qtbot, text)
    more = child(message, QPushButton, "show_all_button")
    assert more.isVisible()
    assert message.shown_text.split("\n") == [f"line {number}" for number in range(15)]
    low = message.height_at(700)
    more.click()
    tools.slices.finish()
    assert not more.isVisible()
    assert message.shown_text == text
    assert message.height_at(700) > low


def test_one_long_line_is_cut_behind_a_word(tools: AnswerTools, qtbot: QtBot) -> None:
    message = shown(tools, qtbot, "word " * 2000)
    assert 700 < len(message.shown_text) <= 1500
    assert message.shown_text.endswith("word")


def test_a_text_that_is_hardly_too_long_is_shown_as_a_whole(tools: AnswerTools, qtbot: QtBot) -> None:
    message = shown(tools, qtbot, "word " * 310)
    assert message.shown_text == "word " * 310
    assert not child(message, QPushButton, "show_all_button").isVisible()


def test_copy_copies_all_of_it(tools: AnswerTools, qtbot: QtBot) -> None:
    text = "word " * 2000
    message = shown(tools, qtbot, text)
    child(message, QToolButton, "copy_message_button").click()
    assert QGuiApplication.clipboard().text() == text


def test_delete_names_the_message(tools: AnswerTools, qtbot: QtBot) -> None:
    message = shown(tools, qtbot, "x")
    with qtbot.waitSignal(message.delete_requested) as asked:
        child(message, QToolButton, "delete_message_button").click()
    assert asked.args == [7]


@pytest.mark.parametrize("text", ["שלום", "a\tb", "W" * 300, "word " * 60, "x\n" + "Wide " * 8, "日本語" * 3])
@pytest.mark.parametrize("width", [220, 700])
def test_the_text_is_inside_of_the_bubble(tools: AnswerTools, qtbot: QtBot, text: str, width: int) -> None:
    message = shown(tools, qtbot, text)
    message.resize(width, message.height_at(width))
    [view] = message.findChildren(ProseView)
    assert view.document().idealWidth() <= view.viewport().width()
    assert view.document().size().height() <= view.height()
    assert message.bubble.contains(
        QRectF(view.rect()).translated(view.mapTo(message, QPoint(0, 0)).toPointF())
    )


def test_what_fits_into_a_line_is_not_broken(tools: AnswerTools, qtbot: QtBot) -> None:
    one = shown(tools, qtbot, "x").height_at(700)
    assert shown(tools, qtbot, "The first ten prime numbers, please: what are they?").height_at(700) == one


def test_the_bubble_is_as_wide_as_its_text_and_on_the_right(
    tools: AnswerTools, theme: Theme, qtbot: QtBot
) -> None:
    message = shown(tools, qtbot, "Hi")
    image = message.grab().toImage()
    middle = message.height() // 2
    assert image.pixelColor(message.width() - 3, middle) == theme.colours.raised
    assert image.pixelColor(message.width() // 2, middle) != theme.colours.raised
