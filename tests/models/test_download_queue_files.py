"""What the queue deletes, and where it goes on."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import structs

from app.models.download import (
    DownloadRequest,
    DownloadState,
    Failed,
    Finished,
)
from app.models.hub_problems import HubError, HubProblem
from tests.fakes.scripted_transfer import ScriptedDownloads, request_for

A, B, C, D = (request_for(f"{letter}.gguf") for letter in "abcd")
SET = request_for("s-00001-of-00002.gguf", "s-00002-of-00002.gguf")


def states(downloads: ScriptedDownloads) -> list[DownloadState]:
    """All rows."""
    return [row.state for row in downloads.queue.downloads()]


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
