"""Experiments on disk: a list that is quickly read, and each of them whole."""

import zlib
from pathlib import Path
from typing import Any

import msgspec

from app.core.database import Database, StoreError, StoreProblem, whole_text
from app.core.experiment import Experiment
from app.core.experiment_entry import ExperimentEntry, entry_of
from app.core.experiment_file import ExperimentFileError, FileProblem, from_json, to_json
from app.core.experiment_tables import COMPARISONS

_FIELDS = msgspec.structs.fields(ExperimentEntry)
_COLUMNS = ", ".join(field.name for field in _FIELDS)
# What stands for a figure in the list that is damaged.
_UNKNOWN: dict[str, Any] = {
    "id": 0,
    "created": 0.0,
    "target": "",
    "drafts": (),
    "prompt": "",
    "is_complete": True,
    "prompts": 1,
    "looks_up": False,
    "is_sure": False,
    "runs": 0,
    "may_change": False,
    "format": 0,
}


class ExperimentStore:
    """Reads and writes experiments. Slow as disks are; one thread at a time. Methods raise StoreError."""

    def __init__(self, database: Database) -> None:
        self._database = database
        database.write("DELETE FROM experiments WHERE is_deleted != 0")  # by an earlier run

    @classmethod
    def open(cls, path: Path) -> tuple["ExperimentStore", str]:
        """The store in a file, and a sentence where the file was damaged and a new one is begun."""
        database, problem = Database.open(path, COMPARISONS)
        try:
            return cls(database), problem
        except StoreError:
            database.close()
            raise

    @classmethod
    def in_memory(cls) -> "ExperimentStore":
        """One that forgets everything at the end, for when the disk cannot be used."""
        return cls(Database.in_memory(COMPARISONS))

    def close(self) -> None:
        """Ends the connection."""
        self._database.close()

    def entries(self) -> tuple[ExperimentEntry, ...]:
        """All that are not deleted, the newest first. What is damaged in one keeps none from the list."""
        rows = self._database.rows(
            f"SELECT {_COLUMNS} FROM experiments WHERE is_deleted = 0 ORDER BY created DESC, id DESC"
        )
        return tuple(map(_entry, rows))

    def holds(self, id_: int) -> bool:
        """Whether an experiment is there, or deleted but not purged."""
        return bool(self._database.rows("SELECT 1 FROM experiments WHERE id = ?", id_))

    def experiment(self, id_: int) -> Experiment:
        """The whole of one. Raises ExperimentFileError, too, for one of another version, or impossible."""
        rows = self._database.rows("SELECT content FROM contents WHERE experiment = ?", id_)
        if not rows:
            raise StoreError(StoreProblem.OTHER, "This comparison was deleted meanwhile.")
        try:
            return from_json(zlib.decompress(rows[0][0]))
        except (zlib.error, TypeError) as error:
            raise _damaged() from error
        except ExperimentFileError as error:
            if error.problem in (FileProblem.FOREIGN, FileProblem.DAMAGED):
                raise _damaged() from error
            raise

    def next_id(self) -> int:
        """What the next one is called; no id is given twice."""
        rows = self._database.rows("SELECT seq FROM sqlite_sequence WHERE name = 'experiments'")
        return 1 + (int(rows[0][0]) if rows else 0)

    def add(self, experiment: Experiment, id_: int | None = None) -> int:
        """Keeps one and gives its id. An `id_` that is given is taken, in place of what has it."""
        content = _packed(experiment)
        with self._database.transaction():
            if id_ is None:
                id_ = self.next_id()
            values = _values(entry_of(experiment, id_))
            marks = ", ".join("?" * len(values))
            self._database.connection.execute(
                f"INSERT OR REPLACE INTO experiments ({_COLUMNS}) VALUES ({marks})", values
            )
            self._put_content(id_, content)
        return id_

    def replace(self, id_: int, experiment: Experiment) -> None:
        """Another version of one. Nothing happens where it was purged meanwhile."""
        content = _packed(experiment)
        changes = ", ".join(f"{field.name} = ?" for field in _FIELDS)
        with self._database.transaction():
            changed = self._database.connection.execute(
                f"UPDATE experiments SET {changes} WHERE id = ?", (*_values(entry_of(experiment, id_)), id_)
            )
            if changed.rowcount:
                self._put_content(id_, content)

    def delete(self, id_: int) -> None:
        """Takes it from the list. It can be brought back until it is purged."""
        self._database.write("UPDATE experiments SET is_deleted = 1 WHERE id = ?", id_)

    def undo_delete(self, id_: int) -> None:
        """Brings it back."""
        self._database.write("UPDATE experiments SET is_deleted = 0 WHERE id = ?", id_)

    def purge(self, id_: int) -> None:
        """Removes a deleted one for good; one that was brought back stays."""
        self._database.write("DELETE FROM experiments WHERE id = ? AND is_deleted != 0", id_)

    def _put_content(self, id_: int, content: bytes) -> None:
        self._database.connection.execute(
            "INSERT OR REPLACE INTO contents (experiment, content) VALUES (?, ?)", (id_, content)
        )


def _damaged() -> StoreError:
    return StoreError(StoreProblem.DAMAGED, "This comparison is damaged and cannot be opened.")


def _packed(experiment: Experiment) -> bytes:
    return zlib.compress(to_json(experiment))


def _values(entry: ExperimentEntry) -> tuple[Any, ...]:
    values = {name: getattr(entry, name) for name in entry.__struct_fields__}
    values["drafts"] = msgspec.json.encode([whole_text(title) for title in entry.drafts]).decode()
    return tuple(whole_text(value) if isinstance(value, str) else value for value in values.values())


def _entry(row: tuple[Any, ...]) -> ExperimentEntry:
    return ExperimentEntry(
        **{field.name: _read(field, value) for field, value in zip(_FIELDS, row, strict=True)}
    )


def _read(field: msgspec.structs.FieldInfo, value: object) -> Any:
    """A figure of the list; what is not understood gives way to one that says nothing."""
    try:
        if field.name == "drafts" and isinstance(value, str):
            return msgspec.json.decode(value, type=field.type)
        return msgspec.convert(value, field.type, strict=False)
    except msgspec.MsgspecError:
        return _UNKNOWN.get(field.name)
