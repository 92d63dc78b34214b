"""Conversations on disk, each message safe before the next thing happens."""

import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from app.core.chat import Answer, AnswerState, ChatMessage, Conversation, DraftSpan, Role
from app.core.chat_tables import CHATS
from app.core.database import Database, StoreError, StoreProblem, whole_text
from app.core.stats import GenerationStats

INTERRUPTED = "Slipstream was closed or ended while this answer was being written."

_MESSAGE_COLUMNS = """m.id, m.parent, m.role, m.text, m.created,
    a.state, a.target, a.draft, a.problem, a.stats, a.spans"""


class Store:
    """Reads and writes conversations. Slow as disks are; one thread at a time. Methods raise StoreError.

    A conversation's messages form a tree, and its leaf says which line through it is shown. Moments are
    seconds since 1970, as `clock` tells them.
    """

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._connection = database.connection
        self._clock = clock
        self._tidy()

    @classmethod
    def open(cls, path: Path, clock: Callable[[], float] = time.time) -> tuple["Store", str]:
        """The store in a file, and a sentence where the file was damaged and a new one is begun."""
        database, problem = Database.open(path, CHATS)
        try:
            return cls(database, clock), problem
        except StoreError:
            database.close()
            raise

    @classmethod
    def in_memory(cls, clock: Callable[[], float] = time.time) -> "Store":
        """One that forgets everything at the end, for when the disk cannot be used."""
        return cls(Database.in_memory(CHATS), clock)

    def close(self) -> None:
        """Ends the connection."""
        self._database.close()

    def conversations(self) -> tuple[Conversation, ...]:
        """All that are not deleted, the last used one first."""
        rows = self._database.rows(
            "SELECT id, title, created, updated FROM conversations WHERE deleted IS NULL "
            "ORDER BY updated DESC, id DESC"
        )
        return tuple(Conversation(*row) for row in rows)

    def create_conversation(self, title: str = "") -> Conversation:
        """Begins one."""
        now = self._clock()
        with self._database.transaction():
            made = self._connection.execute(
                "INSERT INTO conversations (title, created, updated) VALUES (?, ?, ?)",
                (whole_text(title), now, now),
            )
        return Conversation(_id(made), whole_text(title), now, now)

    def rename(self, conversation_id: int, title: str) -> None:
        """Gives it another title."""
        self._database.write(
            "UPDATE conversations SET title = ? WHERE id = ?", whole_text(title), conversation_id
        )

    def delete(self, conversation_id: int) -> None:
        """Takes it from the list. It can be brought back until it is purged."""
        self._database.write(
            "UPDATE conversations SET deleted = ? WHERE id = ?", self._clock(), conversation_id
        )

    def undo_delete(self, conversation_id: int) -> None:
        """Brings it back."""
        self._database.write("UPDATE conversations SET deleted = NULL WHERE id = ?", conversation_id)

    def purge(self, conversation_id: int) -> None:
        """Removes a deleted conversation for good; one that was brought back stays."""
        self._database.write(
            "DELETE FROM conversations WHERE id = ? AND deleted IS NOT NULL", conversation_id
        )

    def messages(self, conversation_id: int) -> tuple[ChatMessage, ...]:
        """The line that is shown, from the first message to the leaf."""
        rows = self._database.rows(
            f"""WITH RECURSIVE line(id, depth) AS (
                SELECT leaf, 0 FROM conversations WHERE id = ? AND leaf IS NOT NULL
                UNION ALL
                SELECT m.parent, depth + 1 FROM messages m JOIN line ON m.id = line.id
                WHERE m.parent IS NOT NULL
            )
            SELECT {_MESSAGE_COLUMNS} FROM line JOIN messages m ON m.id = line.id
            LEFT JOIN answers a ON a.message = m.id ORDER BY line.depth DESC""",
            conversation_id,
        )
        return tuple(_message(row) for row in rows)

    def add_message(
        self, conversation_id: int, role: Role, text: str = "", answer: Answer | None = None
    ) -> ChatMessage:
        """Puts a message at the end of the line; `answer` goes with the assistant's."""
        with self._database.transaction():
            row = self._connection.execute(
                "SELECT leaf FROM conversations WHERE id = ?", (conversation_id,)
            ).fetchone()
            return self._insert(conversation_id, row[0] if row else None, role, text, answer)

    def add_version(self, message_id: int, text: str = "", answer: Answer | None = None) -> ChatMessage:
        """Another version of a message, in its place; the older one stays in the tree."""
        with self._database.transaction():
            row = self._connection.execute(
                "SELECT conversation, parent, role FROM messages WHERE id = ?", (message_id,)
            ).fetchone()
            if row is None:
                raise StoreError(StoreProblem.OTHER, "This message was deleted meanwhile.")
            conversation_id, parent, role = row
            return self._insert(conversation_id, parent, Role(role), text, answer)

    def save_answer(self, message_id: int, text: str, answer: Answer) -> None:
        """Replaces an answer's text and figures, together. Nothing happens where the message was deleted."""
        with self._database.transaction():
            changed = self._connection.execute(
                "UPDATE messages SET text = ? WHERE id = ?", (whole_text(text), message_id)
            )
            if changed.rowcount:
                self._put_answer(message_id, answer)
                self._connection.execute(
                    "UPDATE conversations SET updated = ? "
                    "WHERE id = (SELECT conversation FROM messages WHERE id = ?)",
                    (self._clock(), message_id),
                )

    def delete_message(self, message_id: int) -> None:
        """Removes an answer, or a question with its answers. What follows is joined to what came before.

        Where the end of the line goes, another version of it takes its place, if there is one.
        """
        with self._database.transaction():
            row = self._connection.execute(
                "SELECT conversation, parent, role FROM messages WHERE id = ?", (message_id,)
            ).fetchone()
            if row is None:
                return
            conversation_id, parent, role = row
            gone = [message_id]
            if role == Role.USER:
                gone += self._children(conversation_id, message_id, Role.ASSISTANT)
            marks = ", ".join("?" * len(gone))
            self._connection.execute(
                f"UPDATE messages SET parent = ? WHERE parent IN ({marks}) AND id NOT IN ({marks})",
                (parent, *gone, *gone),
            )
            (leaf,) = self._connection.execute(
                "SELECT leaf FROM conversations WHERE id = ?", (conversation_id,)
            ).fetchone()
            if leaf in gone:
                self._set_leaf(conversation_id, None)
            self._connection.execute(f"DELETE FROM messages WHERE id IN ({marks})", gone)
            if leaf in gone:
                self._set_leaf(conversation_id, self._newest_end(conversation_id, parent))

    def _tidy(self) -> None:
        """What an earlier run left: answers broken off, deleted conversations, empty ones."""
        with self._database.transaction():
            self._connection.execute(
                "UPDATE answers SET state = ?, problem = ? WHERE state = ?",
                (AnswerState.INTERRUPTED, INTERRUPTED, AnswerState.RUNNING),
            )
            self._connection.execute("DELETE FROM conversations WHERE deleted IS NOT NULL")
            self._connection.execute(
                "DELETE FROM conversations WHERE title = '' "
                "AND NOT EXISTS (SELECT 1 FROM messages WHERE conversation = conversations.id)"
            )

    def _insert(
        self, conversation_id: int, parent: int | None, role: Role, text: str, answer: Answer | None
    ) -> ChatMessage:
        now = self._clock()
        made = self._connection.execute(
            "INSERT INTO messages (conversation, parent, role, text, created) VALUES (?, ?, ?, ?, ?)",
            (conversation_id, parent, role, whole_text(text), now),
        )
        message_id = _id(made)
        if answer is not None:
            self._put_answer(message_id, answer)
        self._connection.execute(
            "UPDATE conversations SET leaf = ?, updated = ? WHERE id = ?", (message_id, now, conversation_id)
        )
        return ChatMessage(message_id, parent, role, whole_text(text), now, answer)

    def _put_answer(self, message_id: int, answer: Answer) -> None:
        stats = None if answer.stats is None else msgspec.json.encode(answer.stats).decode()
        self._connection.execute(
            "INSERT OR REPLACE INTO answers (message, state, target, draft, problem, stats, spans) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                message_id,
                answer.state,
                whole_text(answer.target),
                None if answer.draft is None else whole_text(answer.draft),
                whole_text(answer.problem),
                stats,
                msgspec.json.encode(answer.spans).decode(),
            ),
        )

    def _children(self, conversation_id: int, parent: int | None, role: Role | None = None) -> list[int]:
        rows = self._connection.execute(
            "SELECT id FROM messages WHERE conversation = ? AND parent IS ? AND (? IS NULL OR role = ?) "
            "ORDER BY id",
            (conversation_id, parent, role, role),
        )
        return [row[0] for row in rows]

    def _newest_end(self, conversation_id: int, start: int | None) -> int | None:
        while children := self._children(conversation_id, start):
            start = children[-1]
        return start

    def _set_leaf(self, conversation_id: int, leaf: int | None) -> None:
        self._connection.execute("UPDATE conversations SET leaf = ? WHERE id = ?", (leaf, conversation_id))


def _message(row: tuple[Any, ...]) -> ChatMessage:
    message_id, parent, role, text, created, state, target, draft, problem, stats, spans = row
    answer = None
    if state is not None:
        answer = Answer(
            AnswerState(state),
            target,
            draft,
            _read(stats, GenerationStats | None, None),
            _read(spans, tuple[DraftSpan, ...], ()),
            problem,
        )
    return ChatMessage(message_id, parent, Role(role), text, created, answer)


def _read(content: str | None, kind: Any, default: Any) -> Any:
    """Figures from JSON; those that are not understood are left out and keep no chat from being read."""
    try:
        return default if content is None else msgspec.json.decode(content, type=kind)
    except msgspec.MsgspecError:
        return default


def _id(made: sqlite3.Cursor) -> int:
    assert made.lastrowid is not None
    return made.lastrowid
