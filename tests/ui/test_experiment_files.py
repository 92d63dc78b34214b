"""Files of experiments: read with care, written whole or not at all, named for every system."""

import errno
import os
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from app.core.experiment import Experiment
from app.core.experiment_file import to_json
from app.ui import experiment_files
from app.ui.experiment_files import read_experiment, suggested_name, write_file
from app.ui.tasks import Tasks
from tests.fakes.experiments import prompt_experiment
from tests.fakes.tasks import ImmediateTasks

SHORT = prompt_experiment((8.0,), (16.0,))


class Asked:
    """Reads and writes, and what came of it."""

    def __init__(self, tasks: Tasks) -> None:
        self._tasks = tasks
        self._owner = QObject()
        self.read: list[Experiment] = []
        self.written: list[Path] = []
        self.problems: list[str] = []

    def open(self, path: Path) -> None:
        read_experiment(self._owner, self._tasks, path, self.read.append, self.problems.append)

    def write(self, path: Path, content: Callable[[], bytes]) -> None:
        write_file(self._owner, self._tasks, path, content, self.written.append, self.problems.append)


@pytest.fixture
def asked(immediate_tasks: ImmediateTasks) -> Asked:
    return Asked(immediate_tasks)


class TestReading:
    @pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
    def test_what_the_command_line_or_an_export_wrote(
        self, asked: Asked, tmp_path: Path, mark: bytes
    ) -> None:
        path = tmp_path / "bench.json"
        path.write_bytes(mark + to_json(SHORT))
        asked.open(path)

        assert asked.read == [SHORT]
        assert asked.problems == []

    def test_away_from_the_event_loop(self, qtbot: QtBot, tasks: Tasks, tmp_path: Path) -> None:
        path = tmp_path / "bench.json"
        path.write_bytes(to_json(SHORT))
        asked = Asked(tasks)
        asked.open(path)
        assert asked.read == []

        qtbot.waitUntil(lambda: bool(asked.read))
        assert asked.read == [SHORT]

    @pytest.mark.parametrize(
        ("content", "sentence"),
        [
            (b"", "“x.json” is not a comparison of Slipstream."),
            (b"\xff\xfe\x00", "“x.json” is not a comparison of Slipstream."),
            (b"[" * 100_000, "“x.json” is not a comparison of Slipstream."),
            (b'{"format": 99, "runs": []}', "“x.json” was written by a newer version of Slipstream."),
            (b'{"format": 1, "runs": []}', "“x.json” was written by an older version of Slipstream."),
            (to_json(SHORT)[:-100], "“x.json” is damaged: a part of it is missing or cannot be read."),
            (
                to_json(SHORT).replace(b'"repeats": 1', b'"repeats": 0'),
                "“x.json” cannot be shown: it has no repeats.",
            ),
        ],
        ids=["empty", "bytes", "deep", "newer", "older", "cut off", "inconsistent"],
    )
    def test_anything_else_is_told_with_the_files_name(
        self, asked: Asked, tmp_path: Path, content: bytes, sentence: str
    ) -> None:
        path = tmp_path / "x.json"
        path.write_bytes(content)
        asked.open(path)

        assert (asked.read, asked.problems) == ([], [sentence])

    def test_no_more_is_read_than_a_comparison_can_have(
        self, asked: Asked, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = tmp_path / "x.json"
        path.write_bytes(to_json(SHORT))
        monkeypatch.setattr(experiment_files, "LARGEST_FILE", 1000)
        asked.open(path)

        assert asked.problems == ["“x.json” is too large for a comparison: more than 1.00 kB."]

    def test_what_is_not_there(self, asked: Asked, tmp_path: Path) -> None:
        asked.open(tmp_path / "gone.json")
        asked.open(tmp_path)

        assert asked.problems == [
            "“gone.json” is not a file that can be opened.",
            f"“{tmp_path.name}” is not a file that can be opened.",
        ]

    def test_a_very_long_name_is_cut(self, asked: Asked, tmp_path: Path) -> None:
        asked.open(tmp_path / ("x" * 240 + ".json"))

        assert asked.problems == [f"“{'x' * 59}…” is not a file that can be opened."]

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
    def test_a_pipe_is_not_waited_for(self, asked: Asked, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe")
        asked.open(tmp_path / "pipe")

        assert asked.problems == ["“pipe” is not a file that can be opened."]


class TestWriting:
    def test_a_file_is_replaced(self, asked: Asked, tmp_path: Path) -> None:
        path = tmp_path / "a.csv"
        path.write_bytes(b"before")
        asked.write(path, lambda: b"after")

        assert path.read_bytes() == b"after"
        assert asked.written == [path]
        assert list(tmp_path.iterdir()) == [path]

    def test_the_content_is_made_away_from_the_event_loop(
        self, qtbot: QtBot, tasks: Tasks, tmp_path: Path
    ) -> None:
        asked = Asked(tasks)
        asked.write(tmp_path / "a.csv", lambda: b"x" * 1_000_000)
        assert asked.written == []

        qtbot.waitUntil(lambda: bool(asked.written))
        assert (tmp_path / "a.csv").stat().st_size == 1_000_000

    def test_a_folder_that_is_gone(self, asked: Asked, tmp_path: Path) -> None:
        asked.write(tmp_path / "gone" / "a.csv", lambda: b"x")

        folder = tmp_path / "gone"
        assert asked.problems == [f"“a.csv” could not be saved in “{folder}”: the folder is not there."]
        assert asked.written == []

    @pytest.mark.parametrize(
        ("code", "reason"),
        [
            (errno.ENOSPC, "the disk is full"),
            (errno.EDQUOT, "the disk is full"),
            (errno.EACCES, "it is not allowed there"),
            (errno.EROFS, "the disk can only be read"),
            (errno.EIO, os.strerror(errno.EIO)),
        ],
    )
    def test_what_the_disk_says_is_told_in_plain_words(
        self, asked: Asked, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, reason: str
    ) -> None:
        def refuse(_handle: int) -> None:
            raise OSError(code, os.strerror(code))

        path = tmp_path / "a.csv"
        path.write_bytes(b"before")
        with monkeypatch.context() as full:
            full.setattr(os, "fsync", refuse)
            asked.write(path, lambda: b"after")

        assert asked.problems == [f"“a.csv” could not be saved in “{tmp_path}”: {reason}."]
        assert path.read_bytes() == b"before"
        assert list(tmp_path.iterdir()) == [path]

    @pytest.mark.skipif(os.name == "nt", reason="modes are Unix's")
    def test_the_rights_of_a_file_stay_and_a_new_one_has_the_usual(
        self, asked: Asked, tmp_path: Path
    ) -> None:
        old, new, usual = (tmp_path / name for name in ("old.csv", "new.csv", "usual.csv"))
        old.write_bytes(b"before")
        old.chmod(0o640)
        usual.write_bytes(b"")
        asked.write(old, lambda: b"x")
        asked.write(new, lambda: b"x")

        assert old.stat().st_mode & 0o777 == 0o640
        assert new.stat().st_mode == usual.stat().st_mode

    def test_a_link_stays_one(self, asked: Asked, tmp_path: Path) -> None:
        kept, link = tmp_path / "kept.csv", tmp_path / "link.csv"
        kept.write_bytes(b"before")
        try:
            link.symlink_to(kept)
        except OSError:
            pytest.skip("no links here")
        asked.write(link, lambda: b"after")

        assert link.is_symlink()
        assert kept.read_bytes() == b"after"

    def test_a_file_that_must_not_be_changed_is_not(
        self, asked: Asked, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = tmp_path / "a.csv"
        path.write_bytes(b"before")
        with monkeypatch.context() as refusing:  # whoever runs this
            refusing.setattr(os, "access", lambda *_: False)
            asked.write(path, lambda: b"after")

        assert asked.problems == [f"“a.csv” could not be saved in “{tmp_path}”: it is not allowed there."]
        assert path.read_bytes() == b"before"

    def test_what_is_no_file_is_not_replaced(self, asked: Asked, tmp_path: Path) -> None:
        (tmp_path / "folder.csv").mkdir()
        asked.write(tmp_path / "folder.csv", lambda: b"x")

        assert asked.problems == [
            f"“folder.csv” could not be saved in “{tmp_path}”: something else has this name."
        ]
        assert list(tmp_path.iterdir()) == [tmp_path / "folder.csv"]

    @pytest.mark.skipif(os.name == "nt", reason="limits of size are Unix's")
    def test_where_the_disk_takes_only_a_part_the_old_file_stays(self, asked: Asked, tmp_path: Path) -> None:
        import resource

        path = tmp_path / "a.csv"
        path.write_bytes(b"before")
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
        try:
            asked.write(path, lambda: b"x" * 1_000_000)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

        assert asked.problems == [
            f"“a.csv” could not be saved in “{tmp_path}”: the file is too large for the disk."
        ]
        assert path.read_bytes() == b"before"
        assert list(tmp_path.iterdir()) == [path]

    def test_a_fault_of_the_program_is_not_swallowed(self, asked: Asked, tmp_path: Path) -> None:
        with pytest.raises(ZeroDivisionError):
            asked.write(tmp_path / "a.csv", lambda: b"%d" % (1 // 0))

        assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("Qwen2.5 Coder 1.5B", "slipstream-2026-11-30-qwen2.5-coder-1.5b.csv"),
        ("../../etc/passwd\0", "slipstream-2026-11-30-etc-passwd.csv"),
        ('a<b>:"|?*\\c.', "slipstream-2026-11-30-a-b-c.csv"),
        ("Größe é", "slipstream-2026-11-30-groe-e.csv"),
        ("模型", "slipstream-2026-11-30.csv"),
        ("\ud83e", "slipstream-2026-11-30.csv"),
        ("x" * 500, f"slipstream-2026-11-30-{'x' * 60}.csv"),
    ],
)
def test_names_that_every_system_takes(model: str, name: str) -> None:
    assert suggested_name(date(2026, 11, 30), model, ".csv") == name


def test_a_name_without_a_day() -> None:
    assert suggested_name(None, "Coder", ".png") == "slipstream-coder.png"
