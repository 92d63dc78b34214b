"""The line under an answer and what a click on it opens."""

import pytest
from msgspec.structs import replace
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


@pytest.mark.parametrize(("plain_s", "tone"), [(8.3, "accent"), (5.2, "muted"), (4.7, "muted")])
def test_a_gain_against_plain_generation_stands_out(footer: AnswerFooter, plain_s: float, tone: str) -> None:
    footer.tell(answer_of(stats=replace(stats_of(), plain_s=plain_s)))
    told = [each for each in footer.findChildren(QLabel) if each.text().endswith("plain, estimated")]
    assert [each.property("tone") for each in told] == [tone]


def test_in_a_narrow_window_no_figure_is_cut(footer: AnswerFooter) -> None:
    footer.tell(answer_of(stats=stats_of()))
    narrow, figures = 290, child(footer, QAbstractButton, "answer_figures_button")
    footer.resize(narrow, footer.height_at(narrow))
    labels = [each for each in figures.findChildren(QLabel) if each.isVisible()]
    assert any(each.wordWrap() for each in labels), "one of them is longer than a line"
    for each in labels:
        assert (
            each.heightForWidth(each.width()) <= each.height()
            if each.wordWrap()
            else (each.sizeHint().width() <= each.width())
        )
    places = [each.geometry() for each in labels]
    assert not any(one.intersects(other) for one in places for other in places if one is not other)
    assert max(place.bottom() for place in places) < footer.height()


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


def test_all_positions_of_a_long_draft_have_room(footer: AnswerFooter) -> None:
    many = tuple(range(16, 0, -1))
    footer.tell(
        answer_of(stats=replace(stats_of(), accepted_by_position=many, tested_by_position=(16,) * 16))
    )
    child(footer, QAbstractButton, "answer_figures_button").click()
    footer.height_at(700)
    bars = child(footer, PositionBars, "position_bars")
    pitch, wide = bars.bars()
    assert 15 * pitch + wide <= bars.width()
    assert wide >= 6


@pytest.mark.parametrize(("width", "beside"), [(700, True), (294, False)])
def test_in_a_narrow_window_the_bars_stand_below_the_figures(
    footer: AnswerFooter, width: int, beside: bool
) -> None:
    footer.tell(answer_of(stats=replace(stats_of(), rounds=21, plain_s=8.3)))
    child(footer, QAbstractButton, "answer_figures_button").click()
    footer.resize(width, footer.height_at(width))
    details = child(footer, AnswerDetails, "answer_details")
    details.grab()  # lays it out
    bars = child(details, PositionBars, "position_bars")
    names = {each.text(): each for each in details.findChildren(QLabel)}
    assert (bars.x() > names["Peak memory"].geometry().right()) is beside
    assert (bars.y() > names["Peak memory"].geometry().bottom()) is not beside
    for each in names.values():
        assert each.width() >= each.minimumSizeHint().width(), each.text()
        assert each.geometry().right() < details.width(), each.text()


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
