"""What is said in a chat: messages and who said them, conversations, and where an answer's text came from."""

from collections.abc import Iterable
from enum import StrEnum

from msgspec import Struct

from app.core.stats import GenerationStats


class Role(StrEnum):
    """Who speaks. The values are the names that chat templates know."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"


class Message(Struct, frozen=True):
    """One turn of a chat, as the engine needs it."""

    role: Role
    content: str = ""


class DraftSpan(Struct, frozen=True, array_like=True):
    """A stretch of an answer's text that a draft supplied; `start` and `length` count characters."""

    start: int
    length: int
    round: int  # of the answer, from 1
    position: int  # in the round's draft, from 1
    probability: float | None  # the drafter's own, None where it has none


class AnswerState(StrEnum):
    """How far an answer is."""

    RUNNING = "running"  # or the program ended meanwhile
    FINISHED = "finished"  # its statistics name the reason, the user's stop included
    INTERRUPTED = "interrupted"  # ended by the user's own act or the program's end; `problem` says how
    FAILED = "failed"  # the engine ended or refused; `problem` says why


class Answer(Struct, frozen=True):
    """What is known of an answer besides its text."""

    state: AnswerState
    target: str  # names for people
    draft: str | None  # None where none was in use
    stats: GenerationStats | None = None
    spans: tuple[DraftSpan, ...] = ()
    problem: str = ""


class ChatMessage(Struct, frozen=True):
    """A message of a stored conversation. `parent` is the message it follows: branches share their past."""

    id: int
    parent: int | None
    role: Role
    text: str
    created: float  # seconds since 1970
    answer: Answer | None = None  # for the assistant's messages


class Conversation(Struct, frozen=True):
    """A chat in the list. Moments are seconds since 1970."""

    id: int
    title: str  # empty until something was said
    created: float
    updated: float


def engine_messages(history: Iterable[ChatMessage]) -> tuple[Message, ...]:
    """A conversation as the engine reads it.

    Messages without text are left out (an answer that was stopped at once), and what one side said twice in a
    row becomes one message: many chat templates want the sides to take turns.
    """
    messages: list[Message] = []
    for said in history:
        if not said.text.strip():
            continue
        if messages and messages[-1].role is said.role:
            messages[-1] = Message(said.role, f"{messages[-1].content}\n\n{said.text}")
        else:
            messages.append(Message(said.role, said.text))
    return tuple(messages)
