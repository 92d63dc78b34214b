"""What goes wrong on the way is met with patience, or named; what came is kept."""

import errno
import io
import os
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from threading import Event
from typing import BinaryIO

import pytest

from app.models.hub_problems import HubError, HubProblem
from app.models.part_file import PartFile
from app.models.publishing import held_bytes
from app.models.transfer_events import TransferStopped
from tests.fakes.hub_content import GeneratedContent
from tests.fakes.hub_faults import Fault
from tests.fakes.hub_server import HubServer
from tests.fakes.transfers import BLOCK, PATH, REPO, Wanted

SIZE = 1_000_000  # bytes
LARGE = 33_000_000
PAUSES = [1, 2, 4, 8, 16]
PATIENCE = 20.0  # seconds; only a broken test waits for so long


@pytest.fixture
def wanted(hub: HubServer, tmp_path: Path) -> Wanted:
    return Wanted(hub, GeneratedContent(SIZE), tmp_path / "models")


@pytest.fixture
def large(hub: HubServer, tmp_path: Path) -> Wanted:
    return Wanted(hub, GeneratedContent(LARGE), tmp_path / "models")


def problem(wanted: Wanted, **options: object) -> HubError:
    with pytest.raises(HubError) as raised:
        wanted.run(**options)
    return raised.value


class TestTheLineDrops:
    @pytest.mark.parametrize("reset", [False, True])
    def test_every_100_kb(self, wanted: Wanted, reset: bool) -> None:
        wanted.hub.faults.set(PATH, Fault(drop_every=100_000, reset=reset))
        wanted.run(block_bytes=4 << 20)
        assert wanted.is_whole()
        if not reset:  # a reset may take bytes with it that were on their way
            assert set(wanted.waits) <= {1, 2, 4}  # the row ends again and again
            assert wanted.hub.requests.sent_again(PATH) == 0

    def test_one_connections_drop_is_nobodys_concern(self, large: Wanted) -> None:
        large.hub.faults.set(PATH, Fault(drop_every=1_000_000, times=1))
        large.run(block_bytes=4 << 20)
        assert large.is_whole()
        assert large.hub.requests.sent_again(PATH) == 0
        assert len(large.waits) == 1

    def test_all_of_them_every_2_mb(self, large: Wanted) -> None:
        large.hub.faults.set(PATH, Fault(drop_every=2_000_000))
        large.run(block_bytes=4 << 20)
        assert large.is_whole()
        assert large.hub.requests.sent_again(PATH) == 0

    def test_no_network_is_said_after_five_tries(self, wanted: Wanted) -> None:
        wanted.hub.stop()
        error = problem(wanted)
        assert error.problem is HubProblem.NO_NETWORK
        assert "Check the internet connection" in str(error)
        assert wanted.waits == PAUSES
        retries = wanted.events.retries
        assert [round(seconds) for _, seconds, _, _ in retries] == PAUSES
        assert [(attempt, attempts) for _, _, attempt, attempts in retries] == [(n, 5) for n in range(1, 6)]

    def test_what_came_before_is_kept(self, wanted: Wanted) -> None:
        wanted.hub.faults.set(PATH, Fault(stall_after=300_000))
        stopped = Event()
        running = wanted.start(wait=lambda _: stopped.wait(PATIENCE))
        wanted.events.wait_for(lambda: wanted.events.counts[-1:] == [300_000])
        wanted.hub.stop()
        stopped.set()
        with pytest.raises(HubError) as raised:
            running.end()
        assert raised.value.problem is HubProblem.NO_NETWORK
        assert held_bytes(wanted.destination) == 300_000
        wanted.hub.faults.clear()
        wanted.hub.requests.clear()
        wanted.hub.start()
        wanted.run()
        assert wanted.is_whole()
        assert wanted.hub.requests.sent(PATH) == SIZE - 300_000

    def test_all_connections_give_up_before_it_is_said(self, large: Wanted) -> None:
        large.hub.faults.set(PATH, Fault(stall_after=500_000))
        stopped = Event()

        def wait(seconds: float) -> None:
            large.waits.append(seconds)
            stopped.wait(PATIENCE)

        running = large.start(block_bytes=4 << 20, wait=wait)
        large.events.wait_for(lambda: large.events.counts[-1:] == [4 * 500_000])
        large.hub.stop()
        stopped.set()
        with pytest.raises(HubError):
            running.end()
        assert held_bytes(large.destination) == 4 * 500_000
        assert sorted(large.waits) == sorted(4 * PAUSES)


class TestTheServerIsSilent:
    @pytest.mark.parametrize("fault", [Fault(silent=True), Fault(stall_after=0), Fault(stop_short=1)])
    def test_it_is_asked_again_and_then_it_is_said(self, wanted: Wanted, fault: Fault) -> None:
        wanted.hub.faults.set(PATH, fault)
        error = problem(wanted, stall_seconds=0.05)
        assert error.problem is HubProblem.STALLED
        assert wanted.waits == PAUSES

    def test_a_silence_that_passes(self, wanted: Wanted) -> None:
        wanted.hub.faults.set(PATH, Fault(stall_after=200_000, times=1))
        wanted.run(stall_seconds=0.3)
        assert wanted.is_whole()
        assert wanted.waits == [1]
        assert wanted.events.retries[0][0].problem is HubProblem.STALLED
        assert wanted.hub.requests.sent_again(PATH) == 0
        assert wanted.events.steps == ["transferring", "retrying", "transferring", "verifying"]


class TestTheServerRefuses:
    @pytest.mark.parametrize("server", ["hub", "content"])
    def test_trouble_that_passes(self, wanted: Wanted, server: str) -> None:
        wanted.hub.faults.refuse(503, times=2, server=server)  # type: ignore[arg-type]
        wanted.run()
        assert wanted.is_whole()
        assert wanted.waits == [1, 2]

    def test_trouble_that_stays(self, wanted: Wanted) -> None:
        wanted.hub.faults.refuse(502)
        assert problem(wanted).problem is HubProblem.SERVER
        assert wanted.waits == PAUSES

    @pytest.mark.parametrize("by_window", [False, True])
    def test_too_many_requests(self, wanted: Wanted, by_window: bool) -> None:
        wanted.hub.faults.limit_rate(7, times=2, by_window=by_window)
        wanted.run()
        assert wanted.is_whole()
        assert wanted.waits == [7, 7]
        error, seconds, attempt, attempts = wanted.events.retries[0]
        assert error.problem is HubProblem.RATE_LIMITED
        assert (round(seconds), attempt, attempts) == (7, 1, 5)

    def test_until_a_date(self, wanted: Wanted) -> None:
        then = datetime.now(UTC) + timedelta(seconds=90)
        headers = {"Retry-After": format_datetime(then, usegmt=True)}
        wanted.hub.faults.refuse(429, times=1, headers=headers)
        wanted.run()
        assert wanted.waits == [pytest.approx(90, abs=30)]

    def test_for_a_day(self, wanted: Wanted) -> None:
        wanted.hub.faults.limit_rate(86_400)
        assert problem(wanted).problem is HubProblem.RATE_LIMITED
        assert wanted.waits == []

    @pytest.mark.parametrize(
        ("status", "expected"),
        [(401, HubProblem.HIDDEN), (403, HubProblem.FORBIDDEN), (404, HubProblem.NOT_FOUND)],
    )
    def test_for_good(self, wanted: Wanted, status: int, expected: HubProblem) -> None:
        wanted.hub.faults.refuse(status)
        assert problem(wanted).problem is expected
        assert wanted.waits == []
        assert list(wanted.destination.parent.iterdir()) == []

    def test_a_licence_that_was_not_accepted(self, hub: HubServer, tmp_path: Path) -> None:
        wanted = Wanted(hub, GeneratedContent(SIZE), tmp_path)
        hub.repositories[REPO].gated = "auto"
        error = problem(wanted)
        assert error.problem is HubProblem.GATED
        assert list(tmp_path.glob("*.gguf*")) == []
        assert error.address == f"{hub.endpoint}/{REPO}"

    def test_links_that_expired_are_made_anew(self, wanted: Wanted) -> None:
        wanted.hub.faults.set(PATH, Fault(drop_every=300_000, times=3))
        running = wanted.start(wait=lambda _: wanted.hub.faults.expire_links())
        running.end()
        assert wanted.is_whole()


class TestNoPartsAreGiven:
    def test_the_whole_comes_in_one_stream(self, large: Wanted) -> None:
        large.hub.faults.set(PATH, Fault(ignore_range=True))
        large.run(block_bytes=4 << 20)
        assert large.is_whole()
        assert len(large.hub.requests.contents(PATH)) == 1
        assert large.events.retries == []

    def test_a_drop_starts_it_over(self, wanted: Wanted) -> None:
        wanted.hub.faults.set(PATH, Fault(ignore_range=True, drop_every=300_000, times=1))
        wanted.run()
        assert wanted.is_whole()
        assert wanted.waits == [1]
        assert 0 in wanted.events.counts[1:]

    def test_but_not_for_ever(self, wanted: Wanted) -> None:
        wanted.hub.faults.set(PATH, Fault(ignore_range=True, drop_every=900_000))
        assert problem(wanted).problem is HubProblem.NO_NETWORK
        assert wanted.waits == PAUSES

    def test_what_an_earlier_run_left_cannot_be_used(self, wanted: Wanted) -> None:
        wanted.hub.faults.set(PATH, Fault(stall_after=300_000))
        running = wanted.start()
        wanted.events.wait_for(lambda: wanted.events.counts[-1:] == [300_000])
        running.stop()
        with pytest.raises(TransferStopped):
            running.end()
        wanted.hub.faults.clear()
        wanted.hub.faults.set(PATH, Fault(ignore_range=True))
        wanted.run()
        assert wanted.is_whole()

    def test_no_such_bytes_starts_it_over_once(self, wanted: Wanted) -> None:
        wanted.hub.faults.refuse(416, times=1, server="content")
        wanted.run()
        assert wanted.is_whole()

    def test_but_again_and_again_is_said(self, wanted: Wanted) -> None:
        wanted.hub.faults.refuse(416, server="content")
        error = problem(wanted)
        assert error.problem is HubProblem.CHECKSUM
        assert "at every request" in str(error)


class TestSomethingElseComes:
    def test_a_login_page_in_place_of_the_file(self, wanted: Wanted) -> None:
        wanted.hub.faults.set(PATH, Fault(login_page=True))
        error = problem(wanted)
        assert error.problem is HubProblem.NOT_THE_ANSWER
        assert "login page" in str(error)
        assert list(wanted.destination.parent.iterdir()) == []

    def test_a_login_page_for_everything(self, wanted: Wanted) -> None:
        wanted.hub.faults.ask_for_login()
        assert problem(wanted).problem is HubProblem.NOT_THE_ANSWER
        assert list(wanted.destination.parent.iterdir()) == []

    def test_a_login_page_takes_nothing_away(self, wanted: Wanted) -> None:
        wanted.hub.faults.set(PATH, Fault(stall_after=300_000))
        running = wanted.start()
        wanted.events.wait_for(lambda: wanted.events.counts[-1:] == [300_000])
        running.stop()
        with pytest.raises(TransferStopped):
            running.end()
        wanted.hub.faults.ask_for_login()
        assert problem(wanted).problem is HubProblem.NOT_THE_ANSWER
        assert held_bytes(wanted.destination) == 300_000

    def test_what_is_no_gguf(self, hub: HubServer, tmp_path: Path) -> None:
        wanted = Wanted(hub, GeneratedContent(LARGE, start=b"<html>"), tmp_path)
        assert problem(wanted).problem is HubProblem.NOT_THE_ANSWER
        assert len(hub.requests.contents(PATH)) == 1
        assert not wanted.part.exists()

    @pytest.mark.parametrize("size", [SIZE, SIZE - 1000])
    def test_another_file_on_the_hub(self, wanted: Wanted, size: int) -> None:
        wanted.hub.faults.swap(PATH, GeneratedContent(size, seed=7))
        error = problem(wanted)
        assert error.problem is HubProblem.CHANGED
        assert PATH in str(error)

    def test_another_file_midway(self, wanted: Wanted) -> None:
        wanted.hub.faults.set(PATH, Fault(drop_every=300_000, times=3))
        swapped = GeneratedContent(SIZE, seed=7)
        error = problem(wanted, wait=lambda _: wanted.hub.faults.swap(PATH, swapped))
        assert error.problem is HubProblem.CHANGED

    def test_a_wrong_bit(self, wanted: Wanted) -> None:
        wanted.hub.faults.set(PATH, Fault(flip_at=777_777))
        error = problem(wanted)
        assert error.problem is HubProblem.CHECKSUM
        assert "thrown away" in str(error)
        assert wanted.events.counts[-1] == 0
        assert held_bytes(wanted.destination) == 0
        wanted.hub.faults.clear()
        wanted.run()
        assert wanted.is_whole()


class _SmallDisk(io.FileIO):
    """A file on a disk that takes so many bytes."""

    def __init__(self, path: Path, room: int) -> None:
        super().__init__(path, "r+b")
        self._room = room

    def write(self, data: object) -> int:
        piece = memoryview(data)[: self._room]  # type: ignore[arg-type]
        if not piece:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self._room -= len(piece)
        return super().write(piece) or 0


class TestTheDisk:
    def test_no_room_is_said_before_anything_is_fetched(self, wanted: Wanted) -> None:
        error = problem(wanted, free_space=lambda folder: SIZE + 255_999_999)
        assert error.problem is HubProblem.DISK_FULL
        for part in (PATH, "1.00 MB", "257 MB are free", "256 MB to spare"):
            assert part in str(error)
        assert wanted.hub.requests.all() == ()

    def test_what_has_come_whole_needs_no_room(self, wanted: Wanted) -> None:
        wanted.run()
        os.utime(wanted.part, ns=(1, 1))  # so that it is checked again
        wanted.run(free_space=lambda folder: 0)
        assert wanted.is_whole()

    def test_what_came_needs_no_room(self, wanted: Wanted) -> None:
        wanted.hub.faults.set(PATH, Fault(stall_after=300_000))
        running = wanted.start()
        wanted.events.wait_for(lambda: wanted.events.counts[-1:] == [300_000])
        running.stop()
        with pytest.raises(TransferStopped):
            running.end()
        wanted.hub.faults.clear()
        wanted.run(free_space=lambda folder: SIZE - 300_000 + 256_000_000)
        assert wanted.is_whole()

    def test_a_disk_that_becomes_full(self, wanted: Wanted, monkeypatch: pytest.MonkeyPatch) -> None:
        def writer(part: PartFile) -> BinaryIO:
            return _SmallDisk(part.path, 3 * BLOCK)

        with monkeypatch.context() as patched:
            patched.setattr(PartFile, "writer", writer)
            error = problem(wanted)
        assert error.problem is HubProblem.DISK_FULL
        assert "became full" in str(error)
        assert "What has come is kept" in str(error)
        assert held_bytes(wanted.destination) == 3 * BLOCK
        wanted.hub.requests.clear()
        wanted.run()
        assert wanted.is_whole()
        assert wanted.hub.requests.sent(PATH) == SIZE - 3 * BLOCK

    def test_a_disk_that_blocks_is_waited_for(self, wanted: Wanted, monkeypatch: pytest.MonkeyPatch) -> None:
        """So that no old bytes can come into the file of the next run, or after it was deleted."""
        stuck, freed = Event(), Event()

        class StuckDisk(io.FileIO):
            def write(self, data: object) -> int:
                stuck.set()
                assert freed.wait(PATIENCE)
                return super().write(data) or 0  # type: ignore[arg-type]

        monkeypatch.setattr("app.models.transfer_crew._GOODBYE_SECONDS", 0.0)
        with monkeypatch.context() as patched:
            patched.setattr(PartFile, "writer", lambda part: StuckDisk(part.path, "r+b"))
            running = wanted.start()
            assert stuck.wait(PATIENCE)
            running.stop()
            assert not running.has_ended_within(0.05)
            assert problem(wanted).problem is HubProblem.IN_USE
            freed.set()
            with pytest.raises(TransferStopped):
                running.end()
        wanted.run()
        assert wanted.is_whole()

    def test_a_folder_that_cannot_be_made(self, wanted: Wanted) -> None:
        wanted.destination.parent.write_text("a file")
        error = problem(wanted)
        assert error.problem is HubProblem.UNWRITABLE
        assert str(wanted.destination.parent) in str(error)

    @pytest.mark.skipif(
        not hasattr(os, "geteuid") or os.geteuid() == 0, reason="this user may write anywhere"
    )
    def test_a_folder_that_cannot_be_written(self, wanted: Wanted) -> None:
        wanted.destination.parent.mkdir()
        wanted.destination.parent.chmod(0o555)
        error = problem(wanted)
        assert error.problem is HubProblem.UNWRITABLE
        assert str(wanted.destination.parent) in str(error)

    def test_a_part_that_somebody_else_writes(self, wanted: Wanted) -> None:
        wanted.hub.faults.set(PATH, Fault(stall_after=300_000))
        running = wanted.start()
        wanted.events.wait_for(lambda: wanted.events.counts[-1:] == [300_000])
        assert problem(wanted).problem is HubProblem.IN_USE
        wanted.hub.faults.clear()
        running.end()
        assert wanted.is_whole()
