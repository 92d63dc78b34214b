"""The list of unfinished downloads on disk."""

import os
from pathlib import Path

import pytest

from app.models.download_store import DownloadStore
from tests.fakes.scripted_transfer import request_for

A, B = request_for("a.gguf", title="モデル 🦙"), request_for("b-1.gguf", "b-2.gguf")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "downloads.json"


def aside(path: Path) -> Path:
    return path.with_name("downloads.json.bad")


def test_there_are_none_at_first(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert DownloadStore(path).load() == ()
    assert caplog.text == ""


def test_what_is_saved_is_loaded_in_its_order(path: Path) -> None:
    DownloadStore(path).save((B, A))
    assert DownloadStore(path).load() == (B, A)


def test_nothing_but_the_file_is_left(path: Path) -> None:
    DownloadStore(path).save((A,))
    DownloadStore(path).save(())
    assert DownloadStore(path).load() == ()
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.skipif(os.name == "nt", reason="names on Windows are text")
def test_folders_need_not_be_text(path: Path) -> None:
    request = request_for("a.gguf", folder=Path(os.fsdecode(b"/models/\xff\xe9")))
    DownloadStore(path).save((request,))
    assert DownloadStore(path).load() == (request,)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe",
        b"[]",
        b"{}",
        b"[" * 100_000,
        b'{"version": 99, "downloads": [{"x": 1}]}',
        b'{"version": 1, "downloads": 7}',
    ],
)
def test_a_damaged_file_is_an_empty_one(path: Path, caplog: pytest.LogCaptureFixture, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    assert DownloadStore(path).load() == ()
    assert "starts empty" in caplog.text
    DownloadStore(path).save((A,))
    assert DownloadStore(path).load() == (A,)
    assert aside(path).read_bytes() == content


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"size": 1000', '"size": -1'),
        ('"size": 1000', '"size": "large"'),
        ('"files": [', '"files": [], "x": ['),
        ('"folder": "', '"folder": "\\u0000'),
        ('"repo": "publisher/model"', '"repo": null'),
    ],
)
def test_an_entry_without_sense_is_left_out(
    path: Path, caplog: pytest.LogCaptureFixture, old: str, new: str
) -> None:
    DownloadStore(path).save((A, B))
    damaged = path.read_text().replace(old, new, 1)
    path.write_text(damaged)
    assert DownloadStore(path).load() == (B,)
    assert "do not make sense" in caplog.text
    assert aside(path).read_text() == damaged
    caplog.clear()
    assert DownloadStore(path).load() == (B,)
    assert caplog.text == ""


def test_one_that_cannot_even_be_read_is_kept_aside(path: Path) -> None:
    path.mkdir(parents=True)
    assert DownloadStore(path).load() == ()
    assert aside(path).is_dir()
    DownloadStore(path).save((A,))
    assert DownloadStore(path).load() == (A,)


def test_a_disk_that_refuses_is_only_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").touch()
    DownloadStore(tmp_path / "file" / "downloads.json").save((A,))
    assert "could not be saved" in caplog.text


def test_a_crash_while_saving_leaves_the_old_one(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    DownloadStore(path).save((A,))

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    DownloadStore(path).save((B,))
    assert DownloadStore(path).load() == (A,)
    assert list(path.parent.iterdir()) == [path]
