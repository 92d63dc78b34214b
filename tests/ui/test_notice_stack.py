"""Notices that take no room while they say nothing."""

from pytestqt.qtbot import QtBot

from app.ui.icons import Icons
from app.ui.notice import Notice
from app.ui.notice_stack import NoticeStack
from app.ui.theme import Theme


def test_it_is_there_while_one_of_them_speaks(theme: Theme, icons: Icons, qtbot: QtBot) -> None:
    first, second = Notice(theme, icons), Notice(theme, icons)
    stack = NoticeStack("notices", first, second)
    qtbot.addWidget(stack)
    assert stack.isHidden()
    first.tell("One.")
    second.tell("Two.")
    assert not stack.isHidden()
    first.clear()
    assert not stack.isHidden()
    second.clear()
    assert stack.isHidden()


def test_it_may_begin_with_something_said(theme: Theme, icons: Icons, qtbot: QtBot) -> None:
    notice = Notice(theme, icons)
    notice.tell("From the start.")
    stack = NoticeStack("notices", notice)
    qtbot.addWidget(stack)
    assert not stack.isHidden()
