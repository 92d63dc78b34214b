"""The store behind a thread: everything in order, failures told, nothing generated lost."""

import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from app.core.chat import Answer, AnswerState, ChatMessage, Conversation, Role
from app.core.chat_tables import CHATS
from app.core.database import Database, StoreError, StoreProblem
from app.core.store import Store
from app.ui.chat_store import ChatStore
from app.ui.tasks import Tasks
from tests.fakes.tasks import ImmediateTasks

RUNNING = Answer(AnswerState.RUNNING, "target", None)
FINISHED = Answer(AnswerState.FINISHED, "target", None)


class Seen:
    """What a store told."""

    def __init__(self, store: ChatStore) -> None:
        self.titles: list[list[str]] = []
        self.problems: list[str] = []
        self.conversations: list[Conversation] = []
        self.messages: list[ChatMessage] = []
        self.lines: list[list[str]] = []
        store.conversations_changed.connect(self._list)
        store.failed.connect(self.problems.append)

    def line(self, messages: tuple[ChatMessage, ...]) -> None:
        self.lines.append([message.text for message in messages])

    def _list(self, conversations: tuple[Conversation, ...]) -> None:
        self.titles.append([conversation.title for conversation in conversations])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "chats.db"


@pytest.fixture
def owner(qtbot: QtBot) -> QObject:
    return QObject()


@pytest.fixture
def store(qtbot: QtBot, path: Path) -> Iterator[ChatStore]:
    made = ChatStore(path, ImmediateTasks(threads=1))
    yield made
    made.close()


@pytest.fixture
def seen(store: ChatStore) -> Seen:
    return Seen(store)


def on_disk(path: Path) -> list[list[str]]:
    """The texts of all conversations, as another start finds them."""
    store, problem = Store.open(path)
    assert problem == ""
    lines = [[message.text for message in store.messages(one.id)] for one in store.conversations()]
    store.close()
    return lines


def begin(store: ChatStore, owner: QObject, seen: Seen) -> tuple[int, int]:
    """A conversation with a question and an answer that has begun; gives both ids."""
    store.create_conversation(owner, "chat", seen.conversations.append)
    chat = seen.conversations[-1].id
    store.add_message(owner, chat, Role.USER, "question", None, seen.messages.append)
    store.add_message(owner, chat, Role.ASSISTANT, "", RUNNING, seen.messages.append)
    return chat, seen.messages[-1].id


class TestTheList:
    def test_is_told_at_every_change(self, store: ChatStore, owner: QObject, seen: Seen) -> None:
        store.refresh()
        store.create_conversation(owner, "a", seen.conversations.append)
        chat = seen.conversations[0].id
        store.rename(chat, "b")
        store.delete(chat)
        store.undo_delete(chat)
        store.delete(chat)
        store.purge(chat)
        store.undo_delete(chat)

        assert seen.titles == [[], ["a"], ["b"], [], ["b"], [], [], []]
        assert seen.problems == []


class TestMessages:
    def test_an_answer_grows_and_is_kept(
        self, store: ChatStore, owner: QObject, seen: Seen, path: Path
    ) -> None:
        chat, answer = begin(store, owner, seen)
        store.save_answer(answer, "so", RUNNING)
        store.save_answer(answer, "so far", FINISHED)
        store.messages(owner, chat, seen.line)
        store.close()

        assert seen.lines == [["question", "so far"]]
        assert on_disk(path) == [["question", "so far"]]

    def test_another_version_and_its_deletion(self, store: ChatStore, owner: QObject, seen: Seen) -> None:
        chat, answer = begin(store, owner, seen)
        store.save_answer(answer, "one", FINISHED)
        store.add_version(owner, answer, RUNNING, seen.messages.append)
        store.save_answer(seen.messages[-1].id, "two", FINISHED)
        store.messages(owner, chat, seen.line)
        store.delete_message(owner, chat, seen.messages[-1].id, seen.line)

        assert seen.lines == [["question", "two"], ["question", "one"]]

    def test_what_comes_while_the_disk_is_busy_is_written_too(
        self, qtbot: QtBot, owner: QObject, path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        store = ChatStore(path, Tasks(threads=1))
        seen = Seen(store)
        store.create_conversation(owner, "chat", seen.conversations.append)
        qtbot.waitUntil(lambda: bool(seen.conversations))
        chat = seen.conversations[0].id
        store.add_message(owner, chat, Role.ASSISTANT, "", RUNNING, seen.messages.append)
        qtbot.waitUntil(lambda: bool(seen.messages))
        begun, free = threading.Event(), threading.Event()
        save = Store.save_answer

        def slow(disk: Store, message_id: int, text: str, answer: Answer) -> None:
            begun.set()
            free.wait(60)
            save(disk, message_id, text, answer)

        monkeypatch.setattr(Store, "save_answer", slow)
        store.save_answer(seen.messages[0].id, "so", RUNNING)
        assert begun.wait(60)
        store.save_answer(seen.messages[0].id, "so far", RUNNING)
        free.set()
        store.close()

        assert on_disk(path) == [["so far"]]

    def test_everything_is_done_in_order_in_one_thread(
        self, qtbot: QtBot, owner: QObject, path: Path
    ) -> None:
        store = ChatStore(path, Tasks(threads=1))
        seen = Seen(store)
        store.create_conversation(owner, "chat", seen.conversations.append)
        qtbot.waitUntil(lambda: bool(seen.conversations))
        chat = seen.conversations[0].id
        for number in range(30):
            store.add_message(owner, chat, Role.USER, str(number), None, seen.messages.append)
            store.messages(owner, chat, seen.line)
        qtbot.waitUntil(lambda: len(seen.lines) == 30)
        store.close()

        assert [len(line) for line in seen.lines] == list(range(1, 31))
        assert on_disk(path) == [[str(number) for number in range(30)]]

    def test_closing_waits_for_what_is_under_way(self, qtbot: QtBot, owner: QObject, path: Path) -> None:
        store = ChatStore(path, Tasks(threads=1))
        seen = Seen(store)
        store.create_conversation(owner, "chat", seen.conversations.append)
        qtbot.waitUntil(lambda: bool(seen.conversations))
        store.add_message(
            owner, seen.conversations[0].id, Role.USER, "last words", None, seen.messages.append
        )
        store.close()

        assert on_disk(path) == [["last words"]]


class TestFailures:
    def test_a_refused_prompt_is_told_to_whoever_asked(
        self, store: ChatStore, owner: QObject, seen: Seen, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        chat, answer = begin(store, owner, seen)

        def full(*_: object) -> None:
            raise StoreError(StoreProblem.DISK_FULL, "The disk is full.")

        for name in ("create_conversation", "add_message", "add_version"):
            monkeypatch.setattr(Store, name, full)
        refused: list[str] = []
        store.create_conversation(owner, "another", seen.conversations.append, refused.append)
        store.add_message(owner, chat, Role.USER, "more", None, seen.messages.append, refused.append)
        store.add_version(owner, answer, RUNNING, seen.messages.append, refused.append)

        assert refused == 3 * ["The disk is full."]
        assert seen.problems == refused
        assert len(seen.messages) == 2

    def test_an_answer_that_the_disk_refuses_is_shown_and_saved_once_there_is_room(
        self, store: ChatStore, owner: QObject, seen: Seen, path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        chat, answer = begin(store, owner, seen)

        def full(*_: object) -> None:
            raise StoreError(StoreProblem.DISK_FULL, "The disk is full.")

        with monkeypatch.context() as no_room:
            no_room.setattr(Store, "save_answer", full)
            store.save_answer(answer, "part", RUNNING)
            store.save_answer(answer, "part and the rest", FINISHED)
        store.messages(owner, chat, seen.line)
        store.close()

        assert seen.problems == ["The disk is full."], "told once"
        assert seen.lines == [["question", "part and the rest"]]
        assert on_disk(path) == [["question", "part and the rest"]]

    def test_a_fault_of_the_program_is_not_swallowed(
        self, store: ChatStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def broken(*_: object) -> None:
            raise ZeroDivisionError

        monkeypatch.setattr(Store, "conversations", broken)
        with pytest.raises(ZeroDivisionError):
            store.refresh()

    def test_a_damaged_file_is_told_and_a_new_one_begun(
        self, store: ChatStore, owner: QObject, seen: Seen, path: Path
    ) -> None:
        path.write_bytes(b"damage" * 1000)
        begin(store, owner, seen)
        store.close()

        assert len(seen.problems) == 1
        assert "damaged" in seen.problems[0]
        assert on_disk(path) == [["question", ""]]

    def test_where_the_file_cannot_be_used_chats_last_as_long_as_the_window(
        self, store: ChatStore, owner: QObject, seen: Seen, path: Path
    ) -> None:
        database, _ = Database.open(path, CHATS)
        database.connection.execute("PRAGMA user_version = 99")
        database.close()
        before = path.read_bytes()

        chat, answer = begin(store, owner, seen)
        store.save_answer(answer, "answer", FINISHED)
        store.messages(owner, chat, seen.line)
        store.close()

        assert seen.lines == [["question", "answer"]]
        assert len(seen.problems) == 1
        assert "newer version" in seen.problems[0]
        assert "lost when the window closes" in seen.problems[0]
        assert path.read_bytes() == before

    def test_one_who_is_gone_gets_no_answer(self, qtbot: QtBot, path: Path) -> None:
        store = ChatStore(path, Tasks(threads=1))
        seen = Seen(store)
        gate = threading.Event()
        store._tasks.run(store, lambda: gate.wait(60), lambda _: None)
        owner = QObject()
        store.create_conversation(owner, "chat", seen.conversations.append)
        owner.deleteLater()
        del owner
        gate.set()
        with qtbot.waitSignal(store.conversations_changed):
            pass
        store.close()

        assert seen.conversations == []
        assert seen.titles == [["chat"]]


def test_nothing_is_opened_before_it_is_needed(qtbot: QtBot, path: Path) -> None:
    store = ChatStore(path, Tasks(threads=1))
    store.close()

    assert not path.exists()


def test_the_file_is_free_after_closing(store: ChatStore, path: Path) -> None:
    store.refresh()
    store.close()

    with sqlite3.connect(path, timeout=0) as connection:
        assert connection.execute("SELECT count(*) FROM conversations").fetchone() == (0,)
    connection.close()
