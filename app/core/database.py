"""SQLite files that things are kept in: opening them, their tables, and failures in words."""

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Any

from msgspec import Struct

from app.core.errors import SlipstreamError

_LOCK_WAIT_S = 2.0


class Schema(Struct, frozen=True):
    """What is kept in a file. Each of `migrations` takes a file from the version of its index to the next."""

    one: str  # of it, in sentences: "chat"
    many: str  # "chats"
    migrations: tuple[tuple[str, ...], ...]


class StoreProblem(StrEnum):
    """What kind of thing keeps a file from being read or written."""

    DISK_FULL = "disk_full"
    READ_ONLY = "read_only"
    DAMAGED = "damaged"
    NEWER = "newer"  # written by a later version of the program
    IN_USE = "in_use"  # by another window
    UNREACHABLE = "unreachable"  # no such folder, no permission
    OTHER = "other"


class StoreError(SlipstreamError):
    """Things that cannot be read or written; carries the kind of problem."""

    def __init__(self, problem: StoreProblem, sentence: str) -> None:
        super().__init__(sentence)
        self.problem = problem


_PROBLEMS = {
    sqlite3.SQLITE_FULL: (StoreProblem.DISK_FULL, "The disk is full, so the {one} could not be saved."),
    sqlite3.SQLITE_READONLY: (
        StoreProblem.READ_ONLY,
        "The file with your {many} may only be read, not written.",
    ),
    sqlite3.SQLITE_CORRUPT: (StoreProblem.DAMAGED, "The file with your {many} is damaged."),
    sqlite3.SQLITE_NOTADB: (StoreProblem.DAMAGED, "The file with your {many} is damaged."),
    sqlite3.SQLITE_BUSY: (StoreProblem.IN_USE, "Your {many} are in use by another window of Slipstream."),
    sqlite3.SQLITE_LOCKED: (StoreProblem.IN_USE, "Your {many} are in use by another window of Slipstream."),
    sqlite3.SQLITE_CANTOPEN: (StoreProblem.UNREACHABLE, "The file with your {many} cannot be opened."),
    sqlite3.SQLITE_PERM: (StoreProblem.UNREACHABLE, "The file with your {many} cannot be opened."),
    sqlite3.SQLITE_IOERR: (StoreProblem.OTHER, "The disk with your {many} reports an error."),
}


class Database:
    """An open file, or memory that takes its place. One thread at a time. Methods raise StoreError."""

    def __init__(self, connection: sqlite3.Connection, schema: Schema) -> None:
        self.connection = connection  # for statements inside of `transaction`
        self.schema = schema

    @classmethod
    def open(cls, path: Path, schema: Schema) -> tuple["Database", str]:
        """The file, made or brought up to date as needed, and a sentence on what was wrong.

        A damaged file is kept beside and a new one begun; the sentence says so and is empty otherwise. No
        other window can open the file meanwhile. Raises StoreError.
        """
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(
                StoreProblem.UNREACHABLE,
                f"The folder {_shown(path.parent)} for your {schema.many} cannot be made: "
                f"{error.strerror or error}.",
            ) from error
        try:
            return cls(_open(path, schema), schema), ""
        except StoreError as error:
            if error.problem is not StoreProblem.DAMAGED:
                raise
            aside = _set_aside(path, schema)
            return cls(_open(path, schema), schema), (
                f"The file with your {schema.many} is damaged and could not be read. "
                f"It is kept as {_shown(aside)}; new {schema.many} go to a new file."
            )

    @classmethod
    def in_memory(cls, schema: Schema) -> "Database":
        """One that lasts as long as the program."""
        connection = _connect(":memory:")
        _migrate(connection, schema)
        return cls(connection, schema)

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing, on disk when it ends."""
        with _transaction(self.connection, self.schema):
            yield

    def write(self, statement: str, *values: object) -> None:
        """A transaction of one statement."""
        with self.transaction():
            self.connection.execute(statement, values)

    def rows(self, statement: str, *values: object) -> list[Any]:
        """What a statement finds."""
        with _failures_in_words(self.schema):
            return self.connection.execute(statement, values).fetchall()

    def close(self) -> None:
        """Ends the connection."""
        with _failures_in_words(self.schema):
            self.connection.close()


@contextlib.contextmanager
def _failures_in_words(schema: Schema) -> Iterator[None]:
    """Turns what SQLite raises into StoreError; misuse of it, a fault of the program, passes."""
    try:
        yield
    except sqlite3.ProgrammingError:
        raise
    except sqlite3.Error as error:
        raise _in_words(error, schema) from error


@contextlib.contextmanager
def _transaction(connection: sqlite3.Connection, schema: Schema) -> Iterator[None]:
    with _failures_in_words(schema):
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:  # SQLite itself takes some failures back
                connection.execute("ROLLBACK")
            raise


def _open(path: Path, schema: Schema) -> sqlite3.Connection:
    with _failures_in_words(schema):
        connection = _connect(path)
        try:
            # One window at a time: what is running in one would look broken off to another.
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            connection.execute("PRAGMA journal_mode = WAL")
            # What was said to be saved is on disk, whatever happens to the machine.
            connection.execute("PRAGMA synchronous = FULL")
            if connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
                raise _error(sqlite3.SQLITE_CORRUPT, schema)
            _migrate(connection, schema)
        except BaseException:
            connection.close()
            raise
    return connection


def _connect(path: Path | str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=_LOCK_WAIT_S, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA foreign_keys = ON")
    connection.text_factory = lambda data: data.decode("utf-8", "replace")
    return connection


def _migrate(connection: sqlite3.Connection, schema: Schema) -> None:
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > len(schema.migrations):
        raise StoreError(
            StoreProblem.NEWER,
            f"Your {schema.many} were written by a newer version of Slipstream "
            "and cannot be read by this one.",
        )
    with _transaction(connection, schema):
        for statements in schema.migrations[version:]:
            for statement in statements:
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {len(schema.migrations)}")


def _set_aside(path: Path, schema: Schema) -> Path:
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
            f"The file with your {schema.many}, {_shown(path)}, is damaged and cannot be moved out of the "
            f"way: {error.strerror or error}.",
        ) from error
    return aside


def _in_words(error: sqlite3.Error, schema: Schema) -> StoreError:
    code = getattr(error, "sqlite_errorcode", None)
    if code is not None and code & 0xFF in _PROBLEMS:
        return _error(code & 0xFF, schema)
    return StoreError(StoreProblem.OTHER, f"Your {schema.many} could not be read or written: {error}.")


def _error(code: int, schema: Schema) -> StoreError:
    problem, sentence = _PROBLEMS[code]
    return StoreError(problem, sentence.format(one=schema.one, many=schema.many))


def whole_text(text: str) -> str:
    """Text without halves of characters, which cannot be stored; its length stays."""
    return text.encode("utf-8", "replace").decode()


def _shown(path: Path) -> str:
    return os.fsencode(path).decode("utf-8", "replace")
