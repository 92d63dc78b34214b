"""The unfinished file and what is noted beside it: whatever is found there, a run can begin."""

import json
import os
from pathlib import Path

import pytest
from msgspec import structs

from app.models.hub_problems import HubError, HubProblem
from app.models.part_file import Claim, PartFile, PartHead, notes_path, part_path, read_notes

SIZE = 100
HEAD = PartHead("publisher/name", "sub/m.gguf", "c0ffee", "https://hub/m", SIZE, "ab" * 32)


@pytest.fixture
def destination(tmp_path: Path) -> Path:
    return tmp_path / "m.gguf"


def write(part: PartFile, start: int, data: bytes) -> None:
    with part.writer() as file:
        file.seek(start)
        file.write(data)
    part.record(Claim(start, len(data), 1))


def begun(destination: Path, head: PartHead = HEAD) -> None:
    with PartFile(destination, head) as part:
        part.keep_etags(hub="word", storage='"etag"')
        write(part, 50, b"x" * 20)
        write(part, 0, b"x" * 10)


def claims_of(destination: Path, head: PartHead = HEAD) -> list[tuple[int, int]]:
    with PartFile(destination, head) as part:
        return [(claim.start, claim.stop) for claim in part.claims]


class TestGoingOn:
    def test_what_was_recorded_is_found_in_order(self, destination: Path) -> None:
        begun(destination)
        with PartFile(destination, HEAD) as part:
            assert part.claims == (Claim(0, 10, 1), Claim(50, 20, 1))
            assert (part.head.hub_etag, part.head.etag) == ("word", '"etag"')
        assert part_path(destination).stat().st_size == 70

    def test_the_notes_are_text_with_one_range_a_line(self, destination: Path) -> None:
        begun(destination)
        first, *lines = notes_path(destination).read_text().splitlines()
        assert json.loads(first)["repo"] == "publisher/name"
        assert [json.loads(line) for line in lines] == [[50, 20, 1], [0, 10, 1]]

    def test_the_same_bytes_at_another_commit_are_gone_on_with(self, destination: Path) -> None:
        begun(destination)
        assert claims_of(destination, structs.replace(HEAD, commit="beef", repo="other/name"))

    def test_without_a_digest_another_commit_is_another_file(self, destination: Path) -> None:
        small = structs.replace(HEAD, sha256=None)
        begun(destination, small)
        assert claims_of(destination, small)
        assert not claims_of(destination, structs.replace(small, commit="beef"))

    @pytest.mark.parametrize("torn", ["[10,", "[10,5,", "[10,5]", "{", "\0\0\0\0", '["a",5,1]', "[10,5,1"])
    def test_a_line_that_was_not_finished_is_passed_over(self, destination: Path, torn: str) -> None:
        begun(destination)
        with notes_path(destination).open("a") as notes:
            notes.write(torn)
        assert claims_of(destination) == [(0, 10), (50, 70)]

    def test_ranges_that_cannot_be_are_passed_over(self, destination: Path) -> None:
        begun(destination)
        with notes_path(destination).open("a") as notes:
            notes.write("[-1,5,1]\n[20,0,1]\n[20,-3,1]\n[65,10,1]\n[90,20,1]\n")  # the file ends at 70
        assert claims_of(destination) == [(0, 10), (50, 70)]

    def test_a_later_range_replaces_an_earlier_one(self, destination: Path) -> None:
        begun(destination)
        with notes_path(destination).open("a") as notes:
            notes.write("[55,2,9]\n")
        with PartFile(destination, HEAD) as part:
            assert part.claims == (Claim(0, 10, 1), Claim(55, 2, 9))

    def test_opening_leaves_notes_without_dross(self, destination: Path) -> None:
        begun(destination)
        with notes_path(destination).open("a") as notes:
            notes.write("[[[\n")
        claims_of(destination)
        assert len(notes_path(destination).read_text().splitlines()) == 3
        names = {path.name for path in destination.parent.iterdir()}
        assert names == {"m.gguf.part", "m.gguf.part.json"}


class TestStartingOver:
    @pytest.mark.parametrize("notes", [b"", b"\xff\xfe", b"[]", b"{}", b"hello\n", b'{"version":1}\n[0,9,1]'])
    def test_with_notes_that_cannot_be_read(self, destination: Path, notes: bytes) -> None:
        begun(destination)
        notes_path(destination).write_bytes(notes)
        with PartFile(destination, HEAD) as part:
            assert (part.claims, part.path.stat().st_size) == ((), 0)

    def test_with_notes_of_another_version(self, destination: Path) -> None:
        begun(destination)
        notes = notes_path(destination)
        notes.write_text(notes.read_text().replace('"version":1', '"version":2'))
        assert claims_of(destination) == []

    @pytest.mark.parametrize("other", [{"size": 99}, {"sha256": "cd" * 32}, {"sha256": None}])
    def test_with_notes_of_another_version_of_the_file(
        self, destination: Path, other: dict[str, int | str | None]
    ) -> None:
        begun(destination)
        with PartFile(destination, structs.replace(HEAD, **other)) as part:
            assert (part.claims, part.head.etag) == ((), None)

    def test_without_notes(self, destination: Path) -> None:
        begun(destination)
        notes_path(destination).unlink()
        assert claims_of(destination) == []

    def test_without_the_part(self, destination: Path) -> None:
        begun(destination)
        part_path(destination).unlink()
        assert claims_of(destination) == []

    def test_on_purpose(self, destination: Path) -> None:
        begun(destination)
        with PartFile(destination, HEAD) as part:
            part.start_over()
            assert (part.claims, part.head.etag, part.path.stat().st_size) == ((), None, 0)
            write(part, 0, b"y" * 5)
        assert claims_of(destination) == [(0, 5)]


class TestAnotherFile:
    """What has come of a file of another name is never thrown away without a word."""

    @pytest.mark.parametrize("other", [{"repo": "other/name"}, {"path": "m.gguf"}])
    def test_it_stays_and_is_named(self, destination: Path, other: dict[str, str]) -> None:
        begun(destination)
        with pytest.raises(HubError) as raised:
            PartFile(destination, structs.replace(HEAD, sha256="cd" * 32, **other))
        assert raised.value.problem is HubProblem.NAME_CLASH
        assert "sub/m.gguf of publisher/name" in str(raised.value)
        assert str(part_path(destination)) in str(raised.value)
        assert claims_of(destination) == [(0, 10), (50, 70)]

    def test_one_that_was_verified_stays_too(self, destination: Path) -> None:
        begun(destination)
        with PartFile(destination, HEAD) as part:
            part.mark_verified()
        with pytest.raises(HubError):
            PartFile(destination, structs.replace(HEAD, repo="other/name", sha256="cd" * 32))
        with PartFile(destination, HEAD) as part:
            assert part.is_verified

    def test_where_nothing_had_come_there_is_nothing_to_keep(self, destination: Path) -> None:
        begun(destination)
        part_path(destination).write_bytes(b"")
        assert claims_of(destination, structs.replace(HEAD, repo="other/name", sha256="cd" * 32)) == []


class TestNothingCame:
    def test_nothing_is_left(self, destination: Path) -> None:
        with PartFile(destination, HEAD) as part:
            part.keep_etags(hub="word", storage='"etag"')
        assert list(destination.parent.iterdir()) == []

    def test_nor_where_all_was_thrown_away(self, destination: Path) -> None:
        begun(destination)
        with PartFile(destination, HEAD) as part:
            part.start_over()
        assert list(destination.parent.iterdir()) == []

    def test_an_empty_file_that_is_whole_stays(self, destination: Path) -> None:
        empty = structs.replace(HEAD, size=0)
        with PartFile(destination, empty) as part:
            part.mark_verified()
        with PartFile(destination, empty) as part:
            assert part.is_verified


class TestVerified:
    def test_it_is_known_later(self, destination: Path) -> None:
        begun(destination)
        with PartFile(destination, HEAD) as part:
            part.flush()
            part.mark_verified()
        with PartFile(destination, HEAD) as part:
            assert part.is_verified

    def test_not_when_somebody_touched_it(self, destination: Path) -> None:
        begun(destination)
        with PartFile(destination, HEAD) as part:
            part.mark_verified()
        os.utime(part_path(destination), ns=(1, 1))
        with PartFile(destination, HEAD) as part:
            assert not part.is_verified


class TestInUse:
    def test_two_do_not_write_the_same_part(self, destination: Path) -> None:
        with PartFile(destination, HEAD), pytest.raises(HubError) as raised:
            PartFile(destination, HEAD)
        assert raised.value.problem is HubProblem.IN_USE
        assert "m.gguf is being downloaded" in str(raised.value)

    def test_the_one_that_comes_too_late_changes_nothing(self, destination: Path) -> None:
        with PartFile(destination, HEAD) as part:
            write(part, 0, b"x" * 10)
            with pytest.raises(HubError):
                PartFile(destination, structs.replace(HEAD, sha256="cd" * 32))
        assert claims_of(destination) == [(0, 10)]

    def test_afterwards_it_is_free(self, destination: Path) -> None:
        begun(destination)
        begun(destination)

    def test_what_is_recorded_after_the_end_is_lost(self, destination: Path) -> None:
        with PartFile(destination, HEAD) as part:
            write(part, 0, b"x" * 10)
        part.record(Claim(10, 5, 1))
        notes = read_notes(destination)
        assert notes is not None
        assert len(notes.claims) == 1
