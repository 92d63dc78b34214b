"""Headers that are remembered: by path, size and time, on disk, refusals included."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

import app.models.header_index as header_index
from app.core.errors import FileProblem, ModelFileError
from app.models.header_index import HeaderIndex
from app.models.info import ModelInfo, read_info
from tests.fakes.tiny_gguf import llama_model, truncate_file, write_llama, write_projector, write_split


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The files whose headers were read."""
    seen: list[Path] = []

    def counted(path: Path) -> ModelInfo:
        seen.append(path)
        return read_info(path)

    monkeypatch.setattr(header_index, "read_info", counted)
    return seen


def refusal(index: HeaderIndex, path: Path) -> ModelFileError:
    with pytest.raises(ModelFileError) as caught:
        index.read(path)
    return caught.value


class TestReading:
    def test_it_tells_what_the_header_says(self, tmp_path: Path) -> None:
        path = write_llama(tmp_path / "m.gguf")
        assert HeaderIndex(None).read(path) == read_info(path)

    def test_paths_are_absolute(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        path = write_llama(tmp_path / "m.gguf")
        monkeypatch.chdir(tmp_path)
        assert HeaderIndex(None).read(Path("m.gguf")).path == path

    def test_a_file_is_read_once(self, tmp_path: Path, reads: list[Path]) -> None:
        path = write_llama(tmp_path / "m.gguf")
        index = HeaderIndex(None)
        assert index.read(path) is index.read(path)
        assert reads == [path]

    def test_any_part_stands_for_its_set(self, tmp_path: Path, reads: list[Path]) -> None:
        parts = write_split(tmp_path, "m", llama_model(), 3)
        index = HeaderIndex(None)
        assert [index.read(part).path for part in parts] == [parts[0]] * 3
        assert len(reads) == 1

    @pytest.mark.parametrize("part", [0, 2])
    def test_a_change_of_any_part_is_noticed(self, part: int, tmp_path: Path, reads: list[Path]) -> None:
        parts = write_split(tmp_path, "m", llama_model(), 3)
        index = HeaderIndex(None)
        index.read(parts[0])
        os.utime(parts[part], ns=(1, 1))
        index.read(parts[0])
        assert len(reads) == 2

    def test_a_refusal_is_remembered_until_the_file_changes(self, tmp_path: Path, reads: list[Path]) -> None:
        path = truncate_file(write_llama(tmp_path / "m.gguf"), 0.5)
        index = HeaderIndex(None)
        first, second = refusal(index, path), refusal(index, path)
        assert first.problem is second.problem is FileProblem.TRUNCATED
        assert str(first) == str(second)
        assert second.path == path
        assert len(reads) == 1
        write_llama(path)
        assert index.read(path).architecture == "llama"

    def test_what_may_change_without_the_file_is_not_remembered(self, tmp_path: Path) -> None:
        parts = write_split(tmp_path, "m", llama_model(), 2)
        aside = parts[1].rename(tmp_path / "aside")
        index = HeaderIndex(None)
        assert refusal(index, parts[0]).problem is FileProblem.INCOMPLETE_SET
        aside.rename(parts[1])
        assert index.read(parts[0]).parts == parts

    def test_a_missing_file(self, tmp_path: Path) -> None:
        assert refusal(HeaderIndex(None), tmp_path / "m.gguf").problem is FileProblem.MISSING
        assert refusal(HeaderIndex(None), Path("m\0.gguf")).problem is FileProblem.MISSING


class TestOnDisk:
    def fill(self, stored: Path, *paths: Path) -> None:
        index = HeaderIndex(stored)
        for path in paths:
            index.read(path)
        index.save()

    def test_it_outlives_the_program(self, tmp_path: Path, reads: list[Path]) -> None:
        path, stored = write_llama(tmp_path / "m.gguf"), tmp_path / "new" / "index"
        self.fill(stored, path)
        reads.clear()
        assert HeaderIndex(stored).read(path) == read_info(path)
        assert reads == []
        assert [entry.name for entry in stored.parent.iterdir()] == ["index"]

    def test_so_do_refusals(self, tmp_path: Path, reads: list[Path]) -> None:
        path, stored = write_projector(tmp_path / "mmproj.gguf"), tmp_path / "index"
        index = HeaderIndex(stored)
        before = refusal(index, path)
        index.save()
        reads.clear()
        after = refusal(HeaderIndex(stored), path)
        assert (after.path, after.problem, str(after)) == (path, FileProblem.PROJECTOR, str(before))
        assert reads == []

    def test_nothing_new_is_not_written_again(self, tmp_path: Path) -> None:
        path, stored = write_llama(tmp_path / "m.gguf"), tmp_path / "index"
        self.fill(stored, path)
        stored.unlink()
        index = HeaderIndex(None)
        index.read(path)
        again = HeaderIndex(stored)
        again.save()
        assert not stored.exists()

    @pytest.mark.parametrize(
        "damage",
        [
            lambda data: b"",
            lambda data: data[:-1],
            lambda data: (
                data[: len(data) // 2] + bytes((data[len(data) // 2] ^ 1,)) + data[len(data) // 2 + 1 :]
            ),
            lambda data: b"{}",
            lambda data: data.replace(b"header 1 ", b"header 0 "),
        ],
        ids=["empty", "cut", "changed", "other", "version"],
    )
    def test_a_damaged_index_is_an_empty_one(
        self,
        damage: Callable[[bytes], bytes],
        tmp_path: Path,
        reads: list[Path],
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        path, stored = write_llama(tmp_path / "m.gguf"), tmp_path / "index"
        self.fill(stored, path)
        stored.write_bytes(damage(stored.read_bytes()))
        reads.clear()
        self.fill(stored, path)
        assert reads == [path]
        assert "header cache" in caplog.text
        HeaderIndex(stored).read(path)
        assert reads == [path]

    def test_a_disk_that_cannot_be_written_is_only_logged(
        self, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        path = write_llama(tmp_path / "m.gguf")
        self.fill(path / "index", path)
        assert "could not be saved" in caplog.text

    def test_a_name_that_is_no_text(self, tmp_path: Path, reads: list[Path]) -> None:
        path = tmp_path / os.fsdecode(b"m\xff.gguf")
        try:
            write_llama(tmp_path / "m.gguf").rename(path)
        except OSError:
            pytest.skip("this file system takes no such names")
        stored = tmp_path / "index"
        self.fill(stored, path)
        reads.clear()
        assert HeaderIndex(stored).read(path).path == path
        assert reads == []

    def test_an_enormous_header_is_not_kept(self, tmp_path: Path, reads: list[Path]) -> None:
        path = write_llama(tmp_path / "m.gguf", chat_template="x" * 300_000)
        stored = tmp_path / "index"
        self.fill(stored, path)
        assert stored.stat().st_size < 10_000
        reads.clear()
        HeaderIndex(stored).read(path)
        assert reads == [path]
