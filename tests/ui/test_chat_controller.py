"""From a prompt to an answer on the screen and on the disk."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from PySide6.QtWidgets import QAbstractButton, QLabel
from pytestqt.qtbot import QtBot

from app.core.chat import Answer, AnswerState, ChatMessage, Message, Role
from app.core.database import StoreError, StoreProblem
from app.core.options import SpeculationMode
from app.core.protocol import Done, Failed, FailureKind, Round, TextPiece
from app.core.stats import DraftSource, RoundStats
from app.core.store import Store
from app.ui.answer_message import AnswerMessage
from app.ui.chat_controller import ChatController
from app.ui.chat_store import ChatStore
from app.ui.composer import Composer
from app.ui.engine_end import Activity, EndKind, EngineEnd
from app.ui.icons import Icons
from app.ui.running_answer import begun_answer
from app.ui.session_state import Empty, EngineLost, Loading, SessionState
from app.ui.tasks import Tasks
from app.ui.theme import Theme
from app.ui.transcript import Transcript
from tests.fakes.children import child
from tests.fakes.session import FakeSession, totals
from tests.fakes.setups import drafted_setup, plain_setup
from tests.fakes.tasks import ImmediateTasks

KILLED = EngineEnd(EndKind.KILLED, 9, Activity.ANSWERING)


def spoken(text: str, *, from_draft: bool = False) -> Round:
    source = DraftSource.DRAFT_MODEL if from_draft else DraftSource.NONE
    accepted = int(from_draft)
    stats = RoundStats(source, accepted, accepted, accepted, 1, 0.0, 0.1, 0.0)
    return Round((1,), (TextPiece(text, from_draft, accepted, 0.5 if from_draft else None),), stats)


class Chat(NamedTuple):
    controller: ChatController
    session: FakeSession
    chats: ChatStore
    composer: Composer
    transcript: Transcript
    file: Path

    def stored(self) -> tuple[ChatMessage, ...]:
        """What a new start of the program would find; the conversation that is shown."""
        found: list[tuple[ChatMessage, ...]] = []
        assert self.controller.current is not None
        self.chats.messages(self.controller, self.controller.current, found.append)
        return found[0]

    def hint(self) -> str:
        return child(self.composer, QLabel, "composer_hint").text()

    def say(self, prompt: str, *answer: str) -> None:
        self.controller.send(prompt)
        rounds = [spoken(text) for text in answer]
        for round_ in rounds:
            self.session.round_received.emit(round_)
        self.session.finish(Done((), totals(*rounds)))


@pytest.fixture
def chat(theme: Theme, icons: Icons, tasks: Tasks, qtbot: QtBot, tmp_path: Path) -> Iterator[Chat]:
    session = FakeSession()
    chats = ChatStore(tmp_path / "conversations.sqlite", ImmediateTasks(threads=1))
    transcript, composer = Transcript(theme, icons, tasks), Composer(theme, icons)
    qtbot.addWidget(transcript)
    qtbot.addWidget(composer)
    controller = ChatController(session, chats, transcript, composer)  # type: ignore[arg-type]
    controller.new_conversation()
    session.run(plain_setup())
    yield Chat(controller, session, chats, composer, transcript, tmp_path / "conversations.sqlite")
    chats.close()


def found_again(chat: Chat, conversation: int) -> ChatMessage:
    """The last message, as the next start of the program finds it."""
    store, problem = Store.open(chat.file)
    assert problem == ""
    answer = store.messages(conversation)[-1]
    store.close()
    return answer


def test_the_prompt_is_on_disk_before_the_engine_hears_of_it(
    chat: Chat, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_disk: list[list[tuple[Role, str]]] = []
    monkeypatch.setattr(
        chat.session,
        "generate",
        lambda _messages: on_disk.append([(message.role, message.text) for message in chat.stored()]),
    )
    chat.controller.send("Why is the sky blue?")
    assert on_disk == [[(Role.USER, "Why is the sky blue?"), (Role.ASSISTANT, "")]]


def test_an_answer_is_stored_with_its_figures(chat: Chat) -> None:
    chat.say("Hello", "Hi", " there")
    question, answer = chat.stored()
    assert (question.text, answer.text) == ("Hello", "Hi there")
    assert answer.answer is not None and answer.answer.state is AnswerState.FINISHED
    assert answer.answer.stats is not None and answer.answer.stats.generated_tokens == 2
    assert chat.controller.messages == (question, answer)


def test_the_whole_conversation_is_told_to_the_engine(chat: Chat) -> None:
    chat.say("Hello", "Hi")
    chat.say("And you?", "Fine")
    assert chat.session.asked[-1] == (
        Message(Role.USER, "Hello"),
        Message(Role.ASSISTANT, "Hi"),
        Message(Role.USER, "And you?"),
    )


def test_the_first_prompt_names_the_conversation(chat: Chat) -> None:
    listed: list[str] = []
    chat.chats.conversations_changed.connect(lambda found: listed.append(found[0].title))
    chat.say("Write a quicksort.\nIn Python.", "…")
    assert listed[-1] == "Write a quicksort."


@pytest.mark.parametrize("prompt", ["", "  \n"])
def test_nothing_is_no_prompt(chat: Chat, prompt: str) -> None:
    chat.controller.send(prompt)
    assert chat.session.asked == []
    assert chat.controller.current is None


def test_only_one_answer_is_written_at_a_time(chat: Chat) -> None:
    chat.controller.send("First")
    chat.controller.send("Second")
    assert len(chat.session.asked) == 1


def test_without_a_model_nothing_can_be_asked(chat: Chat) -> None:
    chat.session.enter(Empty())
    chat.controller.send("Hello?")
    assert chat.session.asked == []


@pytest.mark.parametrize("kind", ["lost", "failed"])
def test_what_was_said_is_kept_when_the_engine_goes(chat: Chat, kind: str) -> None:
    chat.controller.send("Tell me a story")
    chat.session.round_received.emit(spoken("Once upon"))
    chat.session.is_answering = False
    if kind == "lost":
        chat.session.answer_lost.emit(KILLED)
    else:
        chat.session.answer_failed.emit(Failed(1, FailureKind.ENGINE, "The engine was killed."))
    answer = chat.stored()[-1]
    assert answer.text == "Once upon"
    assert answer.answer is not None and answer.answer.state is AnswerState.FAILED
    assert "The engine was killed" in answer.answer.problem
    assert not chat.controller.is_answering


def test_a_partial_answer_survives_the_programs_sudden_end(
    chat: Chat, monkeypatch: pytest.MonkeyPatch
) -> None:
    chat.controller.send("Tell me a story")
    chat.session.round_received.emit(spoken("Once upon"))
    conversation = chat.controller.current
    assert conversation is not None
    monkeypatch.setattr("app.ui.running_answer.RunningAnswer.is_due", True)
    chat.session.round_received.emit(spoken(" a time"))
    chat.chats.close()  # no word from the controller: this is a crash
    answer = found_again(chat, conversation)
    assert answer.text == "Once upon a time"
    assert answer.answer is not None and answer.answer.state is AnswerState.INTERRUPTED


def test_an_answer_that_the_closing_window_cuts_off_is_no_failure(chat: Chat) -> None:
    chat.controller.send("Tell me a story")
    chat.session.round_received.emit(spoken("Once upon"))
    conversation = chat.controller.current
    assert conversation is not None
    chat.controller.close()
    chat.session.answer_lost.emit(EngineEnd(EndKind.CLOSED, None, Activity.ANSWERING))
    chat.chats.close()
    answer = found_again(chat, conversation)
    assert answer.text == "Once upon"
    assert answer.answer is not None and answer.answer.state is AnswerState.INTERRUPTED
    assert answer.answer.problem == "Slipstream was closed while this answer was being written."


def test_an_ejected_model_is_no_failure(chat: Chat) -> None:
    chat.controller.send("Tell me a story")
    chat.session.is_answering = False
    chat.session.answer_lost.emit(EngineEnd(EndKind.CLOSED, None, Activity.ANSWERING))
    answer = chat.stored()[-1].answer
    assert answer is not None and answer.state is AnswerState.INTERRUPTED
    assert "ejected" in answer.problem


def test_an_answer_goes_on_while_another_conversation_is_shown(chat: Chat) -> None:
    chat.say("First", "One")
    first = chat.controller.current
    assert first is not None
    chat.controller.send("More")
    chat.session.round_received.emit(spoken("Two"))
    chat.controller.new_conversation()
    rounds = (spoken("Two"), spoken(" three"))
    chat.session.round_received.emit(rounds[1])
    assert not chat.controller.messages
    chat.controller.show_conversation(first)
    chat.session.finish(Done((), totals(*rounds)))
    assert [message.text for message in chat.controller.messages] == ["First", "One", "More", "Two three"]
    assert [message.text for message in chat.stored()] == ["First", "One", "More", "Two three"]


def test_only_the_conversation_that_is_answered_in_can_stop_it(chat: Chat) -> None:
    chat.controller.send("First")
    assert not child(chat.composer, QAbstractButton, "stop_button").isHidden()
    chat.controller.new_conversation()
    assert child(chat.composer, QAbstractButton, "stop_button").isHidden()
    assert chat.hint() == "Another chat is being answered"


def test_an_answer_in_another_conversation_ends_on_disk(chat: Chat) -> None:
    chat.controller.send("First")
    first = chat.controller.current
    assert first is not None
    chat.controller.new_conversation()
    chat.session.round_received.emit(spoken("One"))
    chat.session.finish(Done((), totals(spoken("One"))))
    assert not chat.controller.messages
    chat.controller.show_conversation(first)
    assert chat.controller.messages[-1].text == "One"


def test_an_answer_can_be_asked_for_again(chat: Chat) -> None:
    chat.say("Hello", "Hi")
    old = chat.controller.messages[-1]
    chat.controller.regenerate(old.id)
    assert chat.session.asked[-1] == (Message(Role.USER, "Hello"),)
    chat.session.round_received.emit(spoken("Good day"))
    chat.session.finish(Done((), totals(spoken("Good day"))))
    question, answer = chat.stored()
    assert answer.text == "Good day"
    assert answer.parent == question.id == old.parent


def test_a_question_goes_with_its_answer(chat: Chat) -> None:
    chat.say("Hello", "Hi")
    chat.say("And you?", "Fine")
    chat.controller.delete(chat.controller.messages[0].id)
    assert [message.text for message in chat.controller.messages] == ["And you?", "Fine"]


def test_what_is_being_answered_cannot_be_deleted(chat: Chat) -> None:
    chat.controller.send("Hello")
    for message in chat.controller.messages:
        chat.controller.delete(message.id)
    assert len(chat.stored()) == 2


def test_a_deleted_conversation_stops_its_answer_and_is_left(chat: Chat) -> None:
    chat.controller.send("Hello")
    conversation = chat.controller.current
    assert conversation is not None
    chat.controller.conversation_deleted(conversation)
    assert chat.session.stops == 1
    assert chat.controller.current is None


@pytest.mark.parametrize(
    ("mode", "draft"),
    [
        (SpeculationMode.DRAFT_MODEL, "Qwen2.5-Coder 0.5B Instruct · Q4_K_M"),
        (SpeculationMode.OFF, None),
        (SpeculationMode.PROMPT_LOOKUP, "Prompt lookup"),
    ],
)
def test_an_answer_remembers_what_drafted_it(chat: Chat, mode: SpeculationMode, draft: str | None) -> None:
    chat.session.run(drafted_setup(mode=mode))
    chat.say("Hello", "Hi")
    answer = chat.stored()[-1].answer
    assert answer is not None
    assert (answer.target, answer.draft) == ("Qwen2.5-Coder 1.5B Instruct · F16", draft)


def test_the_spans_of_the_draft_are_stored(chat: Chat) -> None:
    chat.session.run(drafted_setup())
    chat.controller.send("Hello")
    round_ = spoken("Hi", from_draft=True)
    chat.session.round_received.emit(round_)
    chat.session.finish(Done((), totals(round_)))
    answer = chat.stored()[-1].answer
    assert answer is not None
    assert [(span.start, span.length, span.round) for span in answer.spans] == [(0, 2, 1)]


def test_what_is_measured_before_an_answer_is_told_in_its_place(chat: Chat) -> None:
    chat.controller.send("Hello")
    chat.session.costs_progressed.emit(1, 2)
    answer = chat.transcript.messages[-1]
    assert isinstance(answer, AnswerMessage)
    assert answer.note == "Measuring what drafts cost here… 50 %"


def test_the_context_in_use_is_that_of_the_conversation_shown(chat: Chat) -> None:
    chat.controller.send("Hello")
    chat.session.prompt_progressed.emit(8, 10)
    assert chat.controller.context_in_use == 8
    chat.session.round_received.emit(spoken("Hi"))
    assert chat.controller.context_in_use == 9
    chat.session.finish(Done((), totals(spoken("Hi"), prompt_tokens=10)))
    assert chat.controller.context_in_use == 11
    conversation = chat.controller.current
    assert conversation is not None
    changes: list[int] = []
    chat.controller.context_changed.connect(lambda: changes.append(chat.controller.context_in_use))
    chat.controller.new_conversation()
    chat.controller.show_conversation(conversation)
    assert changes == [0, 11]


def test_the_context_in_use_never_falls_below_what_is_held(chat: Chat) -> None:
    """The next prompt begins with all that was said before, which the engine still holds."""
    chat.say("Hello", "Hi")
    chat.controller.send("And you?")
    seen = [chat.controller.context_in_use]
    for done in (16, 20):  # eleven are held
        chat.session.prompt_progressed.emit(done, 20)
        seen.append(chat.controller.context_in_use)
    chat.session.round_received.emit(spoken("Fine"))
    seen.append(chat.controller.context_in_use)
    chat.session.finish(Done((), totals(spoken("Fine"), prompt_tokens=20)))
    assert [*seen, chat.controller.context_in_use] == [11, 16, 20, 21, 21]


def test_the_context_in_use_begins_before_an_answer_that_is_given_again(chat: Chat) -> None:
    chat.say("Hello", "Hi")
    chat.say("And you?", "Fine", ", thanks")
    chat.controller.regenerate(chat.controller.messages[-1].id)
    assert chat.controller.context_in_use == 11


def test_the_composer_says_why_nothing_can_be_sent(chat: Chat) -> None:
    assert chat.hint() == ""
    chat.session.enter(Loading(plain_setup()))
    assert chat.hint() == "The model is loading…"
    chat.session.enter(Empty())
    assert chat.hint() == "Load a model to chat"
    chat.session.enter(EngineLost(plain_setup(), KILLED))
    assert chat.hint() == "Reload the model to go on"


def test_nothing_can_be_sent_while_a_comparison_runs(chat: Chat) -> None:
    chat.say("Hello", "Hi")
    chat.session.measure(True)
    assert chat.hint() == "A comparison is running"
    chat.controller.send("And you?")
    chat.controller.regenerate(chat.controller.messages[-1].id)
    assert len(chat.session.asked) == 1
    chat.session.measure(False)
    assert chat.hint() == ""
    chat.say("And you?", "Fine")
    assert len(chat.session.asked) == 2


def test_a_comparison_that_begins_before_the_answer_does_is_named(
    chat: Chat, monkeypatch: pytest.MonkeyPatch
) -> None:
    def begun(state: SessionState) -> Answer:
        chat.session.measure(True)
        return begun_answer(state)

    monkeypatch.setattr("app.ui.chat_controller.begun_answer", begun)
    chat.controller.send("Hello")
    answer = chat.stored()[-1].answer
    assert answer is not None and answer.state is AnswerState.FAILED
    assert answer.problem == "A comparison began before this could be answered."
    assert chat.session.asked == []


def test_a_full_disk_gives_the_prompt_back(chat: Chat, monkeypatch: pytest.MonkeyPatch) -> None:
    problems: list[str] = []
    chat.chats.failed.connect(problems.append)
    chat.say("Hello", "Hi")

    def refuse(*_: object) -> None:

        raise StoreError(StoreProblem.DISK_FULL, "The disk is full.")

    monkeypatch.setattr(Store, "add_message", refuse)
    chat.controller.send("And you?")
    assert problems == ["The disk is full."]
    assert chat.composer.text == "And you?"
    assert len(chat.session.asked) == 1
    assert chat.hint() == ""
