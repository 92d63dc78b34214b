"""What the queue counts, and what outlives the program."""

import logging
from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread

import pytest

from app.models.download import (
    DownloadRequest,
    DownloadState,
    Finished,
    Paused,
)
from app.models.download_store import DownloadStore
from tests.fakes.scripted_transfer import ScriptedDownloads, request_for

A, B, C, D = (request_for(f"{letter}.gguf") for letter in "abcd")
SET = request_for("s-00001-of-00002.gguf", "s-00002-of-00002.gguf")


def states(downloads: ScriptedDownloads) -> list[DownloadState]:
    """All rows."""
    return [row.state for row in downloads.queue.downloads()]


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
