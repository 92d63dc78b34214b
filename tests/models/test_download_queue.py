"""Downloads: which are under way, what a person does with them, and what outlives the program."""

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import structs

from app.models.download import (
    DownloadState,
    Failed,
    Finished,
    Paused,
    Queued,
    Retrying,
    Transferring,
    Verifying,
)
from app.models.hub_problems import HubError, HubProblem
from tests.fakes.scripted_transfer import ScriptedDownloads, request_for

A, B, C, D = (request_for(f"{letter}.gguf") for letter in "abcd")
SET = request_for("s-00001-of-00002.gguf", "s-00002-of-00002.gguf")


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
