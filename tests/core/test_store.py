"""Conversations on disk: what was written is there after a restart, in order, whole, and only once."""

import itertools
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, rule

from app.core.chat import Answer, AnswerState, ChatMessage, DraftSpan, Role
from app.core.database import StoreError
from app.core.stats import GenerationStats, StatsRecorder, StopReason
from app.core.store import INTERRUPTED, Store

ROOT = Path(__file__).resolve().parents[2]
RUNNING = Answer(AnswerState.RUNNING, "Qwen 1.5B", "Qwen 0.5B")


def ticking() -> Callable[[], float]:
    """A clock that goes on by one second whenever somebody looks."""
    seconds = itertools.count(1000)
    return lambda: float(next(seconds))


def some_stats() -> GenerationStats:
    return StatsRecorder(0.0, prompt_tokens=7).finish(StopReason.STOPPED, peak_rss_bytes=5)


def finished(text: str) -> Answer:
    spans = (DraftSpan(0, len(text), 1, 1, 0.25), DraftSpan(len(text), 0, 2, 1, None))
    return Answer(AnswerState.FINISHED, "Qwen 1.5B", None, some_stats(), spans)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "chats.db"


@pytest.fixture
def store() -> Iterator[Store]:
    made = Store.in_memory(ticking())
    yield made
    made.close()


def reopened(store: Store, path: Path) -> Store:
    store.close()
    return Store.open(path, ticking())[0]


def exchange(
    store: Store, conversation_id: int, question: str, answer: str
) -> tuple[ChatMessage, ChatMessage]:
    """A question and its finished answer."""
    asked = store.add_message(conversation_id, Role.USER, question)
    told = store.add_message(conversation_id, Role.ASSISTANT, "", RUNNING)
    store.save_answer(told.id, answer, finished(answer))
    return asked, told


def texts(store: Store, conversation_id: int) -> list[str]:
    return [message.text for message in store.messages(conversation_id)]


class TestConversations:
    def test_the_last_used_one_comes_first(self, store: Store) -> None:
        first = store.create_conversation("first")
        second = store.create_conversation("second")
        assert [one.title for one in store.conversations()] == ["second", "first"]

        store.add_message(first.id, Role.USER, "again")
        assert [one.title for one in store.conversations()] == ["first", "second"]
        assert second.created == second.updated

    def test_renaming_does_not_move_one(self, store: Store) -> None:
        first = store.create_conversation("first")
        store.create_conversation("second")
        store.rename(first.id, "1\u00aa – 一")

        assert [one.title for one in store.conversations()] == ["second", "1\u00aa – 一"]

    def test_deleting_can_be_undone(self, store: Store) -> None:
        kept = store.create_conversation("kept")
        exchange(store, kept.id, "question", "answer")
        before = store.conversations()

        store.delete(kept.id)
        assert store.conversations() == ()
        store.undo_delete(kept.id)
        assert store.conversations() == before
        assert texts(store, kept.id) == ["question", "answer"]

    def test_purging_is_for_good_and_only_for_deleted_ones(self, store: Store) -> None:
        gone, kept = store.create_conversation("gone"), store.create_conversation("kept")
        exchange(store, gone.id, "question", "answer")
        exchange(store, kept.id, "question", "answer")
        store.delete(gone.id)
        store.purge(gone.id)
        store.purge(kept.id)
        store.undo_delete(gone.id)

        assert [one.title for one in store.conversations()] == ["kept"]
        assert store.messages(gone.id) == ()
        assert len(store.messages(kept.id)) == 2

    def test_deleted_and_empty_ones_are_gone_at_the_next_start(self, path: Path) -> None:
        store, _ = Store.open(path, ticking())
        deleted = store.create_conversation("deleted")
        store.create_conversation("")
        kept = store.create_conversation("")
        store.add_message(kept.id, Role.USER, "question")
        store.delete(deleted.id)

        store = reopened(store, path)
        store.undo_delete(deleted.id)

        assert [one.id for one in store.conversations()] == [kept.id]
        store.close()


class TestMessages:
    def test_come_back_as_they_were_given(self, path: Path) -> None:
        store, _ = Store.open(path, ticking())
        chat = store.create_conversation()
        asked = store.add_message(chat.id, Role.USER, "nul \0, emoji 👩‍👩‍👧, 模型, \r\n end ")
        told = store.add_message(chat.id, Role.ASSISTANT, "", RUNNING)
        store.save_answer(told.id, "Ja.", finished("Ja."))

        store = reopened(store, path)
        first, second = store.messages(chat.id)

        assert first == asked
        assert (first.parent, second.parent) == (None, asked.id)
        assert (second.role, second.text, second.answer) == (Role.ASSISTANT, "Ja.", finished("Ja."))
        store.close()

    def test_half_a_character_does_not_move_what_follows(self, store: Store) -> None:
        chat = store.create_conversation("a\ud83e")
        message = store.add_message(chat.id, Role.USER, "a\ud83eb")

        assert message.text == "a?b"
        assert store.messages(chat.id) == (message,)

    def test_an_answer_broken_off_is_kept_and_marked_at_the_next_start(self, path: Path) -> None:
        store, _ = Store.open(path, ticking())
        chat = store.create_conversation()
        store.add_message(chat.id, Role.USER, "question")
        told = store.add_message(chat.id, Role.ASSISTANT, "", RUNNING)
        store.save_answer(told.id, "so fa", RUNNING)

        store = reopened(store, path)
        broken = store.messages(chat.id)[-1]

        assert broken.text == "so fa"
        assert broken.answer == Answer(AnswerState.INTERRUPTED, "Qwen 1.5B", "Qwen 0.5B", problem=INTERRUPTED)
        store.close()

    def test_figures_that_are_not_understood_keep_no_chat_from_being_read(self, path: Path) -> None:
        store, _ = Store.open(path, ticking())
        chat = store.create_conversation()
        exchange(store, chat.id, "question", "answer")
        store._connection.execute("UPDATE answers SET stats = replace(stats, ':7', ':null'), spans = '{'")

        store = reopened(store, path)
        answer = store.messages(chat.id)[-1].answer

        assert answer == Answer(AnswerState.FINISHED, "Qwen 1.5B", None)
        store.close()

    def test_an_answer_deleted_meanwhile_is_not_brought_back(self, store: Store) -> None:
        chat = store.create_conversation()
        _, told = exchange(store, chat.id, "question", "answer")
        store.delete_message(told.id)
        store.save_answer(told.id, "late", RUNNING)

        assert texts(store, chat.id) == ["question"]

    def test_nothing_can_be_said_in_a_chat_that_is_gone(self, store: Store) -> None:
        with pytest.raises(StoreError):
            store.add_message(99, Role.USER, "question")
        with pytest.raises(StoreError):
            store.add_version(99)

    def test_saving_a_part_writes_no_other_message(self, path: Path) -> None:
        store, _ = Store.open(path, ticking())
        chat = store.create_conversation()
        for _number in range(250):
            exchange(store, chat.id, "q" * 500, "a" * 2000)
        told = store.add_message(chat.id, Role.ASSISTANT, "", RUNNING)
        store._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

        store.save_answer(told.id, "a" * 2000, RUNNING)

        journal = path.with_name(path.name + "-wal").stat().st_size
        assert journal < 16 * 4096 < path.stat().st_size / 10
        store.close()


class TestVersions:
    def test_a_new_version_takes_the_place_of_the_old_one(self, store: Store) -> None:
        chat = store.create_conversation()
        asked, told = exchange(store, chat.id, "question", "one")
        again = store.add_version(told.id, "", RUNNING)
        store.save_answer(again.id, "two", finished("two"))

        assert (again.parent, again.role) == (asked.id, Role.ASSISTANT)
        assert texts(store, chat.id) == ["question", "two"]

    def test_the_old_version_shows_again_when_the_new_one_is_deleted(self, store: Store) -> None:
        chat = store.create_conversation()
        _, told = exchange(store, chat.id, "question", "one")
        again = store.add_version(told.id, "two", RUNNING)
        store.delete_message(again.id)

        assert texts(store, chat.id) == ["question", "one"]

    def test_the_newest_of_the_versions_left_is_the_one_that_shows(self, store: Store) -> None:
        chat = store.create_conversation()
        _, told = exchange(store, chat.id, "question", "one")
        store.add_version(told.id, "two", RUNNING)
        store.delete_message(store.add_version(told.id, "three", RUNNING).id)

        assert texts(store, chat.id) == ["question", "two"]

    def test_an_older_line_is_kept_with_all_that_followed(self, store: Store) -> None:
        chat = store.create_conversation()
        _, told = exchange(store, chat.id, "q1", "a1")
        exchange(store, chat.id, "q2", "a2")
        again = store.add_version(told.id, "b1", RUNNING)
        assert texts(store, chat.id) == ["q1", "b1"]

        store.delete_message(again.id)
        assert texts(store, chat.id) == ["q1", "a1", "q2", "a2"]


class TestDeletingMessages:
    def test_an_answer_goes_alone(self, store: Store) -> None:
        chat = store.create_conversation()
        _, told = exchange(store, chat.id, "q1", "a1")
        exchange(store, chat.id, "q2", "a2")
        store.delete_message(told.id)

        assert texts(store, chat.id) == ["q1", "q2", "a2"]

    def test_a_question_takes_its_answers_along(self, store: Store) -> None:
        chat = store.create_conversation()
        exchange(store, chat.id, "q1", "a1")
        asked, told = exchange(store, chat.id, "q2", "a2")
        store.add_version(told.id, "b2", RUNNING)
        exchange(store, chat.id, "q3", "a3")
        store.delete_message(asked.id)

        assert texts(store, chat.id) == ["q1", "a1", "q3", "a3"]

    def test_the_last_exchange_gone_the_chat_goes_on_from_the_one_before(self, store: Store) -> None:
        chat = store.create_conversation()
        _, told = exchange(store, chat.id, "q1", "a1")
        asked, _ = exchange(store, chat.id, "q2", "a2")
        store.delete_message(asked.id)

        assert store.add_message(chat.id, Role.USER, "q3").parent == told.id
        assert texts(store, chat.id) == ["q1", "a1", "q3"]

    def test_the_only_exchange_gone_the_chat_is_empty(self, store: Store) -> None:
        chat = store.create_conversation("title")
        asked, _ = exchange(store, chat.id, "q1", "a1")
        store.delete_message(asked.id)
        store.delete_message(asked.id)

        assert texts(store, chat.id) == []
        exchange(store, chat.id, "q2", "a2")
        assert texts(store, chat.id) == ["q2", "a2"]


class AnyOrder(RuleBasedStateMachine):
    """Whatever is done in whatever order: the line is unbroken, and other conversations are not touched."""

    conversations = Bundle("conversations")

    def __init__(self) -> None:
        super().__init__()
        self.store = Store.in_memory(ticking())
        self.other = self.store.create_conversation("other")
        exchange(self.store, self.other.id, "q", "a")

    def teardown(self) -> None:
        self.store.close()

    @rule(target=conversations)
    def create(self) -> int:
        return self.store.create_conversation("t").id

    @rule(chat=conversations, text=st.text(max_size=5))
    def ask(self, chat: int, text: str) -> None:
        asked, told = exchange(self.store, chat, text, text[::-1])
        line = self.store.messages(chat)
        assert [line[-2].id, line[-1].id] == [asked.id, told.id]

    @rule(chat=conversations, index=st.integers(0, 20))
    def regenerate(self, chat: int, index: int) -> None:
        answers = [message for message in self.store.messages(chat) if message.answer]
        if answers:
            made = self.store.add_version(answers[index % len(answers)].id, "new", RUNNING)
            assert self.store.messages(chat)[-1].id == made.id

    @rule(chat=conversations, index=st.integers(0, 20))
    def delete_message(self, chat: int, index: int) -> None:
        line = self.store.messages(chat)
        if line:
            gone = line[index % len(line)].id
            self.store.delete_message(gone)
            assert gone not in [message.id for message in self.store.messages(chat)]

    @rule(chat=consumes(conversations))
    def purge(self, chat: int) -> None:
        self.store.delete(chat)
        self.store.purge(chat)
        assert self.store.messages(chat) == ()

    @invariant()
    def lines_are_whole(self) -> None:
        for conversation in self.store.conversations():
            parent = None
            for message in self.store.messages(conversation.id):
                assert message.parent == parent
                parent = message.id
        assert texts(self.store, self.other.id) == ["q", "a"]
        assert self.store._connection.execute("PRAGMA foreign_key_check").fetchall() == []


TestAnyOrder = AnyOrder.TestCase


@given(st.text(), st.text())
def test_any_text_comes_back_whole(title: str, text: str) -> None:
    store = Store.in_memory()
    chat = store.create_conversation(title)
    message = store.add_message(chat.id, Role.ASSISTANT, text, RUNNING)

    assert store.conversations()[0].title == title
    assert store.messages(chat.id) == (message,)
    assert message.text == text
    store.close()


WRITER = """
import sys
from pathlib import Path
from app.core.chat import Answer, AnswerState, Role
from app.core.store import Store

store, _ = Store.open(Path(sys.argv[1]))
chat = store.create_conversation()
store.add_message(chat.id, Role.USER, "question")
told = store.add_message(chat.id, Role.ASSISTANT, "", Answer(AnswerState.RUNNING, "target", None))
for count in range(1, 1_000_000):
    store.save_answer(told.id, "word " * count, Answer(AnswerState.RUNNING, "target", None))
    print(count, flush=True)
"""


@pytest.mark.parametrize("saves", [1, 7, 40])
def test_whatever_was_saved_survives_a_kill(path: Path, saves: int) -> None:
    command = [sys.executable, "-c", WRITER, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as child:
        assert child.stdout is not None
        try:
            for _number in range(saves):
                child.stdout.readline()
        finally:
            child.kill()
        told = [int(line) for line in child.stdout.read().split()]
        child.wait()
    last = max([saves, *told])

    store, problem = Store.open(path)
    question, answer = store.messages(store.conversations()[0].id)
    store.close()

    assert problem == ""
    assert question.text == "question"
    assert answer.text in ("word " * last, "word " * (last + 1))
    assert answer.answer is not None
    assert answer.answer.problem == INTERRUPTED
