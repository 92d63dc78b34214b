"""Downloads: which are under way, what a person does with them, and what outlives the program."""

import logging
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event, Thread

import pytest
from msgspec import structs

from app.models.download import (
    DownloadRequest,
    DownloadState,
    Failed,
    Finished,
    Paused,
    Queued,
    Retrying,
    Transferring,
    Verifying,
)
from app.models.download_store import DownloadStore
from app.models.hub_problems import HubError, HubProblem
from tests.fakes.scripted_transfer import ScriptedDownloads, request_for

A, B, C, D = (request_for(f"{letter}.gguf") for letter in "abcd")
SET = request_for("s-00001-of-00002.gguf", "s-00002-of-00002.gguf")


@pytest.fixture
def open_downloads() -> Iterator[Callable[..., ScriptedDownloads]]:
    """Makes queues, and closes them afterwards."""
    made: list[ScriptedDownloads] = []

    def make(*arguments: object, **options: object) -> ScriptedDownloads:
        made.append(ScriptedDownloads(*arguments, **options))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for downloads in made:
        downloads.queue.close()


@pytest.fixture
def downloads(open_downloads: Callable[..., ScriptedDownloads]) -> ScriptedDownloads:
    """A queue that remembers nothing."""
    return open_downloads()


def states(downloads: ScriptedDownloads) -> list[DownloadState]:
    """All rows."""
    return [row.state for row in downloads.queue.downloads()]


class TestTakingTurns:
    def test_one_download_runs_to_its_end(self, downloads: ScriptedDownloads) -> None:
        downloads.queue.add(A)
        transfer = downloads.running("a.gguf")
        assert (transfer.destination, downloads.row(A).state) == (A.folder / "a.gguf", Transferring())

        transfer.hold(400)
        assert downloads.row(A).received_bytes == 400
        transfer.verify()
        assert downloads.row(A).state == Verifying()
        transfer.finish()

        row = downloads.wait_for_state(A, Finished)
        assert row.state == Finished(A.folder / "a.gguf")
        assert row.received_bytes == 1000
        assert downloads.published == [["a.gguf"]]

    def test_two_at_a_time(self, downloads: ScriptedDownloads) -> None:
        for request in (A, B, C, D):
            downloads.queue.add(request)
        assert states(downloads) == [Transferring(), Transferring(), Queued(), Queued()]
        downloads.running("b.gguf").finish()
        downloads.running("c.gguf")
        assert states(downloads) == [Transferring(), Finished(B.folder / "b.gguf"), Transferring(), Queued()]

    def test_a_failure_frees_the_turn_as_well(self, downloads: ScriptedDownloads) -> None:
        for request in (A, B, C):
            downloads.queue.add(request)
        downloads.running("a.gguf").fail(HubError(HubProblem.NOT_FOUND, "It is gone."))
        downloads.running("c.gguf")
        assert downloads.row(A).state == Failed(HubProblem.NOT_FOUND, "It is gone.")

    def test_the_same_file_is_wanted_once(self, downloads: ScriptedDownloads) -> None:
        downloads.queue.add(A)
        downloads.running("a.gguf").hold(10)
        downloads.queue.add(A)
        assert len(downloads.queue.downloads()) == 1
        assert len(downloads.transfers) == 1

    def test_those_that_wait_change_places(self, downloads: ScriptedDownloads) -> None:
        for request in (A, B, C, D):
            downloads.queue.add(request)
        downloads.queue.move(D.key, -1)
        assert [row.key for row in downloads.queue.downloads()] == [A.key, B.key, D.key, C.key]
        downloads.running("a.gguf").finish()
        downloads.running("d.gguf")
        assert downloads.row(C).state == Queued()

    @pytest.mark.parametrize(("places", "order"), [(-9, "abedc"), (-1, "abced"), (9, "abcde"), (0, "abcde")])
    def test_but_not_past_those_that_do_not(
        self, downloads: ScriptedDownloads, places: int, order: str
    ) -> None:
        for letter in "abcde":
            downloads.queue.add(request_for(f"{letter}.gguf"))
        downloads.queue.pause(D.key)  # keeps its place
        downloads.queue.move(request_for("e.gguf").key, places)
        shown = [row.request.title[0] for row in downloads.queue.downloads()]
        assert "".join(shown) == {"abedc": "abedc", "abced": "abedc", "abcde": "abcde"}[order]

    def test_one_under_way_is_not_moved(self, downloads: ScriptedDownloads) -> None:
        downloads.queue.add(A)
        downloads.queue.add(B)
        downloads.queue.move(B.key, -1)
        assert [row.key for row in downloads.queue.downloads()] == [A.key, B.key]


class TestSets:
    def test_parts_come_one_after_the_other_and_appear_together(self, downloads: ScriptedDownloads) -> None:
        downloads.queue.add(SET)
        downloads.running("s-00001-of-00002.gguf").finish()
        second = downloads.running("s-00002-of-00002.gguf")
        assert downloads.published == []
        assert downloads.row(SET).received_bytes == 1000
        second.hold(100)
        assert downloads.row(SET).received_bytes == 1100
        second.finish()
        state = downloads.wait_for_state(SET, Finished).state
        assert state == Finished(SET.folder / "s-00001-of-00002.gguf")
        assert downloads.published == [["s-00001-of-00002.gguf", "s-00002-of-00002.gguf"]]

    def test_a_set_takes_one_turn(self, downloads: ScriptedDownloads) -> None:
        for request in (SET, A, B):
            downloads.queue.add(request)
        downloads.running("a.gguf")
        assert downloads.row(B).state == Queued()

    def test_when_it_goes_on_nothing_seems_to_be_lost(
        self, open_downloads: Callable[..., ScriptedDownloads]
    ) -> None:
        left = {"s-00001-of-00002.gguf": 1000, "s-00002-of-00002.gguf": 300}
        downloads = open_downloads(left=left)
        downloads.queue.add(SET)
        downloads.running("s-00001-of-00002.gguf").hold(1000)
        downloads.queue.pause(SET.key)
        assert downloads.row(SET).received_bytes == 1300
        downloads.queue.resume(SET.key)
        downloads.running("s-00001-of-00002.gguf", 2).finish()
        downloads.running("s-00002-of-00002.gguf")
        assert downloads.row(SET).received_bytes == 1300


class TestWhatAPersonDoes:
    def test_pausing_keeps_what_came(self, downloads: ScriptedDownloads) -> None:
        downloads.queue.add(A)
        downloads.running("a.gguf").hold(400)
        downloads.queue.pause(A.key)
        assert downloads.row(A).state == Paused()
        assert downloads.row(A).received_bytes == 400
        assert downloads.discarded == []

    def test_resuming_begins_another_transfer_once_the_first_is_gone(
        self, downloads: ScriptedDownloads
    ) -> None:
        downloads.queue.add(A)
        downloads.running("a.gguf")
        downloads.queue.pause(A.key)
        downloads.queue.resume(A.key)
        downloads.running("a.gguf", 2).finish()
        downloads.wait_for_state(A, Finished)

    def test_one_that_waits_is_paused_too(self, downloads: ScriptedDownloads) -> None:
        for request in (A, B, C):
            downloads.queue.add(request)
        downloads.queue.pause(C.key)
        assert downloads.row(C).state == Paused()
        downloads.running("a.gguf").finish()
        downloads.wait_for_state(A, Finished)
        assert downloads.row(C).state == Paused()

    def test_pausing_lets_the_next_one_begin(self, downloads: ScriptedDownloads) -> None:
        for request in (A, B, C):
            downloads.queue.add(request)
        downloads.queue.pause(A.key)
        downloads.running("c.gguf")

    def test_all_are_paused(self, downloads: ScriptedDownloads) -> None:
        for request in (A, B, C):
            downloads.queue.add(request)
        downloads.queue.pause_all()
        assert states(downloads) == [Paused()] * 3

    def test_cancelling_keeps_the_part_if_wanted(self, downloads: ScriptedDownloads) -> None:
        downloads.queue.add(A)
        downloads.running("a.gguf").hold(400)
        downloads.queue.cancel(A.key, keep_part=True)
        assert downloads.queue.downloads() == ()
        downloads.queue.close()
        assert downloads.discarded == []

    def test_or_throws_it_away_when_nobody_writes_any_more(self, downloads: ScriptedDownloads) -> None:
        downloads.queue.add(A)
        downloads.running("a.gguf").hold(400)
        downloads.queue.cancel(A.key, keep_part=False)
        assert downloads.queue.downloads() == ()
        downloads.until(lambda: downloads.discarded == ["a.gguf"])

    def test_also_of_one_that_does_not_move(self, downloads: ScriptedDownloads) -> None:
        downloads.queue.add(SET)
        downloads.running("s-00001-of-00002.gguf").fail(
            HubError(HubProblem.GATED, "No.", address="https://x")
        )
        downloads.wait_for_state(SET, Failed)
        downloads.queue.cancel(SET.key, keep_part=False)
        downloads.until(lambda: len(downloads.discarded) == 2)
        assert downloads.queue.downloads() == ()

    def test_what_is_cancelled_can_be_wanted_again_at_once(self, downloads: ScriptedDownloads) -> None:
        downloads.queue.add(A)
        downloads.running("a.gguf")
        downloads.queue.cancel(A.key, keep_part=False)
        downloads.queue.add(A)
        second = downloads.running("a.gguf", 2)
        assert downloads.discarded == ["a.gguf"]  # before the second one began
        second.finish()
        downloads.wait_for_state(A, Finished)
        assert downloads.discarded == ["a.gguf"]

    def test_a_finished_one_stays_until_it_is_removed(self, downloads: ScriptedDownloads) -> None:
        for request in (A, B):
            downloads.queue.add(request)
        downloads.running("a.gguf").finish()
        downloads.wait_for_state(A, Finished)
        downloads.queue.cancel(A.key, keep_part=False)
        downloads.queue.remove(B.key)
        assert len(downloads.queue.downloads()) == 2
        downloads.queue.remove(A.key)
        assert [row.key for row in downloads.queue.downloads()] == [B.key]
        assert downloads.discarded == []

    def test_all_finished_ones_are_removed(self, downloads: ScriptedDownloads) -> None:
        for request in (A, B, C):
            downloads.queue.add(request)
        for name in ("a.gguf", "b.gguf"):
            downloads.running(name).finish()
        downloads.wait_for_state(A, Finished)
        downloads.wait_for_state(B, Finished)
        downloads.queue.remove_finished()
        assert [row.key for row in downloads.queue.downloads()] == [C.key]

    def test_a_finished_one_is_fetched_again_when_its_file_is_gone(
        self, downloads: ScriptedDownloads, tmp_path: Path
    ) -> None:
        request = request_for("a.gguf", folder=tmp_path)
        downloads.queue.add(request)
        downloads.running("a.gguf").finish()
        downloads.wait_for_state(request, Finished)
        (tmp_path / "a.gguf").touch()
        downloads.queue.add(request)
        assert len(downloads.transfers) == 1
        (tmp_path / "a.gguf").unlink()
        downloads.queue.add(request)
        downloads.running("a.gguf", 2)
        assert downloads.row(request).state == Transferring()


class TestTrouble:
    def test_a_wait_is_told(self, open_downloads: Callable[..., ScriptedDownloads]) -> None:
        downloads = open_downloads(clock=lambda: 100.0)
        downloads.queue.add(A)
        transfer = downloads.running("a.gguf")
        transfer.wait(HubProblem.NO_NETWORK, 4.0, attempt=2)
        assert downloads.row(A).state == Retrying(HubProblem.NO_NETWORK, "no_network.", 104.0, 2, 5)
        transfer.move()
        assert downloads.row(A).state == Transferring()

    def test_nobody_has_to_wait(self, downloads: ScriptedDownloads) -> None:
        downloads.queue.add(A)
        downloads.running("a.gguf").wait(HubProblem.SERVER, 60.0)
        downloads.queue.retry_now(A.key)
        downloads.running("a.gguf", 2).finish()
        downloads.wait_for_state(A, Finished)

    def test_pausing_wins_over_a_wish_to_try_now(self, downloads: ScriptedDownloads) -> None:
        downloads.queue.add(A)
        downloads.running("a.gguf").wait(HubProblem.SERVER, 60.0)
        downloads.queue.retry_now(A.key)
        downloads.queue.pause(A.key)
        assert downloads.row(A).state == Paused()
        downloads.queue.close()
        assert downloads.row(A).state == Paused()

    def test_what_failed_is_tried_again(self, downloads: ScriptedDownloads) -> None:
        downloads.queue.add(A)
        transfer = downloads.running("a.gguf")
        transfer.hold(300)
        transfer.fail(HubError(HubProblem.GATED, "Accept the licence.", address="https://hub.example/a"))
        row = downloads.wait_for_state(A, Failed)
        assert row.state == Failed(HubProblem.GATED, "Accept the licence.", "https://hub.example/a")
        assert row.received_bytes == 300
        downloads.queue.retry_now(A.key)
        downloads.running("a.gguf", 2)

    def test_wanting_it_again_does_so_too_with_the_newer_request(self, downloads: ScriptedDownloads) -> None:
        downloads.queue.add(A)
        downloads.running("a.gguf").fail(HubError(HubProblem.CHANGED, "It is another file now."))
        downloads.wait_for_state(A, Failed)
        newer = request_for("a.gguf", size=2000)
        downloads.queue.add(newer)
        downloads.running("a.gguf", 2)
        assert downloads.transfers[1].file.size == 2000
        assert downloads.row(A).request == newer

    def test_files_that_cannot_get_their_names(self, downloads: ScriptedDownloads) -> None:
        downloads.publish_error = HubError(HubProblem.UNWRITABLE, "The folder cannot be written.")
        downloads.queue.add(A)
        downloads.running("a.gguf").finish()
        state = downloads.wait_for_state(A, Failed).state
        assert state == Failed(HubProblem.UNWRITABLE, "The folder cannot be written.")
        downloads.queue.retry_now(A.key)
        downloads.running("a.gguf", 2).finish()
        downloads.wait_for_state(A, Finished)

    @pytest.mark.parametrize("where", ["transfer", "publish"])
    def test_a_fault_of_the_program_is_told_and_logged(
        self, downloads: ScriptedDownloads, caplog: pytest.LogCaptureFixture, where: str
    ) -> None:
        for request in (A, B, C):
            downloads.queue.add(request)
        if where == "transfer":
            downloads.running("a.gguf").fail(ZeroDivisionError("a mistake"))
        else:
            downloads.publish_error = ZeroDivisionError("a mistake")
            downloads.running("a.gguf").finish()
        state = downloads.wait_for_state(A, Failed).state
        assert isinstance(state, Failed)
        assert state.problem is HubProblem.FAULT
        assert "a mistake" not in state.sentence
        assert "ZeroDivisionError: a mistake" in caplog.text
        downloads.running("c.gguf")

    def test_a_name_that_cannot_be_used_fails_at_once(self, downloads: ScriptedDownloads) -> None:
        downloads.queue.add(request_for("../a.gguf"))
        (state,) = states(downloads)
        assert isinstance(state, Failed)
        assert state.problem is HubProblem.BAD_NAME
        downloads.queue.retry_now("publisher/model/../a.gguf")
        assert states(downloads) == [state]
        downloads.queue.cancel("publisher/model/../a.gguf", keep_part=False)
        assert states(downloads) == []

    def test_two_rows_never_write_one_file(self, downloads: ScriptedDownloads) -> None:
        one = request_for("m.gguf")
        other = structs.replace(one, repo="publisher/renamed")
        downloads.queue.add(one)
        downloads.queue.add(other)
        assert states(downloads) == [Transferring(), Queued()]
        downloads.queue.cancel(other.key, keep_part=False)
        assert downloads.discarded == []
        downloads.queue.add(other)
        downloads.running("m.gguf").finish()
        downloads.wait_for_state(other, Transferring)


class MeddlingLock:
    """Lets somebody act just before a download's own thread takes it for the n-th time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._left = 0
        self._act: Callable[[], None] | None = None

    def meddle(self, number: int, act: Callable[[], None]) -> None:
        """From now on."""
        self._left, self._act = number, act

    def __enter__(self) -> None:
        if self._act is not None and threading.current_thread().name == "download":
            self._left -= 1
            if self._left == 0:
                act, self._act = self._act, None
                act()
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()


class TestDeleting:
    @pytest.mark.parametrize("number", [1, 2])
    def test_no_moment_is_too_late(
        self,
        open_downloads: Callable[..., ScriptedDownloads],
        monkeypatch: pytest.MonkeyPatch,
        number: int,
    ) -> None:
        lock = MeddlingLock()
        with monkeypatch.context() as patched:
            patched.setattr("app.models.download_queue.Lock", lambda: lock)
            downloads = open_downloads()
        downloads.queue.add(A)
        downloads.running("a.gguf").hold(400)
        lock.meddle(number, lambda: downloads.queue.cancel(A.key, keep_part=False))
        downloads.queue.pause(A.key)
        downloads.until(lambda: downloads.queue.downloads() == ())
        downloads.until(lambda: downloads.discarded == ["a.gguf"])
        downloads.queue.add(A)
        downloads.running("a.gguf", 2)  # nobody has to do with the file any more

    def test_also_while_an_earlier_row_is_on_its_way_out(
        self, downloads: ScriptedDownloads, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        downloads.queue.add(A)
        first = downloads.running("a.gguf")
        stop = first.stop
        monkeypatch.setattr(first, "stop", lambda: None)  # it takes its time
        downloads.queue.cancel(A.key, keep_part=True)
        downloads.queue.add(A)
        downloads.queue.cancel(A.key, keep_part=False)
        assert downloads.discarded == []
        stop()
        downloads.until(lambda: downloads.discarded == ["a.gguf"])

    def test_but_not_what_another_row_wants(self, downloads: ScriptedDownloads) -> None:
        other = structs.replace(A, repo="publisher/renamed")
        for number, request in enumerate((A, other), 1):
            downloads.queue.add(request)
            downloads.running("a.gguf", number).fail(HubError(HubProblem.SERVER, "No."))
            downloads.wait_for_state(request, Failed)
        downloads.queue.cancel(other.key, keep_part=False)
        downloads.queue.close()
        assert downloads.discarded == []

    @pytest.mark.parametrize("is_busy", [False, True])
    def test_what_could_not_be_deleted_comes_back_and_says_so(
        self, open_downloads: Callable[..., ScriptedDownloads], is_busy: bool
    ) -> None:
        downloads = open_downloads(left={"a.gguf": 400})
        downloads.discard_error = HubError(HubProblem.UNWRITABLE, "It could not be deleted.")
        downloads.queue.add(A)
        downloads.running("a.gguf")
        if not is_busy:
            downloads.running("a.gguf").fail(HubError(HubProblem.SERVER, "No."))
            downloads.wait_for_state(A, Failed)
        downloads.queue.cancel(A.key, keep_part=False)
        row = downloads.wait_for_state(A, Failed)
        assert row.state == Failed(HubProblem.UNWRITABLE, "It could not be deleted.")
        assert row.may_hold_bytes
        downloads.queue.cancel(A.key, keep_part=False)
        downloads.until(lambda: downloads.discarded == ["a.gguf"])
        assert downloads.queue.downloads() == ()


class TestAnotherFolder:
    """The models folder was changed, and the same file is wanted again."""

    OLD, NEW = Path("/old"), Path("/new")

    def add_again(self, downloads: ScriptedDownloads) -> Path:
        downloads.queue.add(request_for("a.gguf", folder=self.NEW))
        downloads.running("a.gguf", 2)
        return downloads.transfers[1].destination.parent

    def begin(self, downloads: ScriptedDownloads, held: int) -> DownloadRequest:
        request = request_for("a.gguf", folder=self.OLD)
        downloads.queue.add(request)
        downloads.running("a.gguf").hold(held)
        return request

    @pytest.mark.parametrize(("held", "expected"), [(400, OLD), (0, NEW)])
    def test_what_has_come_is_gone_on_with_where_it_lies(
        self, downloads: ScriptedDownloads, held: int, expected: Path
    ) -> None:
        request = self.begin(downloads, held)
        downloads.queue.pause(request.key)
        assert self.add_again(downloads) == expected

    @pytest.mark.parametrize(
        ("problem", "expected"),
        [(HubProblem.CHANGED, OLD), (HubProblem.DISK_FULL, NEW), (HubProblem.UNWRITABLE, NEW)],
    )
    def test_unless_that_is_where_the_trouble_is(
        self, downloads: ScriptedDownloads, problem: HubProblem, expected: Path
    ) -> None:
        request = self.begin(downloads, 400)
        downloads.running("a.gguf").fail(HubError(problem, "No."))
        downloads.wait_for_state(request, Failed)
        assert self.add_again(downloads) == expected

    def test_a_finished_one_that_is_gone_comes_to_the_new_one(self, downloads: ScriptedDownloads) -> None:
        request = self.begin(downloads, 400)
        downloads.running("a.gguf").finish()
        downloads.wait_for_state(request, Finished)
        assert self.add_again(downloads) == self.NEW


class TestFigures:
    def test_what_was_there_is_no_speed(self, open_downloads: Callable[..., ScriptedDownloads]) -> None:
        now = 0.0
        downloads = open_downloads(left={"a.gguf": 500}, clock=lambda: now)
        downloads.queue.add(A)
        transfer = downloads.running("a.gguf")
        now = 1.0
        assert downloads.row(A).received_bytes == 500
        assert downloads.row(A).rate == 0
        for count in (550, 600, 650):
            now += 1.0
            transfer.hold(count)
        assert downloads.row(A).rate == 50
        assert downloads.row(A).seconds_left == 7

    def test_what_nobody_has_looked_at_is_not_nothing(
        self, open_downloads: Callable[..., ScriptedDownloads]
    ) -> None:
        downloads = open_downloads(left={"a.gguf": 500}, measures=False)
        downloads.queue.add(A)
        row = downloads.row(A)
        assert (row.received_bytes, row.is_measured, row.may_hold_bytes) == (0, False, True)
        downloads.queue.pause(A.key)
        assert downloads.row(A).may_hold_bytes
        downloads.may_measure.set()
        downloads.until(lambda: downloads.row(A).is_measured)
        assert downloads.row(A).received_bytes == 500

    def test_nothing_is_known_to_be_nothing(self, downloads: ScriptedDownloads) -> None:
        downloads.queue.add(A)
        downloads.running("a.gguf")
        assert not downloads.row(A).may_hold_bytes
        bad = request_for("../a.gguf")
        downloads.queue.add(bad)
        assert not downloads.row(bad).may_hold_bytes

    def test_starting_over_is_none_either(self, downloads: ScriptedDownloads) -> None:
        downloads.queue.add(A)
        transfer = downloads.running("a.gguf")
        transfer.hold(500)
        transfer.hold(0)
        assert downloads.row(A).received_bytes == 0

    def test_the_speed_falls_to_nothing(self, open_downloads: Callable[..., ScriptedDownloads]) -> None:
        now = 0.0
        downloads = open_downloads(clock=lambda: now)
        downloads.queue.add(A)
        transfer = downloads.running("a.gguf")
        for count in (100, 200, 300):
            now += 1.0
            transfer.hold(count)
        assert downloads.row(A).rate == 100
        now += 3.0
        assert downloads.row(A).rate == 0
        assert downloads.row(A).seconds_left is None


class TestRestart:
    def test_what_is_not_finished_comes_back_paused(
        self, open_downloads: Callable[..., ScriptedDownloads], tmp_path: Path
    ) -> None:
        store = DownloadStore(tmp_path / "downloads.json")
        first = open_downloads(store)
        for request in (A, B, C, D):
            first.queue.add(request)
        first.running("a.gguf").hold(400)
        first.running("b.gguf").finish()
        first.wait_for_state(B, Finished)
        first.queue.close()

        second = open_downloads(store, left={"a.gguf": 400})
        assert states(second) == [Paused(by_restart=True)] * 3
        assert [row.request for row in second.queue.downloads()] == [A, C, D]
        second.until(lambda: second.row(A).received_bytes == 400)
        assert second.transfers == []
        second.queue.resume(A.key)
        second.running("a.gguf")

    def test_even_if_the_program_was_killed(
        self,
        open_downloads: Callable[..., ScriptedDownloads],
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        store = DownloadStore(tmp_path / "downloads.json")
        saved, save = Event(), store.save

        def tell(requests: tuple[DownloadRequest, ...]) -> None:
            save(requests)
            saved.set()

        monkeypatch.setattr(store, "save", tell)
        open_downloads(store).queue.add(A)  # and never closed
        assert saved.wait(60)
        assert store.load() == (A,)

    def test_a_disk_that_hangs_holds_up_neither_the_list_nor_the_end(
        self,
        open_downloads: Callable[..., ScriptedDownloads],
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        store = DownloadStore(tmp_path / "downloads.json")
        store.save((A,))
        saved, save = Event(), store.save

        def tell(requests: tuple[DownloadRequest, ...]) -> None:
            save(requests)
            saved.set()

        monkeypatch.setattr(store, "save", tell)
        downloads = open_downloads(store, measures=False)
        downloads.queue.cancel(A.key, keep_part=False)
        assert saved.wait(60)
        monkeypatch.setattr("app.models.download_queue._CLOSING", 0.01)
        closing = Thread(target=downloads.queue.close)
        closing.start()
        closing.join(30)
        assert not closing.is_alive()
        assert store.load() == ()
        downloads.may_measure.set()

    def test_what_was_cancelled_does_not(
        self, open_downloads: Callable[..., ScriptedDownloads], tmp_path: Path
    ) -> None:
        store = DownloadStore(tmp_path / "downloads.json")
        first = open_downloads(store)
        first.queue.add(A)
        first.queue.cancel(A.key, keep_part=True)
        first.queue.close()
        assert open_downloads(store).queue.downloads() == ()

    def test_closing_is_the_end(self, downloads: ScriptedDownloads) -> None:
        downloads.queue.add(A)
        downloads.running("a.gguf")
        downloads.queue.close()
        downloads.queue.close()
        downloads.queue.add(B)
        downloads.queue.resume(A.key)
        assert len(downloads.transfers) == 1

    def test_a_transfer_that_does_not_stop_is_left_behind(
        self, downloads: ScriptedDownloads, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("app.models.download_queue._CLOSING", 0.01)
        downloads.queue.add(A)
        transfer = downloads.running("a.gguf")
        stop = transfer.stop
        monkeypatch.setattr(transfer, "stop", lambda: None)
        with caplog.at_level(logging.WARNING):
            downloads.queue.close()
        assert "did not stop in time" in caplog.text
        stop()
