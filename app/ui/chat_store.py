"""The conversations for the window: the same as app.core.store, without waiting for the disk."""

import threading
from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from app.core.chat import Answer, ChatMessage, Conversation, Role
from app.core.database import StoreError
from app.core.store import Store
from app.ui.store_thread import Done, Failed, StoreThread
from app.ui.tasks import Tasks


class ChatStore(QObject):
    """Does everything in the order asked for, and answers by calls that are dropped once `owner` is gone.

    `tasks` is for this alone, has one thread, and is closed with the store. Where the file cannot be used,
    conversations last as long as the window, and `failed` says so.
    """

    conversations_changed = Signal(object)  # tuple[Conversation, ...], the last used one first
    failed = Signal(str)  # a sentence

    def __init__(self, path: Path, tasks: Tasks, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._path = path
        self._tasks = tasks
        self._thread = StoreThread(self, tasks, self._open, self.failed.emit)
        self._unsaved: dict[int, tuple[str, Answer]] = {}  # answers by message, until they are on disk
        self._lock = threading.Lock()  # for `_unsaved`

    @property
    def path(self) -> Path:
        """The file on disk."""
        return self._path

    def refresh(self) -> None:
        """Reads the list and tells it by `conversations_changed`."""
        self._list_after(lambda _store: None)

    def create_conversation(
        self, owner: QObject, title: str, done: Done[Conversation], failed: Failed = None
    ) -> None:
        """Begins a conversation."""
        self._thread.run(owner, lambda store: store.create_conversation(title), done, failed)
        self.refresh()

    def rename(self, conversation_id: int, title: str) -> None:
        """Gives a conversation another title."""
        self._list_after(lambda store: store.rename(conversation_id, title))

    def delete(self, conversation_id: int) -> None:
        """Takes a conversation from the list; `undo_delete` brings it back until it is purged."""
        self._list_after(lambda store: store.delete(conversation_id))

    def undo_delete(self, conversation_id: int) -> None:
        """Brings a conversation back."""
        self._list_after(lambda store: store.undo_delete(conversation_id))

    def purge(self, conversation_id: int) -> None:
        """Removes a deleted conversation for good."""
        self._list_after(lambda store: store.purge(conversation_id))

    def messages(self, owner: QObject, conversation_id: int, done: Done[tuple[ChatMessage, ...]]) -> None:
        """The messages of a conversation, first to last."""
        self._thread.run(owner, lambda store: self._messages(store, conversation_id), done)

    def add_message(
        self,
        owner: QObject,
        conversation_id: int,
        role: Role,
        text: str,
        answer: Answer | None,
        done: Done[ChatMessage],
        failed: Failed = None,
    ) -> None:
        """Puts a message at the end; it is on disk when `done` is called."""
        self._thread.run(
            owner, lambda store: store.add_message(conversation_id, role, text, answer), done, failed
        )
        self.refresh()

    def add_version(
        self, owner: QObject, message_id: int, answer: Answer, done: Done[ChatMessage], failed: Failed = None
    ) -> None:
        """Begins another version of an answer, in its place."""
        self._thread.run(owner, lambda store: store.add_version(message_id, "", answer), done, failed)
        self.refresh()

    def save_answer(self, message_id: int, text: str, answer: Answer) -> None:
        """Replaces an answer's text and figures. What the disk refuses is kept and tried again."""
        with self._lock:
            self._unsaved[message_id] = (text, answer)
        self._thread.run(self, self._save_answers, lambda _: None)

    def delete_message(
        self, owner: QObject, conversation_id: int, message_id: int, done: Done[tuple[ChatMessage, ...]]
    ) -> None:
        """Removes an answer, or a question with its answers; gives the messages that are left."""

        def delete(store: Store) -> tuple[ChatMessage, ...]:
            store.delete_message(message_id)
            return self._messages(store, conversation_id)

        self._thread.run(owner, delete, done)

    def close(self) -> None:
        """Writes everything, and takes no more."""
        self._thread.close(self._save_answers)

    def _list_after(self, work: Callable[[Store], None]) -> None:
        def change(store: Store) -> tuple[Conversation, ...]:
            work(store)
            return store.conversations()

        self._thread.run(self, change, self.conversations_changed.emit)

    # In the tasks' thread.

    def _open(self) -> tuple[Store, str]:
        try:
            return Store.open(self._path)
        except StoreError as error:
            problem = self.tr("%1 What is said now is lost when the window closes.")
            return Store.in_memory(), problem.replace("%1", str(error))

    def _messages(self, store: Store, conversation_id: int) -> tuple[ChatMessage, ...]:
        with self._lock:
            unsaved = dict(self._unsaved)
        messages = list(store.messages(conversation_id))
        for index, message in enumerate(messages):
            if message.id in unsaved:
                text, answer = unsaved[message.id]
                messages[index] = replace(message, text=text, answer=answer)
        return tuple(messages)

    def _save_answers(self, store: Store) -> None:
        with self._lock:
            waiting = dict(self._unsaved)
        for message_id, (text, answer) in waiting.items():
            store.save_answer(message_id, text, answer)
            with self._lock:
                if self._unsaved.get(message_id) == (text, answer):
                    del self._unsaved[message_id]
