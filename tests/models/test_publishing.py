"""Parts get their names together and only when they were verified; nothing else is ever overwritten."""

import hashlib
from pathlib import Path

import pytest

from app.models import publishing
from app.models.hub import RemoteFile
from app.models.hub_problems import HubError, HubProblem
from app.models.part_file import Claim, PartFile, PartHead, part_path
from app.models.publishing import discard, held_bytes, publish

DATA = b"GGUF and more"

Files = list[tuple[Path, RemoteFile]]


def remote(name: str) -> RemoteFile:
    return RemoteFile(name, len(DATA), hashlib.sha256(DATA).hexdigest())


def put_part(destination: Path, *, verified: bool = True) -> tuple[Path, RemoteFile]:
    file = remote(destination.name)
    with PartFile(destination, PartHead("a/b", file.path, "c", "", file.size, file.sha256)) as part:
        with part.writer() as writer:
            writer.write(DATA)
        part.record(Claim(0, len(DATA), 1))
        if verified:
            part.mark_verified()
    return destination, file


@pytest.fixture
def parts(tmp_path: Path) -> Files:
    return [put_part(tmp_path / f"m-0000{number}-of-00003.gguf") for number in (1, 2, 3)]


def names(parts: Files) -> list[str]:
    return sorted(path.name for path in parts[0][0].parent.iterdir())


def problem(parts: Files) -> HubProblem:
    with pytest.raises(HubError) as raised:
        publish(parts)
    return raised.value.problem


class TestPublish:
    def test_all_get_their_names_and_nothing_else_stays(self, parts: Files) -> None:
        publish(parts)
        assert names(parts) == [destination.name for destination, _ in parts]
        assert all(destination.read_bytes() == DATA for destination, _ in parts)

    def test_twice_is_as_good_as_once(self, parts: Files) -> None:
        publish(parts)
        publish(parts)
        assert len(names(parts)) == 3

    def test_the_first_one_comes_last_and_what_failed_is_tried_again(
        self, parts: Files, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        rename = publishing._rename

        def fail_once(part: Path, destination: Path) -> None:
            if destination == parts[1][0]:
                raise PermissionError(13, "Permission denied")
            rename(part, destination)

        with monkeypatch.context() as patched:
            patched.setattr(publishing, "_rename", fail_once)
            with pytest.raises(HubError) as raised:
                publish(parts)
        assert raised.value.problem is HubProblem.UNWRITABLE
        assert str(parts[1][0].parent) in str(raised.value)
        assert [destination.exists() for destination, _ in parts] == [False, False, True]
        publish(parts)
        assert names(parts) == [destination.name for destination, _ in parts]

    def test_another_file_of_that_name_stays_and_nothing_is_renamed(self, parts: Files) -> None:
        parts[0][0].write_bytes(bytes(len(DATA)))
        assert problem(parts) is HubProblem.NAME_CLASH
        assert parts[0][0].read_bytes() == bytes(len(DATA))
        assert not parts[2][0].exists()

    def test_nor_is_one_overwritten_that_has_come_a_moment_ago(
        self, parts: Files, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def somebody_saves_another(*_: object) -> bool:
            parts[0][0].write_bytes(b"another")
            return True

        monkeypatch.setattr(publishing, "is_verified", somebody_saves_another)
        assert problem(parts[:1]) is HubProblem.NAME_CLASH
        assert parts[0][0].read_bytes() == b"another"
        assert part_path(parts[0][0]).read_bytes() == DATA

    def test_a_disk_without_links(self, parts: Files, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(*_: object) -> None:
            raise PermissionError(1, "Operation not permitted")

        monkeypatch.setattr(Path, "hardlink_to", refuse)
        publish(parts)
        assert names(parts) == [destination.name for destination, _ in parts]

    def test_the_same_file_of_that_name_is_as_good(self, parts: Files) -> None:
        parts[0][0].write_bytes(DATA)
        publish(parts)
        assert len(names(parts)) == 3

    def test_a_part_that_was_not_verified_is_not_published(self, parts: Files) -> None:
        discard(parts[1][0])
        parts[1] = put_part(parts[1][0], verified=False)
        assert problem(parts) is HubProblem.CHECKSUM
        assert not any(destination.exists() for destination, _ in parts)

    def test_nor_is_one_that_was_changed_since(self, parts: Files) -> None:
        with part_path(parts[1][0]).open("ab") as file:
            file.write(b"x")
        assert problem(parts) is HubProblem.CHECKSUM

    def test_nor_is_one_of_another_file(self, parts: Files) -> None:
        destination, file = parts[1]
        parts[1] = destination, RemoteFile(file.path, file.size, "ab" * 32)
        assert problem(parts) is HubProblem.CHECKSUM

    def test_nor_one_that_is_not_there(self, parts: Files) -> None:
        discard(parts[1][0])
        assert problem(parts) is HubProblem.CHECKSUM


class TestDiscard:
    def test_nothing_stays(self, parts: Files) -> None:
        for destination, _ in parts:
            discard(destination)
        assert names(parts) == []

    def test_what_is_not_there_is_gone(self, tmp_path: Path) -> None:
        discard(tmp_path / "m.gguf")

    def test_the_finished_file_stays(self, parts: Files) -> None:
        publish(parts)
        discard(parts[0][0])
        assert parts[0][0].exists()

    def test_what_cannot_be_deleted_is_named(self, tmp_path: Path) -> None:
        part_path(tmp_path / "m.gguf").mkdir()
        with pytest.raises(HubError) as raised:
            discard(tmp_path / "m.gguf")
        assert "m.gguf.part could not be deleted" in str(raised.value)


class TestHeldBytes:
    def test_what_was_recorded(self, parts: Files) -> None:
        assert held_bytes(parts[0][0]) == len(DATA)

    def test_nothing(self, tmp_path: Path) -> None:
        assert held_bytes(tmp_path / "m.gguf") == 0
