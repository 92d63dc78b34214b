"""The file of the conversations: whatever is found in its place, a sentence or a usable database."""

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from app.core.database import StoreError, StoreProblem, open_database, open_memory, transaction

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "chats.db"


def add(connection: sqlite3.Connection, title: str) -> None:
    with transaction(connection):
        connection.execute("INSERT INTO conversations (title, created, updated) VALUES (?, 0, 0)", (title,))


def titles(connection: sqlite3.Connection) -> list[str]:
    return [row[0] for row in connection.execute("SELECT title FROM conversations ORDER BY id")]


def test_a_new_file_is_made_with_its_folder(path: Path) -> None:
    connection, problem = open_database(path)
    add(connection, "a")
    connection.close()

    assert problem == ""
    again, problem = open_database(path)
    assert problem == ""
    assert titles(again) == ["a"]
    again.close()


def test_it_survives_power_failures_and_checks_what_belongs_together(path: Path) -> None:
    connection, _ = open_database(path)

    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
    assert connection.execute("PRAGMA foreign_keys").fetchone() == (1,)
    connection.close()


def test_a_transaction_that_fails_leaves_nothing() -> None:
    connection = open_memory()
    with pytest.raises(ZeroDivisionError), transaction(connection):
        connection.execute("INSERT INTO conversations (title, created, updated) VALUES ('a', 0, 0)")
        _ = 1 / 0

    assert titles(connection) == []
    add(connection, "b")
    assert titles(connection) == ["b"]
    connection.close()


class TestDamage:
    @pytest.mark.parametrize("content", [b"no database at all" * 100, b"SQLite format 3\0" + b"\xff" * 5000])
    def test_what_is_no_database_is_kept_aside(self, path: Path, content: bytes) -> None:
        path.parent.mkdir()
        path.write_bytes(content)

        connection, problem = open_database(path)
        add(connection, "new")
        connection.close()

        aside = path.with_name("chats.damaged-1.db")
        assert aside.read_bytes() == content
        assert str(aside) in problem

    def test_pages_overwritten_inside_are_noticed(self, path: Path) -> None:
        connection, _ = open_database(path)
        for _number in range(200):
            add(connection, "x" * 300)
        connection.close()
        content = bytearray(path.read_bytes())
        content[5 * 4096 : 12 * 4096] = b"\x55" * (7 * 4096)
        path.write_bytes(content)

        connection, problem = open_database(path)

        assert titles(connection) == []
        assert "damaged" in problem
        connection.close()

    def test_earlier_damaged_files_stay(self, path: Path) -> None:
        path.parent.mkdir()
        for number in (1, 2):
            path.write_bytes(b"damage %d" % number * 100)
            open_database(path)[0].close()
            path.unlink()

        assert path.with_name("chats.damaged-1.db").read_bytes().startswith(b"damage 1")
        assert path.with_name("chats.damaged-2.db").read_bytes().startswith(b"damage 2")


class TestRefusals:
    def test_a_newer_version_is_left_alone(self, path: Path) -> None:
        connection, _ = open_database(path)
        add(connection, "from tomorrow")
        connection.execute("PRAGMA user_version = 99")
        connection.close()
        before = path.read_bytes()

        with pytest.raises(StoreError, match="newer version") as refused:
            open_database(path)

        assert refused.value.problem is StoreProblem.NEWER
        assert path.read_bytes() == before
        assert list(path.parent.iterdir()) == [path]

    def test_a_second_window_is_told(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("app.core.database._LOCK_WAIT_S", 0.01)
        first, _ = open_database(path)

        with pytest.raises(StoreError, match="another window") as refused:
            open_database(path)

        assert refused.value.problem is StoreProblem.IN_USE
        add(first, "still works")
        first.close()

    def test_a_folder_that_cannot_be_made(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")

        with pytest.raises(StoreError) as refused:
            open_database(tmp_path / "file" / "chats.db")

        assert refused.value.problem is StoreProblem.UNREACHABLE

    def test_a_folder_in_place_of_the_file(self, path: Path) -> None:
        path.mkdir(parents=True)

        with pytest.raises(StoreError) as refused:
            open_database(path)

        assert refused.value.problem is StoreProblem.UNREACHABLE

    def test_a_file_that_may_only_be_read(self) -> None:
        connection = open_memory()
        connection.execute("PRAGMA query_only = ON")

        with pytest.raises(StoreError) as refused:
            add(connection, "a")

        assert refused.value.problem is StoreProblem.READ_ONLY
        connection.close()

    def test_a_full_disk(self, path: Path) -> None:
        connection, _ = open_database(path)
        add(connection, "small")
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages}")

        with pytest.raises(StoreError) as refused:
            add(connection, "x" * 100_000)
        assert refused.value.problem is StoreProblem.DISK_FULL

        connection.execute("PRAGMA max_page_count = 1000000")
        add(connection, "there is room again")
        assert titles(connection) == ["small", "there is room again"]
        connection.close()

    @pytest.mark.skipif(
        sys.platform == "win32" or not hasattr(os, "geteuid") or os.geteuid() == 0,
        reason="root may write anything",
    )
    def test_a_folder_without_permission(self, path: Path) -> None:
        path.parent.mkdir()
        path.parent.chmod(0o500)
        try:
            with pytest.raises(StoreError) as refused:
                open_database(path)
        finally:
            path.parent.chmod(0o700)

        assert refused.value.problem is StoreProblem.UNREACHABLE

    def test_misuse_by_the_program_is_no_failure_of_the_disk(self) -> None:
        connection = open_memory()
        connection.close()

        with pytest.raises(sqlite3.ProgrammingError):
            add(connection, "a")


def test_the_lock_of_a_killed_program_does_not_stay(path: Path) -> None:
    script = (
        "import sys, time; from pathlib import Path; from app.core.database import open_database\n"
        "kept = open_database(Path(sys.argv[1])); print('open', flush=True); time.sleep(600)"
    )
    command = [sys.executable, "-c", script, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT) as child:
        assert child.stdout is not None
        try:
            assert child.stdout.readline() == b"open\n"
        finally:
            child.kill()
        child.wait()

    connection, problem = open_database(path)
    assert problem == ""
    add(connection, "a")
    connection.close()
