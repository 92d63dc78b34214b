"""The line under an answer and what a click on it opens."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QToolButton
from pytestqt.qtbot import QtBot

from app.ui.answer_details import AnswerDetails
from app.ui.answer_footer import AnswerFooter
from app.ui.answer_tools import AnswerTools
from app.ui.bars import PositionBars
from app.ui.icons import Icons
from app.ui.theme import Theme
from tests.fakes.children import child
from tests.fakes.tasks import ImmediateTasks
from tests.ui.answers import answer_of, stats_of


@pytest.fixture
def footer(theme: Theme, icons: Icons, immediate_tasks: ImmediateTasks, qtbot: QtBot) -> AnswerFooter:
    made = AnswerFooter(AnswerTools(theme, icons, immediate_tasks))
    qtbot.addWidget(made)
    made.resize(700, made.height_at(700))
    made.show()
    return made


def test_it_says_the_figures(footer: AnswerFooter) -> None:
    footer.tell(answer_of(stats=stats_of()))
    assert footer.text.startswith("18.3 tok/s · 96 tokens · 310 ms to first token")
    assert child(footer, QAbstractButton, "answer_figures_button").accessibleName() == footer.text


def test_a_click_opens_details_and_another_closes_them(footer: AnswerFooter, qtbot: QtBot) -> None:
    footer.tell(answer_of(stats=stats_of()))
    low = footer.height_at(700)
    figures = child(footer, QAbstractButton, "answer_figures_button")
    with qtbot.waitSignal(footer.height_changed):
        qtbot.mouseClick(figures, Qt.MouseButton.LeftButton)
    details = child(footer, AnswerDetails, "answer_details")
    assert footer.height_at(700) > low
    texts = [each.text() for each in details.findChildren(QLabel)]
    assert "Verifying 3.7 s" in texts
    bars = child(details, PositionBars, "position_bars")
    assert "Position 2: 14 of 15 accepted (93.3 %)" in bars.accessibleDescription()
    QTest.keyClick(figures, Qt.Key.Key_Space)
    assert footer.height_at(700) == low


def test_details_are_painted(footer: AnswerFooter, theme: Theme) -> None:
    footer.tell(answer_of(stats=stats_of()))
    child(footer, QAbstractButton, "answer_figures_button").click()
    bars = child(footer, PositionBars, "position_bars")
    image = bars.grab().toImage()
    assert image.pixelColor(10, 30) == theme.colours.accent


def test_without_figures_there_are_only_buttons(footer: AnswerFooter) -> None:
    footer.tell(answer_of())
    assert footer.text == ""
    assert not child(footer, QAbstractButton, "answer_figures_button").isVisible()


def test_a_narrow_footer_takes_more_lines(footer: AnswerFooter) -> None:
    footer.tell(answer_of(stats=stats_of()))
    assert footer.height_at(300) > footer.height_at(1200)


def test_buttons_ask(footer: AnswerFooter, qtbot: QtBot) -> None:
    footer.buttons.offer(regenerate=True)
    for name, signal in (
        ("copy_message_button", footer.buttons.copied),
        ("regenerate_button", footer.buttons.regenerated),
        ("delete_message_button", footer.buttons.deleted),
    ):
        with qtbot.waitSignal(signal):
            child(footer, QToolButton, name).click()


def test_buttons_are_seen_under_the_pointer_and_with_the_keyboard(footer: AnswerFooter, qtbot: QtBot) -> None:
    buttons = footer.buttons
    copy = child(footer, QToolButton, "copy_message_button")
    footer.activateWindow()
    qtbot.waitUntil(footer.isActiveWindow)
    copy.clearFocus()
    hidden = buttons.grab().toImage()
    buttons.reveal(True)
    assert buttons.grab().toImage() != hidden
    buttons.reveal(False)
    assert buttons.grab().toImage() == hidden
    copy.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(copy.hasFocus)
    assert buttons.grab().toImage() != hidden
