"""The column of conversations: what a person does there, by mouse and keyboard, and what it then says."""

from datetime import datetime

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLineEdit, QMessageBox, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.core.chat import Conversation
from app.ui.conversation_list import ConversationList
from app.ui.conversation_model import ConversationModel
from app.ui.conversation_view import ConversationView
from app.ui.icons import Icons
from app.ui.theme import Theme
from app.ui.undo_bar import UndoBar

NOON = datetime(2026, 3, 30, 12).timestamp()
CHATS = tuple(Conversation(number, f"chat {number}", 0.0, NOON - number) for number in (1, 2, 3))


class Column:
    """The list, and all that it said."""

    def __init__(self, qtbot: QtBot, theme: Theme, icons: Icons) -> None:
        self.qtbot = qtbot
        self.list = ConversationList(theme, icons, clock=lambda: NOON)
        qtbot.addWidget(self.list)
        self.list.resize(232, 500)
        self.said: list[tuple[object, ...]] = []
        for name in (
            "conversation_chosen", "new_requested", "renamed", "deleted", "undo_requested", "undo_expired"
        ):  # fmt: skip
            getattr(self.list, name).connect(lambda *what, name=name: self.said.append((name, *what)))
        self.list.show_conversations(CHATS)
        self.list.show()
        qtbot.waitExposed(self.list)
        view = self.list.findChild(ConversationView)
        model = self.list.findChild(ConversationModel)
        assert view is not None
        assert model is not None
        self.view, self.model = view, model

    def press(self, key: Qt.Key) -> None:
        self.qtbot.keyClick(self.view, key)

    def place_of(self, chat: int, *, from_right: int | None = None) -> QPoint:
        area = self.view.visualRect(self.model.index_of(chat))
        return QPoint(area.right() - from_right, area.center().y()) if from_right else area.center()

    def click(self, place: QPoint) -> None:
        self.qtbot.mouseClick(self.view.viewport(), Qt.MouseButton.LeftButton, pos=place)

    def action(self, chat: int, name: str) -> QAction:
        menu = self.view.menu_for(self.model.index_of(chat))
        assert menu is not None
        action = menu.findChild(QAction, name)
        assert action is not None
        return action

    def rename_to(self, title: str, end: Qt.Key) -> None:
        """Types into the open editor, and ends it."""
        editor = self.view.findChild(QLineEdit, "conversation_title_field")
        assert editor is not None
        editor.selectAll()
        self.qtbot.keyClicks(editor, title)
        self.qtbot.keyClick(editor, end)
        self.qtbot.waitUntil(lambda: self.view.state() is not ConversationView.State.EditingState)

    def answer(self, name: str) -> None:
        """Presses a button of the question that is open."""
        question = self.list.findChild(QMessageBox, "delete_conversation_question")
        assert question is not None
        if name == "cancel":
            question.button(QMessageBox.StandardButton.Cancel).click()
        else:
            button = question.findChild(QPushButton, name)
            assert button is not None
            button.click()

    @property
    def bar(self) -> UndoBar:
        bar = self.list.findChild(UndoBar)
        assert bar is not None
        return bar


@pytest.fixture
def column(qtbot: QtBot, theme: Theme, icons: Icons) -> Column:
    return Column(qtbot, theme, icons)


class TestChoosing:
    def test_with_a_click(self, column: Column) -> None:
        column.click(column.place_of(2))

        assert column.said == [("conversation_chosen", 2)]

    def test_a_click_on_a_heading_chooses_nothing(self, column: Column) -> None:
        column.click(column.view.visualRect(column.model.index(0)).center())

        assert column.said == []

    @pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space])
    def test_with_the_keyboard(self, column: Column, key: Qt.Key) -> None:
        column.list.set_current(1)
        column.press(Qt.Key.Key_Down)
        column.press(key)

        assert column.said == [("conversation_chosen", 2)]

    def test_the_keyboard_passes_over_headings(self, column: Column) -> None:
        old = Conversation(9, "old", 0.0, 0.0)
        column.list.show_conversations([CHATS[0], old])
        column.list.set_current(1)
        column.press(Qt.Key.Key_Down)
        column.press(Qt.Key.Key_Return)

        assert column.said == [("conversation_chosen", 9)]

    def test_marking_the_current_one_says_nothing(self, column: Column) -> None:
        column.list.set_current(3)
        column.list.set_current(99)
        column.list.set_current(None)

        assert column.said == []

    def test_a_new_one(self, column: Column) -> None:
        button = column.list.findChild(QPushButton, "new_chat_button")
        assert button is not None
        button.click()

        assert column.said == [("new_requested",)]


def test_a_dot_marks_the_one_that_is_being_answered(column: Column, theme: Theme) -> None:
    accent = theme.colours.accent.rgb()

    def dotted() -> list[int]:
        image = column.view.viewport().grab().toImage()
        ratio = image.devicePixelRatio()
        found = []
        for chat in (1, 2, 3):
            area = column.view.visualRect(column.model.index_of(chat))
            y = round(area.center().y() * ratio)
            if any(image.pixel(x, y) == accent for x in range(image.width() // 2, image.width())):
                found.append(chat)
        return found

    assert dotted() == []
    column.list.set_answering(2)
    assert dotted() == [2]
    column.list.set_answering(None)
    assert dotted() == []


class TestRenaming:
    def test_with_a_key(self, column: Column) -> None:
        column.list.set_current(2)
        column.press(Qt.Key.Key_F2)
        column.rename_to("Another", Qt.Key.Key_Return)

        assert column.said == [("renamed", 2, "Another")]
        assert column.model.index_of(2).data() == "Another"

    def test_with_a_double_click(self, column: Column) -> None:
        place = column.place_of(3)
        column.click(place)
        column.qtbot.mouseDClick(column.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
        column.rename_to("Another", Qt.Key.Key_Return)

        assert ("renamed", 3, "Another") in column.said

    def test_from_the_menu(self, column: Column) -> None:
        column.action(1, "rename_action").trigger()
        column.rename_to("Another", Qt.Key.Key_Return)

        assert column.said == [("renamed", 1, "Another")]

    def test_can_be_given_up(self, column: Column) -> None:
        column.list.set_current(2)
        column.press(Qt.Key.Key_F2)
        column.rename_to("Another", Qt.Key.Key_Escape)

        assert column.said == []
        assert column.model.index_of(2).data() == "chat 2"

    def test_goes_on_while_the_list_changes(self, column: Column) -> None:
        column.list.set_current(2)
        column.press(Qt.Key.Key_F2)
        column.list.show_conversations([Conversation(4, "new", 0.0, NOON), *CHATS])
        column.rename_to("Another", Qt.Key.Key_Return)

        assert column.said == [("renamed", 2, "Another")]


class TestDeleting:
    def test_asks_and_offers_to_take_it_back(self, column: Column) -> None:
        column.list.set_current(2)
        column.press(Qt.Key.Key_Delete)
        assert column.said == []
        column.answer("confirm_delete_button")
        assert column.said == [("deleted", 2)]
        assert column.bar.isVisible()
        assert "chat 2" in column.bar.accessibleName()

        undo = column.bar.findChild(QPushButton, "undo_button")
        assert undo is not None
        undo.click()
        assert column.said == [("deleted", 2), ("undo_requested", 2)]

    def test_does_nothing_when_the_answer_is_no(self, column: Column) -> None:
        column.action(3, "delete_action").trigger()
        column.answer("cancel")

        assert column.said == []
        assert column.bar.isHidden()

    def test_is_for_good_once_nobody_wanted_it_back(self, column: Column) -> None:
        column.action(3, "delete_action").trigger()
        column.answer("confirm_delete_button")
        column.bar.expire()

        assert column.said == [("deleted", 3), ("undo_expired", 3)]


class TestTheMenu:
    def test_opens_at_the_dots_without_choosing(self, column: Column) -> None:
        column.click(column.place_of(2, from_right=10))
        menu = column.view.findChild(QWidget, "conversation_menu")

        assert menu is not None
        assert menu.isVisible()
        assert column.said == []
        menu.close()

    def test_a_double_click_on_the_dots_does_not_rename(self, column: Column) -> None:
        place = column.place_of(2, from_right=10)
        column.view.setCurrentIndex(column.model.index_of(2))
        column.qtbot.mouseDClick(column.view.viewport(), Qt.MouseButton.LeftButton, pos=place)

        assert column.view.findChild(QLineEdit, "conversation_title_field") is None

    def test_there_is_none_for_a_heading(self, column: Column) -> None:
        assert column.view.menu_for(column.model.index(0)) is None


def test_an_empty_list_says_so(column: Column) -> None:
    empty = column.list.findChild(QWidget, "no_conversations")
    assert empty is not None
    assert not empty.isVisible()

    column.list.show_conversations(())
    assert empty.isVisible()
    assert not column.view.isVisible()


def test_everything_can_be_reached_and_has_a_name(column: Column) -> None:
    for widget in (column.view, column.list.findChild(QPushButton, "new_chat_button")):
        assert widget is not None
        assert widget.accessibleName()
        assert widget.focusPolicy() & Qt.FocusPolicy.TabFocus
