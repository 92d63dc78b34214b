"""A banner: what it says, and what it takes back."""

import pytest
from pytestqt.qtbot import QtBot

from app.ui.icons import Icons
from app.ui.notice import Notice
from app.ui.theme import Theme


@pytest.fixture
def notice(theme: Theme, icons: Icons, qtbot: QtBot) -> Notice:
    made = Notice(theme, icons)
    qtbot.addWidget(made)
    return made


def test_what_is_withdrawn_goes(notice: Notice) -> None:
    notice.tell("The disk is full.")
    notice.withdraw("The disk is full.")
    assert notice.isHidden()


def test_another_sentence_that_came_meanwhile_stays(notice: Notice) -> None:
    notice.tell("The disk is full.")
    notice.tell("The engine has ended.")
    notice.withdraw("The disk is full.")
    assert notice.sentence == "The engine has ended."


def test_a_very_long_name_does_not_push_the_window_apart(notice: Notice) -> None:
    notice.tell("Short.")
    before = notice.minimumSizeHint().width()
    notice.tell("“" + "W" * 300 + "” is damaged.")
    assert notice.minimumSizeHint().width() == before
