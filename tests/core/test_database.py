"""Files of what is kept: whatever is found in their place, a sentence or a usable database."""

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from app.core.chat_tables import CHATS
from app.core.database import Database, Schema, StoreError, StoreProblem
from app.core.experiment_tables import COMPARISONS

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "chats.db"


def opened(path: Path) -> tuple[Database, str]:
    return Database.open(path, CHATS)


def add(database: Database, title: str) -> None:
    database.write("INSERT INTO conversations (title, created, updated) VALUES (?, 0, 0)", title)


def titles(database: Database) -> list[str]:
    return [row[0] for row in database.rows("SELECT title FROM conversations ORDER BY id")]


def test_a_new_file_is_made_with_its_folder(path: Path) -> None:
    database, problem = opened(path)
    add(database, "a")
    database.close()

    assert problem == ""
    again, problem = opened(path)
    assert problem == ""
    assert titles(again) == ["a"]
    again.close()


def test_it_survives_power_failures_and_checks_what_belongs_together(path: Path) -> None:
    database, _ = opened(path)

    assert database.connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert database.connection.execute("PRAGMA synchronous").fetchone() == (2,)
    assert database.connection.execute("PRAGMA foreign_keys").fetchone() == (1,)
    database.close()


def test_a_transaction_that_fails_leaves_nothing() -> None:
    database = Database.in_memory(CHATS)
    with pytest.raises(ZeroDivisionError), database.transaction():
        database.connection.execute("INSERT INTO conversations (title, created, updated) VALUES ('a', 0, 0)")
        _ = 1 / 0

    assert titles(database) == []
    add(database, "b")
    assert titles(database) == ["b"]
    database.close()


class TestDamage:
    @pytest.mark.parametrize("content", [b"no database at all" * 100, b"SQLite format 3\0" + b"\xff" * 5000])
    def test_what_is_no_database_is_kept_aside(self, path: Path, content: bytes) -> None:
        path.parent.mkdir()
        path.write_bytes(content)

        database, problem = opened(path)
        add(database, "new")
        database.close()

        aside = path.with_name("chats.damaged-1.db")
        assert aside.read_bytes() == content
        assert str(aside) in problem

    def test_pages_overwritten_inside_are_noticed(self, path: Path) -> None:
        database, _ = opened(path)
        for _number in range(200):
            add(database, "x" * 300)
        database.close()
        content = bytearray(path.read_bytes())
        content[5 * 4096 : 12 * 4096] = b"\x55" * (7 * 4096)
        path.write_bytes(content)

        database, problem = opened(path)

        assert titles(database) == []
        assert "damaged" in problem
        database.close()

    def test_earlier_damaged_files_stay(self, path: Path) -> None:
        path.parent.mkdir()
        for number in (1, 2):
            path.write_bytes(b"damage %d" % number * 100)
            opened(path)[0].close()
            path.unlink()

        assert path.with_name("chats.damaged-1.db").read_bytes().startswith(b"damage 1")
        assert path.with_name("chats.damaged-2.db").read_bytes().startswith(b"damage 2")


class TestRefusals:
    def test_a_newer_version_is_left_alone(self, path: Path) -> None:
        database, _ = opened(path)
        add(database, "from tomorrow")
        database.connection.execute("PRAGMA user_version = 99")
        database.close()
        before = path.read_bytes()

        with pytest.raises(StoreError, match="newer version") as refused:
            opened(path)

        assert refused.value.problem is StoreProblem.NEWER
        assert path.read_bytes() == before
        assert list(path.parent.iterdir()) == [path]

    def test_a_second_window_is_told(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("app.core.database._LOCK_WAIT_S", 0.01)
        first, _ = opened(path)

        with pytest.raises(StoreError, match="another window") as refused:
            opened(path)

        assert refused.value.problem is StoreProblem.IN_USE
        add(first, "still works")
        first.close()

    def test_a_folder_that_cannot_be_made(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")

        with pytest.raises(StoreError) as refused:
            opened(tmp_path / "file" / "chats.db")

        assert refused.value.problem is StoreProblem.UNREACHABLE

    def test_a_folder_in_place_of_the_file(self, path: Path) -> None:
        path.mkdir(parents=True)

        with pytest.raises(StoreError) as refused:
            opened(path)

        assert refused.value.problem is StoreProblem.UNREACHABLE

    def test_a_file_that_may_only_be_read(self) -> None:
        database = Database.in_memory(CHATS)
        database.connection.execute("PRAGMA query_only = ON")

        with pytest.raises(StoreError) as refused:
            add(database, "a")

        assert refused.value.problem is StoreProblem.READ_ONLY
        database.close()

    def test_a_full_disk(self, path: Path) -> None:
        database, _ = opened(path)
        add(database, "small")
        pages = database.connection.execute("PRAGMA page_count").fetchone()[0]
        database.connection.execute(f"PRAGMA max_page_count = {pages}")

        with pytest.raises(StoreError) as refused:
            add(database, "x" * 100_000)
        assert refused.value.problem is StoreProblem.DISK_FULL

        database.connection.execute("PRAGMA max_page_count = 1000000")
        add(database, "there is room again")
        assert titles(database) == ["small", "there is room again"]
        database.close()

    @pytest.mark.skipif(
        sys.platform == "win32" or not hasattr(os, "geteuid") or os.geteuid() == 0,
        reason="root may write anything",
    )
    def test_a_folder_without_permission(self, path: Path) -> None:
        path.parent.mkdir()
        path.parent.chmod(0o500)
        try:
            with pytest.raises(StoreError) as refused:
                opened(path)
        finally:
            path.parent.chmod(0o700)

        assert refused.value.problem is StoreProblem.UNREACHABLE

    def test_misuse_by_the_program_is_no_failure_of_the_disk(self) -> None:
        database = Database.in_memory(CHATS)
        database.close()

        with pytest.raises(sqlite3.ProgrammingError):
            add(database, "a")


def test_the_lock_of_a_killed_program_does_not_stay(path: Path) -> None:
    script = (
        "import sys, time; from pathlib import Path; from app.core.chat_tables import CHATS\n"
        "from app.core.database import Database; kept = Database.open(Path(sys.argv[1]), CHATS)\n"
        "print('open', flush=True); time.sleep(600)"
    )
    command = [sys.executable, "-c", script, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT) as child:
        assert child.stdout is not None
        try:
            assert child.stdout.readline() == b"open\n"
        finally:
            child.kill()
        child.wait()

    database, problem = opened(path)
    assert problem == ""
    add(database, "a")
    database.close()


class TestSentences:
    """They speak of what is kept in the file."""

    @pytest.mark.parametrize(
        ("schema", "sentence"),
        [
            (CHATS, "The disk is full, so the chat could not be saved."),
            (COMPARISONS, "The disk is full, so the comparison could not be saved."),
        ],
    )
    def test_of_a_full_disk(self, path: Path, schema: Schema, sentence: str) -> None:
        database, _ = Database.open(path, schema)
        pages = database.rows("PRAGMA page_count")[0][0]
        database.connection.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(StoreError) as refused:
            database.write("CREATE TABLE more AS SELECT randomblob(100000)")
        database.close()

        assert str(refused.value) == sentence

    @pytest.mark.parametrize(("schema", "many"), [(CHATS, "chats"), (COMPARISONS, "comparisons")])
    def test_of_a_damaged_file(self, path: Path, schema: Schema, many: str) -> None:
        path.parent.mkdir()
        path.write_bytes(b"no database" * 100)
        database, problem = Database.open(path, schema)
        database.close()

        aside = path.with_name("chats.damaged-1.db")
        assert problem == (
            f"The file with your {many} is damaged and could not be read. "
            f"It is kept as {aside}; new {many} go to a new file."
        )

    @pytest.mark.parametrize(("schema", "many"), [(CHATS, "chats"), (COMPARISONS, "comparisons")])
    def test_of_a_second_window_and_of_a_newer_version(
        self, path: Path, schema: Schema, many: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("app.core.database._LOCK_WAIT_S", 0.01)
        database, _ = Database.open(path, schema)
        with pytest.raises(StoreError) as in_use:
            Database.open(path, schema)
        database.connection.execute("PRAGMA user_version = 99")
        database.close()
        with pytest.raises(StoreError) as newer:
            Database.open(path, schema)

        assert str(in_use.value) == f"Your {many} are in use by another window of Slipstream."
        assert str(newer.value) == (
            f"Your {many} were written by a newer version of Slipstream and cannot be read by this one."
        )


def test_a_file_goes_through_the_migrations_that_it_lacks(path: Path) -> None:
    first = ("CREATE TABLE things (name TEXT)", "INSERT INTO things VALUES ('kept')")
    second = ("ALTER TABLE things ADD COLUMN size INTEGER DEFAULT 3",)
    Database.open(path, Schema("thing", "things", (first,)))[0].close()

    database, problem = Database.open(path, Schema("thing", "things", (first, second)))

    assert problem == ""
    assert database.rows("SELECT name, size FROM things") == [("kept", 3)]
    database.close()
