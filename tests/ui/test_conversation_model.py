"""The rows of the conversation list: headings by age, and changes that leave the other rows alone."""

from datetime import date, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from app.core.chat import Conversation
from app.ui.conversation_model import Age, ConversationModel, ConversationRole, age_of

TODAY = date(2026, 3, 30)  # the day after clocks went forward in much of Europe


def moment(month: int, day: int, hour: int = 12) -> float:
    return datetime(2026, month, day, hour).timestamp()


def chat(number: int, updated: float, title: str | None = None) -> Conversation:
    return Conversation(number, f"chat {number}" if title is None else title, updated, updated)


@pytest.fixture
def model(qtbot: QtBot) -> ConversationModel:
    made = ConversationModel()
    QAbstractItemModelTester(made, QAbstractItemModelTester.FailureReportingMode.Fatal, made)
    return made


def words(model: ConversationModel) -> list[str]:
    return [str(model.index(number).data()) for number in range(model.rowCount())]


@pytest.mark.parametrize(
    ("when", "age"),
    [
        (moment(3, 30, 0), Age.TODAY),
        (moment(3, 30, 23), Age.TODAY),
        (moment(4, 9), Age.TODAY),
        (moment(3, 29, 23), Age.YESTERDAY),
        (moment(3, 29, 0), Age.YESTERDAY),
        (moment(3, 28, 23), Age.LAST_7_DAYS),
        (moment(3, 23, 0), Age.LAST_7_DAYS),
        (moment(3, 22, 23), Age.OLDER),
        (0.0, Age.OLDER),
    ],
)
def test_ages_go_by_the_calendar(when: float, age: Age) -> None:
    assert age_of(when, TODAY) is age


def test_conversations_are_under_headings(model: ConversationModel) -> None:
    model.show_conversations(
        [chat(4, moment(3, 30)), chat(3, moment(3, 29)), chat(2, moment(3, 25)), chat(1, moment(1, 1))], TODAY
    )

    assert words(model) == [
        "Today", "chat 4", "Yesterday", "chat 3", "Last 7 days", "chat 2", "Older", "chat 1"
    ]  # fmt: skip


def test_headings_cannot_be_chosen(model: ConversationModel) -> None:
    model.show_conversations([chat(1, moment(3, 30))], TODAY)
    heading, row = model.index(0), model.index(1)

    assert not heading.flags() & (Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsEditable)
    assert row.flags() & Qt.ItemFlag.ItemIsEnabled
    assert model.conversation(heading) is None
    assert heading.data(ConversationRole.ID) is None
    assert row.data(ConversationRole.ID) == 1
    assert model.conversation(QModelIndex()) is None


def test_one_that_nothing_was_said_in_is_a_new_chat(model: ConversationModel) -> None:
    model.show_conversations([chat(2, moment(3, 30), ""), chat(1, moment(3, 30), "two\nlines")], TODAY)

    assert words(model) == ["Today", "New chat", "two lines"]
    assert model.index(1).data(Qt.ItemDataRole.EditRole) == ""


def test_the_one_on_the_page_is_marked(qtbot: QtBot, model: ConversationModel) -> None:
    model.show_conversations([chat(2, moment(3, 30)), chat(1, moment(3, 30))], TODAY)
    model.set_shown(2)
    changed: list[int] = []
    model.dataChanged.connect(lambda top, _bottom: changed.append(top.row()))
    model.set_shown(1)

    assert [model.index(row).data(ConversationRole.IS_SHOWN) for row in (1, 2)] == [False, True]
    assert sorted(changed) == [1, 2]
    model.set_shown(99)
    model.set_shown(None)
    assert not model.index(2).data(ConversationRole.IS_SHOWN)


def test_the_one_that_is_being_answered_is_marked(model: ConversationModel) -> None:
    model.show_conversations([chat(2, moment(3, 30)), chat(1, moment(3, 30))], TODAY)
    changed: list[int] = []
    model.dataChanged.connect(lambda top, _bottom: changed.append(top.row()))
    spoken = Qt.ItemDataRole.AccessibleTextRole

    model.set_answering(2)
    assert [model.index(row).data(ConversationRole.IS_ANSWERING) for row in (1, 2)] == [True, False]
    assert [model.index(row).data(spoken) for row in (1, 2)] == ["chat 2, answering", "chat 1"]
    assert model.index(1).data() == "chat 2"
    model.set_answering(2)
    assert changed == [1]
    model.set_answering(99)
    model.set_answering(None)
    assert model.index(1).data(spoken) == "chat 2"
    assert changed == [1, 1]


def test_the_mark_stays_with_its_conversation(model: ConversationModel) -> None:
    model.set_answering(1)
    model.show_conversations([chat(1, moment(3, 30))], TODAY)
    model.show_conversations([chat(2, moment(3, 30)), chat(1, moment(3, 30))], TODAY)

    assert [model.index(row).data(ConversationRole.IS_ANSWERING) for row in (1, 2)] == [False, True]


class TestRenaming:
    def test_is_told(self, model: ConversationModel) -> None:
        model.show_conversations([chat(1, moment(3, 30))], TODAY)
        told: list[tuple[int, str]] = []
        model.title_edited.connect(lambda number, title: told.append((number, title)))

        assert model.setData(model.index(1), "  Another\tname ")
        assert words(model) == ["Today", "Another name"]
        assert told == [(1, "Another name")]

    @pytest.mark.parametrize("title", ["", "  ", "chat 1"])
    def test_to_nothing_or_the_same_changes_nothing(self, model: ConversationModel, title: str) -> None:
        model.show_conversations([chat(1, moment(3, 30))], TODAY)
        told: list[str] = []
        model.title_edited.connect(lambda _number, title: told.append(title))
        model.setData(model.index(1), title)

        assert words(model) == ["Today", "chat 1"]
        assert told == []

    def test_a_heading_is_impossible(self, model: ConversationModel) -> None:
        model.show_conversations([chat(1, moment(3, 30))], TODAY)

        assert not model.setData(model.index(0), "Now")


class TestChanges:
    def test_rows_that_stay_are_the_same_rows(self, model: ConversationModel) -> None:
        old, other = chat(1, moment(3, 29)), chat(2, moment(3, 28))
        model.show_conversations([old, other], TODAY)
        kept = QPersistentModelIndex(model.index_of(1))
        model.show_conversations([chat(3, moment(3, 30)), chat(1, moment(3, 29), "renamed"), other], TODAY)

        assert kept.isValid()
        assert kept.data() == "renamed"

    def test_nothing_new_is_not_told(self, qtbot: QtBot, model: ConversationModel) -> None:
        model.show_conversations([chat(1, moment(3, 29))], TODAY)
        with qtbot.assertNotEmitted(model.dataChanged), qtbot.assertNotEmitted(model.rowsInserted):
            model.show_conversations([chat(1, moment(3, 29))], TODAY)

    def test_a_new_day_brings_other_headings(self, model: ConversationModel) -> None:
        model.show_conversations([chat(1, moment(3, 30))], TODAY)
        model.show_conversations([chat(1, moment(3, 30))], date(2026, 3, 31))

        assert words(model) == ["Yesterday", "chat 1"]

    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(st.lists(st.lists(st.tuples(st.integers(1, 8), st.integers(1, 30)), unique_by=lambda one: one[0])))
    def test_any_list_can_follow_any_other(self, qtbot: QtBot, lists: list[list[tuple[int, int]]]) -> None:
        model = ConversationModel()
        tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
        for chats in lists:
            newest_first = sorted(chats, key=lambda one: -one[1])
            conversations = [chat(number, moment(3, day)) for number, day in newest_first]
            model.show_conversations(conversations, TODAY)
            listed = [model.conversation(model.index(row)) for row in range(model.rowCount())]
            assert [one for one in listed if one is not None] == conversations
            headings = [text for text in words(model) if not text.startswith("chat")]
            assert len(headings) == len(set(headings))
        del tester
