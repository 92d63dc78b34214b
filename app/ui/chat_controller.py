"""The chat's conduct: from a prompt to an answer that is on the screen and on the disk.

The prompt is on disk before the engine hears of it, the partial answer every two seconds, the whole one with
its figures at the end. An answer goes on, and is kept, while another conversation is looked at.
"""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal

from app.core.answer_text import title_from
from app.core.chat import ChatMessage, Conversation, Role, engine_messages
from app.core.protocol import Done, Failed, Round
from app.ui.chat_store import ChatStore
from app.ui.composer import Composer
from app.ui.engine_end import EndKind, EngineEnd
from app.ui.engine_words import happened_sentence
from app.ui.running_answer import RunningAnswer, begun_answer
from app.ui.session import Session
from app.ui.session_state import Empty, Loading, Running
from app.ui.transcript import Transcript


class ChatController(QObject):
    """Stands between the composer, the transcript, the session and the store."""

    current_changed = Signal(object)  # the conversation's id, None for one that is not begun
    emptiness_changed = Signal(bool)  # whether there is anything to show
    answering_changed = Signal(bool)
    context_changed = Signal()  # `context_in_use` is another; not told while an answer is being written

    def __init__(
        self,
        session: Session,
        chats: ChatStore,
        transcript: Transcript,
        composer: Composer,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._chats = chats
        self._transcript = transcript
        self._composer = composer
        self._current: int | None = None
        self._messages: tuple[ChatMessage, ...] = ()
        self._running: RunningAnswer | None = None
        self._preparing = False  # a prompt is on its way to the disk
        self._used = 0
        composer.sent.connect(self.send)
        composer.stop_requested.connect(session.stop)
        transcript.regenerate_requested.connect(self.regenerate)
        transcript.delete_requested.connect(self.delete)
        session.state_changed.connect(lambda _: self._update_composer())
        session.measuring_changed.connect(lambda _: self._update_composer())
        session.costs_progressed.connect(self._costs_progressed)
        session.prompt_progressed.connect(self._prompt_progressed)
        session.round_received.connect(self._round_received)
        session.answer_finished.connect(self._answer_finished)
        session.answer_failed.connect(self._answer_failed)
        session.answer_lost.connect(self._answer_lost)
        self._update_composer()

    @property
    def current(self) -> int | None:
        """The conversation that is shown."""
        return self._current

    @property
    def messages(self) -> tuple[ChatMessage, ...]:
        """What is shown, first to last."""
        return self._messages

    @property
    def is_answering(self) -> bool:
        """True while an answer is being written, in whichever conversation."""
        return self._running is not None

    @property
    def answering_in(self) -> int | None:
        """The conversation in which an answer is being written."""
        return None if self._running is None else self._running.conversation_id

    @property
    def context_in_use(self) -> int:
        """Tokens that the conversation which is shown took up at last."""
        if self._is_shown():
            return self._used
        return _taken_up(self._messages)

    def new_conversation(self) -> None:
        """An empty one; it is kept from its first prompt on."""
        self._current = None
        self._show(())
        self.current_changed.emit(None)

    def show_conversation(self, conversation_id: int) -> None:
        """Looks at another conversation."""
        self._current = conversation_id
        self._chats.messages(self, conversation_id, lambda found: self._show_if(conversation_id, found))
        self.current_changed.emit(conversation_id)

    def conversation_deleted(self, conversation_id: int) -> None:
        """Leaves a conversation that is gone from the list."""
        if self._running is not None and self._running.conversation_id == conversation_id:
            self._session.stop()
        if conversation_id == self._current:
            self.new_conversation()

    def send(self, text: str) -> None:
        """Answers a prompt in the conversation that is shown, which begins here if need be."""
        if not text.strip() or not self._can_answer():
            return
        self._prepare(True)
        if self._current is None:
            self._chats.create_conversation(
                self,
                title_from(text),
                lambda made: self._begun(made, text),
                lambda _: self._refused(text),
            )
        else:
            self._ask(self._current, text)

    def regenerate(self, message_id: int) -> None:
        """Answers again in an answer's place; the older version stays in the store."""
        places = [place for place, message in enumerate(self._messages) if message.id == message_id]
        if not places or self._current is None or not self._can_answer():
            return
        conversation_id, before = self._current, self._messages[: places[0]]
        self._prepare(True)
        self._chats.add_version(
            self,
            message_id,
            begun_answer(self._session.state),
            lambda message: self._start(conversation_id, before, message),
            lambda _: self._prepare(False),
        )

    def delete(self, message_id: int) -> None:
        """Removes a message; a question goes with its answers."""
        if self._current is None or self._is_running(message_id):
            return
        conversation_id = self._current
        self._chats.delete_message(
            self, conversation_id, message_id, lambda left: self._show_if(conversation_id, left)
        )

    def close(self) -> None:
        """Keeps what there is of an answer, at the end of the program."""
        running, self._running = self._running, None
        if running is not None:
            sentence = self.tr("Slipstream was closed while this answer was being written.")
            self._save(running.interrupted(sentence))

    def _can_answer(self) -> bool:
        is_free = self._running is None and not self._preparing and not self._session.is_measuring
        return isinstance(self._session.state, Running) and is_free

    def _is_running(self, message_id: int) -> bool:
        """True for the answer that is being written, and for its question."""
        running = self._running
        return running is not None and message_id in (running.message.id, running.message.parent)

    def _begun(self, conversation: Conversation, text: str) -> None:
        self._current = conversation.id
        self._show(())  # whatever was looked at meanwhile
        self.current_changed.emit(conversation.id)
        self._ask(conversation.id, text)

    def _ask(self, conversation_id: int, text: str) -> None:
        """Puts the prompt on disk, then the place for its answer, then asks the engine."""
        before = self._messages

        def asked(message: ChatMessage) -> None:
            history = (*before, message)
            if conversation_id == self._current:
                self._messages = history
                self._transcript.add_message(message)
                self.emptiness_changed.emit(False)
            self._chats.add_message(
                self,
                conversation_id,
                Role.ASSISTANT,
                "",
                begun_answer(self._session.state),
                lambda answer: self._start(conversation_id, history, answer),
                lambda _: self._prepare(False),
            )

        self._chats.add_message(
            self, conversation_id, Role.USER, text, None, asked, lambda _: self._refused(text)
        )

    def _refused(self, text: str) -> None:
        """The disk did not take the prompt: it goes back to where it was written."""
        self._prepare(False)
        self._composer.set_text(text)

    def _start(self, conversation_id: int, history: Sequence[ChatMessage], message: ChatMessage) -> None:
        self._running = RunningAnswer(conversation_id, message)
        self._used = _taken_up(history)  # until the engine tells what it has of the prompt
        if conversation_id == self._current:
            replaced = len(self._messages) > len(history)
            self._messages = (*history, message)
            if replaced:
                self._transcript.show_messages(tuple(history))
            self._transcript.begin_answer(message)
        self._preparing = False
        if not isinstance(self._session.state, Running) or self._session.is_answering:
            self._end(self._running.failed(self.tr("The model was unloaded before it could answer.")))
            return
        if self._session.is_measuring:
            self._end(self._running.failed(self.tr("A comparison began before this could be answered.")))
            return
        self._session.generate(engine_messages(history))
        self._update_composer()
        self.answering_changed.emit(True)

    def _costs_progressed(self, done: int, of: int) -> None:
        if self._is_shown():
            self._transcript.show_measuring(done, of)

    def _prompt_progressed(self, done: int, of: int) -> None:
        self._used = done
        if self._is_shown():
            self._transcript.show_prefill(done, of)

    def _round_received(self, round_: Round) -> None:
        running = self._running
        if running is None:
            return
        running.add(round_)
        self._used += round_.stats.emitted
        if self._is_shown():
            self._transcript.add_round(round_, len(running.rounds))
        if running.is_due:
            self._save(running.partial())

    def _answer_finished(self, done: Done) -> None:
        if self._running is not None:
            self._end(self._running.finished(done))

    def _answer_failed(self, failed: Failed) -> None:
        if self._running is not None:
            self._end(self._running.failed(failed.sentence))

    def _answer_lost(self, end: EngineEnd) -> None:
        if self._running is None:
            return
        if end.kind is EndKind.CLOSED:  # the user's own wish, and no failure
            self._end(self._running.interrupted(happened_sentence(end)))
        else:
            self._end(self._running.failed(happened_sentence(end)))

    def _end(self, message: ChatMessage) -> None:
        self._save(message)
        if self._is_shown():
            self._messages = (*self._messages[:-1], message)
            self._transcript.end_answer(message)
        self._running = None
        self._preparing = False
        self._update_composer()
        self.context_changed.emit()
        self.answering_changed.emit(False)

    def _save(self, message: ChatMessage) -> None:
        assert message.answer is not None
        self._chats.save_answer(message.id, message.text, message.answer)

    def _is_shown(self) -> bool:
        return self._running is not None and self._running.conversation_id == self._current

    def _show_if(self, conversation_id: int, messages: tuple[ChatMessage, ...]) -> None:
        if conversation_id == self._current:
            self._show(messages)

    def _show(self, messages: tuple[ChatMessage, ...]) -> None:
        """Shows messages, the one that is being written with all its rounds so far."""
        self._messages = messages
        self.emptiness_changed.emit(not messages)
        running = self._running
        if running is not None and messages and messages[-1].id == running.message.id:
            self._transcript.show_messages(messages[:-1])
            self._transcript.begin_answer(running.message)
            for number, round_ in enumerate(running.rounds, 1):
                self._transcript.add_round(round_, number)
        else:
            self._transcript.show_messages(messages)
        self.context_changed.emit()
        self._update_composer()

    def _prepare(self, preparing: bool) -> None:
        self._preparing = preparing
        self._update_composer()

    def _update_composer(self) -> None:
        self._composer.set_running(self._is_shown())
        self._composer.set_enabled_reason(self._reason_to_wait())

    def _reason_to_wait(self) -> str:
        """Why nothing can be sent; empty if it can."""
        if self._preparing:
            return self.tr("One moment…")
        match self._session.state:
            case Running() if self._running is not None and not self._is_shown():
                return self.tr("Another chat is being answered")
            case Running() if self._session.is_measuring:
                return self.tr("A comparison is running")
            case Running():
                return ""
            case Loading():
                return self.tr("The model is loading…")
            case Empty():
                return self.tr("Load a model to chat")
            case _:
                return self.tr("Reload the model to go on")


def _taken_up(messages: Sequence[ChatMessage]) -> int:
    """Tokens of the context up to the last answer that has figures."""
    stats = [said.answer.stats for said in messages if said.answer and said.answer.stats]
    return stats[-1].prompt_tokens + stats[-1].generated_tokens if stats else 0
