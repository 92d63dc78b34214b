"""Headers from the hub: as much as is needed, once, and not for ever."""

import os
import threading
from pathlib import Path

import pytest

from app.core.errors import FileProblem, ModelFileError
from app.models import header_store
from app.models.download_places import is_reserved
from app.models.gguf import read_header
from app.models.header_store import HeaderStore
from app.models.hub import RemoteFile, RemoteModel
from app.models.info import read_info
from tests.fakes.tiny_gguf import llama_model, write_llama, write_split


class Source:
    """Files to fetch from, and what was fetched."""

    def __init__(self, *files: Path) -> None:
        self._data = {file.name: file.read_bytes() for file in files}
        self.asked: list[tuple[str, int, int]] = []

    def row(self, sha256: str | None = None) -> RemoteModel:
        files = [RemoteFile(f"folder/{name}", len(data), sha256) for name, data in self._data.items()]
        return RemoteModel(tuple(files), "")

    def fetch(self, file: RemoteFile, start: int, stop: int) -> bytes:
        self.asked.append((file.name, start, stop))
        return self._data[file.name][start:stop]


@pytest.fixture
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a tiny header comes in several."""
    monkeypatch.setattr(header_store, "FIRST_PIECE", 1000)


def test_a_header_is_fetched_in_growing_pieces_and_no_further(small_pieces: None, tmp_path: Path) -> None:
    model = write_llama(tmp_path / "m.gguf")
    source = Source(model)
    copy = HeaderStore(tmp_path / "kept").path_of("a/b", "c", source.row(), source.fetch)

    assert source.asked[:3] == [("m.gguf", 0, 1000), ("m.gguf", 1000, 2000), ("m.gguf", 2000, 4000)]
    assert read_header(copy).tensors == read_header(model).tensors
    assert source.asked[-1][2] < 2 * read_header(model).data_offset
    assert copy.stat().st_size < read_header(model).data_offset + 100


def test_it_is_fetched_once(tmp_path: Path) -> None:
    source = Source(write_llama(tmp_path / "m.gguf"))
    store = HeaderStore(tmp_path / "kept")
    first = store.path_of("a/b", "c", source.row(), source.fetch)

    assert store.path_of("a/b", "c", source.row(), source.fetch) == first
    assert HeaderStore(tmp_path / "kept").path_of("a/b", "c", source.row(), source.fetch) == first
    assert len(source.asked) == 1


def test_the_same_file_of_two_repositories_is_one(tmp_path: Path) -> None:
    source = Source(write_llama(tmp_path / "m.gguf"))
    store = HeaderStore(tmp_path / "kept")
    known, unknown = source.row("ab" * 32), source.row()

    assert store.path_of("a/b", "c", known, source.fetch) == store.path_of("x/y", "z", known, source.fetch)
    assert store.path_of("a/b", "c", unknown, source.fetch) != store.path_of(
        "x/y", "z", unknown, source.fetch
    )


def test_all_parts_of_a_set_lie_together(tmp_path: Path) -> None:
    parts = write_split(tmp_path, "set", llama_model(), 3)
    source = Source(*parts)
    copy = HeaderStore(tmp_path / "kept").path_of("a/b", "c", source.row(), source.fetch)

    assert [part.name for part in read_info(copy).parts] == [part.name for part in parts]
    assert read_info(copy).total_bytes == sum(part.stat().st_size for part in parts)


@pytest.mark.parametrize(
    "name",
    [
        "con.gguf",
        "con .gguf",
        "com¹.gguf",
        "LPT0.gguf",
        "a:b\\c|d.gguf",
        "..gguf",
        "ü モデル\u3000x.gguf",
        "\n\x00.gguf",
        "🦙" * 300 + "-Q4_K_M.gguf",
    ],
)
def test_a_strange_name_does_no_harm(name: str, tmp_path: Path) -> None:
    data = write_llama(tmp_path / "m.gguf").read_bytes()
    row = RemoteModel((RemoteFile(f"x/{name}", len(data), None),), "")
    copy = HeaderStore(tmp_path / "kept").path_of("a/b", "c", row, lambda file, start, stop: data[start:stop])

    assert copy.parent.parent == tmp_path / "kept"
    assert copy.name.endswith("gguf")
    assert not set(copy.name) & set("\\:|\n\0")
    assert not is_reserved(copy.name)
    assert read_header(copy).file_bytes == len(data)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"<html>not a model</html>" * 100, FileProblem.NOT_GGUF),
        (b"GG", FileProblem.TRUNCATED),
        (b"GGUF\x01\x00\x00\x00" + bytes(100), FileProblem.VERSION),
        (b"GGUF\x03\x00\x00\x00" + b"\xff" * 100, FileProblem.DAMAGED),
    ],
)
def test_what_is_no_model_is_refused_and_not_kept(data: bytes, problem: FileProblem, tmp_path: Path) -> None:
    row = RemoteModel((RemoteFile("m.gguf", len(data), None),), "")
    with pytest.raises(ModelFileError) as refused:
        HeaderStore(tmp_path / "kept").path_of("a/b", "c", row, lambda file, start, stop: data[start:stop])

    assert refused.value.problem is problem
    assert list((tmp_path / "kept").iterdir()) == []


def test_a_header_without_end_ends(
    small_pieces: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that claims millions of keys and delivers them."""
    monkeypatch.setattr(header_store, "LONGEST_HEADER", 50_000)
    start = b"GGUF\x03\x00\x00\x00" + bytes(8) + (60_000).to_bytes(8, "little")
    asked: list[int] = []

    def fetch(file: RemoteFile, begin: int, stop: int) -> bytes:
        asked.append(stop)
        keys = b"".join(
            (8).to_bytes(8, "little") + f"{number:08d}".encode() + bytes(4) + b"\0" for number in range(3000)
        )
        return (start + keys)[begin:stop]

    row = RemoteModel((RemoteFile("m.gguf", 10**12, None),), "")
    with pytest.raises(ModelFileError, match="absurdly long header"):
        HeaderStore(tmp_path / "kept").path_of("a/b", "c", row, fetch)
    assert max(asked) == 50_000


def test_nothing_half_done_is_kept(tmp_path: Path) -> None:
    source = Source(*write_split(tmp_path, "set", llama_model(), 3))

    def fetch(file: RemoteFile, start: int, stop: int) -> bytes:
        if file.name.startswith("set-00003"):
            raise OSError("the line broke")
        return source.fetch(file, start, stop)

    store = HeaderStore(tmp_path / "kept")
    with pytest.raises(OSError, match="the line broke"):
        store.path_of("a/b", "c", source.row(), fetch)
    assert list((tmp_path / "kept").iterdir()) == []
    assert store.path_of("a/b", "c", source.row(), source.fetch).is_file()


def test_what_was_lost_is_fetched_again(tmp_path: Path) -> None:
    source = Source(*write_split(tmp_path, "set", llama_model(), 3))
    store = HeaderStore(tmp_path / "kept")
    copy = store.path_of("a/b", "c", source.row(), source.fetch)
    copy.with_name(copy.name.replace("00001-of", "00002-of")).unlink()

    assert len(read_info(store.path_of("a/b", "c", source.row(), source.fetch)).parts) == 3


def test_those_not_used_for_longest_go_first(tmp_path: Path) -> None:
    model = write_llama(tmp_path / "m.gguf")
    source = Source(model)
    store = HeaderStore(tmp_path / "kept", most_bytes=3 * (read_header(model).data_offset + 100))
    old_remains = tmp_path / "kept" / "x.new"
    copies = []
    for number in range(3):
        copies.append(store.path_of("a/b", str(number), source.row(), source.fetch))
        os.utime(copies[-1].parent, (number, number))
    old_remains.mkdir()
    os.utime(old_remains, (0, 0))
    store.path_of("a/b", "0", source.row(), source.fetch)
    newest = store.path_of("a/b", "3", source.row(), source.fetch)

    assert {path.name for path in (tmp_path / "kept").iterdir()} == {
        copy.parent.name for copy in (copies[0], copies[2], newest)
    }


def test_one_that_somebody_was_given_just_now_stays(tmp_path: Path) -> None:
    """They have yet to read it."""
    source = Source(write_llama(tmp_path / "m.gguf"))
    store = HeaderStore(tmp_path / "kept", most_bytes=1)
    first = store.path_of("a/b", "1", source.row(), source.fetch)
    os.utime(first.parent, (0, 0))
    assert store.path_of("a/b", "1", source.row(), source.fetch) == first
    second = store.path_of("a/b", "2", source.row(), source.fetch)
    assert first.is_file()

    os.utime(first.parent, (0, 0))
    store.path_of("a/b", "3", source.row(), source.fetch)
    assert (first.exists(), second.is_file()) == (False, True)


def test_one_that_is_wanted_twice_at_once_is_fetched_once(tmp_path: Path) -> None:
    source = Source(write_llama(tmp_path / "m.gguf"))
    store = HeaderStore(tmp_path / "kept")
    begun, found = threading.Event(), []

    def fetch(file: RemoteFile, start: int, stop: int) -> bytes:
        begun.set()
        return source.fetch(file, start, stop)

    def ask() -> None:
        found.append(store.path_of("a/b", "c", source.row(), fetch))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert begun.is_set()
    assert len(set(found)) == 1 and len(found) == 4
    assert len(source.asked) == 1
