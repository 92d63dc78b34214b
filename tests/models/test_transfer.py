"""A file comes from the hub whole, is checked, and is gone on with where it stopped."""

import threading
from pathlib import Path

import pytest

from app.models.hub_problems import HubError, HubProblem
from app.models.part_file import notes_path, read_notes
from app.models.publishing import held_bytes, publish
from app.models.transfer_events import TransferStopped
from tests.fakes.hub_content import GeneratedContent
from tests.fakes.hub_faults import Fault
from tests.fakes.hub_server import TOKEN, HubServer
from tests.fakes.transfers import BLOCK, PATH, Wanted

SMALL = 1_000_000  # bytes; one connection
LARGE = 33_000_000  # several


@pytest.fixture
def small(hub: HubServer, tmp_path: Path) -> Wanted:
    return Wanted(hub, GeneratedContent(SMALL), tmp_path / "models")


@pytest.fixture
def large(hub: HubServer, tmp_path: Path) -> Wanted:
    return Wanted(hub, GeneratedContent(LARGE), tmp_path / "models")


def interrupt(wanted: Wanted, after: int = 300_000) -> int:
    """Stops a transfer midway; gives what is held."""
    wanted.hub.faults.set(wanted.file.path, Fault(stall_after=after))
    running = wanted.start()
    wanted.events.wait_for(lambda: wanted.events.counts[-1:] == [after])
    running.stop()
    with pytest.raises(TransferStopped):
        running.end()
    wanted.hub.faults.clear()
    wanted.hub.requests.clear()
    return held_bytes(wanted.destination)


class TestWhole:
    def test_a_small_file_comes_over_one_connection(self, small: Wanted) -> None:
        small.run()
        assert small.is_whole()
        assert len(small.hub.requests.contents(PATH)) == 1
        assert small.events.counts[0] == 0
        assert small.events.counts[-1] == SMALL
        assert small.events.counts == sorted(small.events.counts)
        assert small.events.steps == ["transferring", "verifying"]

    def test_a_large_one_over_several_and_no_byte_comes_twice(self, large: Wanted) -> None:
        large.hub.faults.set(PATH, Fault(stall_after=BLOCK))
        running = large.start(block_bytes=4 << 20)
        large.hub.requests.wait_for(lambda: len(large.hub.requests.contents(PATH)) == 4)
        large.hub.faults.clear()
        running.end()
        assert large.is_whole()
        assert large.hub.requests.sent_again(PATH) == 0

    def test_it_has_no_name_before_it_is_published(self, small: Wanted) -> None:
        small.run()
        assert not small.destination.exists()
        publish([(small.destination, small.file)])
        assert [path.name for path in small.destination.parent.iterdir()] == [PATH]
        assert small.destination.read_bytes() == small.content.read(0, SMALL)

    def test_the_token_never_reaches_the_storage(
        self, large: Wanted, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("HF_TOKEN", TOKEN)
        large.run(block_bytes=4 << 20)
        assert all(request.authorised for request in large.hub.requests.all() if request.server == "hub")
        assert large.hub.requests.tokens_at_content() == ()
        assert TOKEN not in notes_path(large.destination).read_text()

    def test_a_file_that_is_not_in_large_file_storage(self, hub: HubServer, tmp_path: Path) -> None:
        wanted = Wanted(hub, b'{"a": 1}', tmp_path, path="sub/config.json")
        wanted.run()
        assert wanted.is_whole()

    def test_an_empty_file(self, hub: HubServer, tmp_path: Path) -> None:
        wanted = Wanted(hub, b"", tmp_path, path="empty.txt")
        wanted.run()
        assert wanted.is_whole()

    def test_names_and_folders_with_unusual_signs(self, hub: HubServer, tmp_path: Path) -> None:
        folder = tmp_path / "モデル　é 模型 - test"
        wanted = Wanted(hub, GeneratedContent(SMALL), folder, path="sub dir/é 模型 #1?.gguf")
        wanted.run()
        assert wanted.is_whole()

    def test_a_repository_that_got_another_name(self, small: Wanted) -> None:
        small.hub.rename(small.repo, "publisher/other-GGUF")
        small.run()
        assert small.is_whole()

    def test_no_thread_stays(self, large: Wanted) -> None:
        before = set(threading.enumerate())
        large.run(block_bytes=4 << 20)
        left = [thread for thread in set(threading.enumerate()) - before if thread.name == "transfer"]
        assert left == []


class TestNothingToDo:
    def test_a_part_that_was_verified_is_not_looked_at_again(self, small: Wanted) -> None:
        small.run()
        small.hub.stop()
        small.run()
        assert small.events.counts[-1] == SMALL

    def test_a_part_that_is_whole_is_verified_without_the_hub(self, small: Wanted) -> None:
        small.run()
        notes = notes_path(small.destination)
        *lines, mark = notes.read_text().splitlines(keepends=True)
        assert "verified" in mark
        notes.write_text("".join(lines))
        small.hub.stop()
        small.run()
        assert small.events.steps[-1] == "verifying"
        publish([(small.destination, small.file)])

    def test_the_same_file_in_its_place(self, small: Wanted) -> None:
        small.destination.parent.mkdir()
        small.destination.write_bytes(small.content.read(0, SMALL))
        notes_path(small.destination).touch()  # of a run that was killed after the rename
        small.run()
        assert small.events.counts == [SMALL]
        assert small.hub.requests.all() == ()
        assert list(small.destination.parent.iterdir()) == [small.destination]

    @pytest.mark.parametrize("size", [SMALL - 1, SMALL])
    def test_another_file_in_its_place(self, small: Wanted, size: int) -> None:
        small.destination.parent.mkdir()
        small.destination.write_bytes(bytes(size))
        with pytest.raises(HubError) as raised:
            small.run()
        assert raised.value.problem is HubProblem.NAME_CLASH
        assert PATH in str(raised.value)
        assert small.hub.requests.all() == ()
        assert small.destination.read_bytes() == bytes(size)

    def test_a_folder_in_its_place(self, small: Wanted) -> None:
        small.destination.mkdir(parents=True)
        with pytest.raises(HubError) as raised:
            small.run()
        assert raised.value.problem is HubProblem.NAME_CLASH


class TestGoingOn:
    def test_only_what_is_missing_is_fetched(self, small: Wanted) -> None:
        held = interrupt(small)
        assert held == 300_000
        small.run()
        assert small.is_whole()
        assert small.hub.requests.sent(PATH) == SMALL - held
        assert small.hub.requests.contents(PATH)[0].range == f"bytes=300000-{SMALL - 1}"

    def test_the_condition_is_the_storages_own_etag(self, small: Wanted) -> None:
        interrupt(small)
        small.run()
        (request,) = small.hub.requests.contents(PATH)
        notes = read_notes(small.destination)
        assert notes is not None
        assert request.if_range is not None
        assert request.if_range == notes.head.etag
        assert small.content.sha256 not in request.if_range

    def test_several_connections_go_on_where_each_one_stopped(self, large: Wanted) -> None:
        large.hub.faults.set(PATH, Fault(stall_after=600_000))
        running = large.start(block_bytes=4 << 20)
        large.events.wait_for(lambda: large.events.counts[-1:] == [4 * 600_000])
        running.stop()
        with pytest.raises(TransferStopped):
            running.end()
        large.hub.faults.clear()
        large.hub.requests.clear()
        large.run(block_bytes=4 << 20)
        assert large.is_whole()
        assert large.hub.requests.sent(PATH) == LARGE - 4 * 600_000
        assert large.hub.requests.sent_again(PATH) == 0

    def test_the_same_bytes_at_a_newer_commit(self, small: Wanted) -> None:
        held = interrupt(small)
        small.commit = small.hub.change(small.repo, {"README.md": "# News"})
        small.run()
        assert small.is_whole()
        assert small.hub.requests.sent(PATH) == SMALL - held

    def test_bytes_that_a_power_cut_took_are_fetched_again(self, small: Wanted) -> None:
        interrupt(small)
        with small.part.open("r+b") as part:
            part.seek(2 * BLOCK + 5)
            part.write(bytes(1000))
        small.run()
        assert small.is_whole()
        assert (2 * BLOCK, 3 * BLOCK) in small.hub.requests.sent_ranges(PATH)
        assert small.hub.requests.sent(PATH) == SMALL - 300_000 + BLOCK

    def test_a_part_that_became_shorter(self, small: Wanted) -> None:
        interrupt(small)
        with small.part.open("r+b") as part:
            part.truncate(2 * BLOCK + 5)
        small.run()
        assert small.is_whole()
        assert small.hub.requests.sent(PATH) == SMALL - 2 * BLOCK

    @pytest.mark.parametrize("notes", ["", "{}", "\0" * 100])
    def test_notes_that_cannot_be_read_start_it_over(self, small: Wanted, notes: str) -> None:
        interrupt(small)
        notes_path(small.destination).write_text(notes)
        small.run()
        assert small.is_whole()
        assert small.hub.requests.sent(PATH) == SMALL

    def test_another_etag_at_the_storage_starts_it_over(self, small: Wanted) -> None:
        interrupt(small)
        notes = notes_path(small.destination)
        known = read_notes(small.destination)
        assert known is not None
        assert known.head.etag is not None
        notes.write_text(notes.read_text().replace(known.head.etag.strip('"'), "another"))
        small.run()
        assert small.is_whole()
        assert small.events.counts.count(0) == 2  # at the beginning, and then
        assert small.events.retries == []


class TestStop:
    @pytest.mark.parametrize(
        "fault", [Fault(silent=True), Fault(stall_after=0), Fault(stall_after=200_000), Fault(stop_short=1)]
    )
    def test_while_the_server_says_nothing(self, small: Wanted, fault: Fault) -> None:
        small.hub.faults.set(PATH, fault)
        before = set(threading.enumerate())
        running = small.start()
        small.hub.requests.wait_for(lambda: any(r.server == "content" for r in small.hub.requests.all()))
        running.stop()
        with pytest.raises(TransferStopped):
            running.end()
        left = [thread for thread in set(threading.enumerate()) - before if thread.name == "transfer"]
        assert left == []

    def test_while_it_waits_for_the_next_try(self, small: Wanted) -> None:
        small.hub.faults.limit_rate(3000)
        running = small.start(wait=None)
        small.events.wait_for(lambda: bool(small.events.retries))
        running.stop()
        with pytest.raises(TransferStopped):
            running.end()

    def test_before_it_begins(self, small: Wanted) -> None:
        transfer = small.transfer()
        transfer.stop()
        with pytest.raises(TransferStopped):
            transfer.run()
        assert not small.destination.parent.exists()

    def test_after_the_end(self, small: Wanted) -> None:
        transfer = small.transfer()
        transfer.run()
        transfer.stop()
        assert small.is_whole()
