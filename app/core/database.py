"""The SQLite file that conversations are kept in: opening it, its tables, and failures in words."""

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path

from app.core.errors import SlipstreamError

_LOCK_WAIT_S = 2.0

# Each entry takes a database from the version of its index to the next one.
_MIGRATIONS = (
    (
        """CREATE TABLE conversations (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            title TEXT NOT NULL,
            created REAL NOT NULL,
            updated REAL NOT NULL,
            leaf INTEGER REFERENCES messages(id),
            deleted REAL
        )""",
        # A message may be followed by several: versions of an answer, branches of a conversation.
        """CREATE TABLE messages (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            conversation INTEGER NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
            parent INTEGER REFERENCES messages(id),
            role TEXT NOT NULL,
            text TEXT NOT NULL,
            created REAL NOT NULL
        )""",
        """CREATE TABLE answers (
            message INTEGER PRIMARY KEY REFERENCES messages(id) ON DELETE CASCADE,
            state TEXT NOT NULL,
            target TEXT NOT NULL,
            draft TEXT,
            problem TEXT NOT NULL,
            stats TEXT,
            spans TEXT NOT NULL
        )""",
        "CREATE INDEX messages_by_conversation ON messages(conversation)",
        "CREATE INDEX messages_by_parent ON messages(parent)",
        "CREATE INDEX conversations_by_leaf ON conversations(leaf)",
    ),
)


class StoreProblem(StrEnum):
    """What kind of thing keeps conversations from being read or written."""

    DISK_FULL = "disk_full"
    READ_ONLY = "read_only"
    DAMAGED = "damaged"
    NEWER = "newer"  # written by a later version of the program
    IN_USE = "in_use"  # by another window
    UNREACHABLE = "unreachable"  # no such folder, no permission
    OTHER = "other"


class StoreError(SlipstreamError):
    """Conversations that cannot be read or written; carries the kind of problem."""

    def __init__(self, problem: StoreProblem, sentence: str) -> None:
        super().__init__(sentence)
        self.problem = problem


_PROBLEMS = {
    sqlite3.SQLITE_FULL: (StoreProblem.DISK_FULL, "The disk is full, so the chat could not be saved."),
    sqlite3.SQLITE_READONLY: (
        StoreProblem.READ_ONLY,
        "The file with your chats may only be read, not written.",
    ),
    sqlite3.SQLITE_CORRUPT: (StoreProblem.DAMAGED, "The file with your chats is damaged."),
    sqlite3.SQLITE_NOTADB: (StoreProblem.DAMAGED, "The file with your chats is damaged."),
    sqlite3.SQLITE_BUSY: (StoreProblem.IN_USE, "Your chats are in use by another window of Slipstream."),
    sqlite3.SQLITE_LOCKED: (StoreProblem.IN_USE, "Your chats are in use by another window of Slipstream."),
    sqlite3.SQLITE_CANTOPEN: (StoreProblem.UNREACHABLE, "The file with your chats cannot be opened."),
    sqlite3.SQLITE_PERM: (StoreProblem.UNREACHABLE, "The file with your chats cannot be opened."),
    sqlite3.SQLITE_IOERR: (StoreProblem.OTHER, "The disk with your chats reports an error."),
}


@contextlib.contextmanager
def failures_in_words() -> Iterator[None]:
    """Turns what SQLite raises into StoreError; misuse of it, a fault of the program, passes."""
    try:
        yield
    except sqlite3.ProgrammingError:
        raise
    except sqlite3.Error as error:
        raise _in_words(error) from error


@contextlib.contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All or nothing, on disk when it ends. Raises StoreError."""
    with failures_in_words():
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:  # SQLite itself takes some failures back
                connection.execute("ROLLBACK")
            raise


def open_database(path: Path) -> tuple[sqlite3.Connection, str]:
    """A connection to the file, made or brought up to date as needed, and a sentence on what was wrong.

    A damaged file is kept beside and a new one begun; the sentence says so and is empty otherwise. No other
    window can open the file meanwhile. Raises StoreError.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            StoreProblem.UNREACHABLE,
            f"The folder {_shown(path.parent)} for your chats cannot be made: {error.strerror or error}.",
        ) from error
    try:
        return _open(path), ""
    except StoreError as error:
        if error.problem is not StoreProblem.DAMAGED:
            raise
        aside = _set_aside(path)
        return _open(path), (
            f"The file with your chats is damaged and could not be read. It is kept as {_shown(aside)}; "
            "new chats go to a new file."
        )


def open_memory() -> sqlite3.Connection:
    """A database that lasts as long as the program."""
    connection = _connect(":memory:")
    _migrate(connection)
    return connection


def _open(path: Path) -> sqlite3.Connection:
    with failures_in_words():
        connection = _connect(path)
        try:
            # One window at a time: what is running in one would look broken off to another.
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            connection.execute("PRAGMA journal_mode = WAL")
            # A prompt is on disk before its answer begins, whatever happens to the machine.
            connection.execute("PRAGMA synchronous = FULL")
            if connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
                raise StoreError(*_PROBLEMS[sqlite3.SQLITE_CORRUPT])
            _migrate(connection)
        except BaseException:
            connection.close()
            raise
    return connection


def _connect(path: Path | str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=_LOCK_WAIT_S, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA foreign_keys = ON")
    connection.text_factory = lambda data: data.decode("utf-8", "replace")
    return connection


def _migrate(connection: sqlite3.Connection) -> None:
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > len(_MIGRATIONS):
        raise StoreError(
            StoreProblem.NEWER,
            "Your chats were written by a newer version of Slipstream and cannot be read by this one.",
        )
    with transaction(connection):
        for statements in _MIGRATIONS[version:]:
            for statement in statements:
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {len(_MIGRATIONS)}")


def _set_aside(path: Path) -> Path:
    """Renames a damaged database and its journal; earlier ones stay. Raises StoreError."""
    number = 1
    while (aside := path.with_name(f"{path.stem}.damaged-{number}{path.suffix}")).exists():
        number += 1
    try:
        path.rename(aside)
        for ending in ("-wal", "-shm"):
            journal = path.with_name(path.name + ending)
            if journal.exists():
                journal.rename(aside.with_name(aside.name + ending))
    except OSError as error:
        raise StoreError(
            StoreProblem.DAMAGED,
            f"The file with your chats, {_shown(path)}, is damaged and cannot be moved out of the way: "
            f"{error.strerror or error}.",
        ) from error
    return aside


def _in_words(error: sqlite3.Error) -> StoreError:
    code = getattr(error, "sqlite_errorcode", None)
    if code is not None and code & 0xFF in _PROBLEMS:
        return StoreError(*_PROBLEMS[code & 0xFF])
    return StoreError(StoreProblem.OTHER, f"Your chats could not be read or written: {error}.")


def _shown(path: Path) -> str:
    return os.fsencode(path).decode("utf-8", "replace")
