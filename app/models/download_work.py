"""One run of a download: its files are fetched one after another, and get their names together."""

import logging
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock, Thread
from typing import Protocol

from app.models.download import (
    DownloadRequest,
    DownloadState,
    Failed,
    Finished,
    Paused,
    Retrying,
    Transferring,
    Verifying,
)
from app.models.hub import RemoteFile
from app.models.hub_problems import HubError, HubProblem
from app.models.rate_window import RateWindow
from app.models.transfer_events import TransferEvents, TransferStopped

_log = logging.getLogger(__name__)


class FileTransfer(Protocol):
    """Brings one file in; see `Transfer`."""

    def run(self) -> None:
        """Returns when the file is whole and verified; raises HubError or TransferStopped."""

    def stop(self) -> None:
        """From any thread: `run` ends within a moment, or at once if it has not begun."""


MakeTransfer = Callable[[str, str, RemoteFile, Path, TransferEvents], FileTransfer]
Publish = Callable[[Sequence[tuple[Path, RemoteFile]]], None]


class DownloadWork:
    """Works in a thread of its own, until all is in place, something needs a person, or it is stopped.

    `told` is called after every step and `ended` once, with the outcome: from any thread, without locks.
    `held` is how many bytes of each file are on the disk, where that is known; the work looks for itself.
    """

    def __init__(
        self,
        request: DownloadRequest,
        targets: tuple[Path, ...],
        make_transfer: MakeTransfer,
        publish: Publish,
        held_bytes: Callable[[Path], int],
        *,
        clock: Callable[[], float],
        told: Callable[[], None],
        ended: "Callable[[DownloadWork, DownloadState], None]",
        held: Sequence[int] | None,
    ) -> None:
        self.request = request
        self.targets = targets
        self._make_transfer = make_transfer
        self._publish = publish
        self._held_bytes = held_bytes
        self._clock = clock
        self._told = told
        self._ended = ended
        self._lock = Lock()
        self._state: DownloadState = Transferring()
        self._held = [0] * len(targets) if held is None else list(held)
        self._is_measured = held is not None
        self._rate = RateWindow(clock)
        self._current = 0  # the number of the file that is being fetched
        self._has_begun = False  # it has said what an earlier run left of that file
        self._transfer: FileTransfer | None = None
        self._is_stopped = False
        self._tries_anew = False
        self._is_publishing = False
        self._thread = Thread(target=self._run, name="download", daemon=True)

    def start(self) -> None:
        """Begins."""
        self._thread.start()

    def stop(self) -> bool:
        """Asks it to end, and keeps what came. False where it is too late: all of it is there."""
        with self._lock:
            if self._is_publishing:
                return False
            self._is_stopped = True
            transfer = self._transfer
        if transfer is not None:
            transfer.stop()
        return True

    def try_now(self) -> None:
        """Ends the wait before the next try, if it waits."""
        with self._lock:
            if not isinstance(self._state, Retrying) or self._transfer is None:
                return
            self._tries_anew = True
            self._state = Transferring()
            transfer = self._transfer
        transfer.stop()

    def join(self, seconds: float) -> bool:
        """Waits for its end, so long at most. False where it goes on."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def progress(self) -> tuple[DownloadState, tuple[int, ...] | None, float]:
        """The state, the bytes of each file that are on the disk (None: not known), and bytes per second."""
        with self._lock:
            return self._state, tuple(self._held) if self._is_measured else None, self._rate.rate()

    def held(self, count: int) -> None:
        """So many bytes of the current file are on the disk."""
        with self._lock:
            moved = count - self._held[self._current]
            self._held[self._current] = count
            if self._has_begun and moved > 0:
                self._rate.add(moved)
            self._has_begun = True
        self._told()

    def retrying(self, error: HubError, seconds: float, attempt: int, attempts: int) -> None:
        """The transfer waits."""
        at = self._clock() + seconds
        self._enter(Retrying(error.problem, str(error), at, attempt, attempts))

    def transferring(self) -> None:
        """Bytes come, or are about to."""
        self._enter(Transferring())

    def verifying(self) -> None:
        """All bytes are there."""
        self._enter(Verifying())

    def _enter(self, state: DownloadState) -> None:
        with self._lock:
            if self._tries_anew:  # the one that waited is on its way out
                return
            self._state = state
        self._told()

    def _run(self) -> None:
        outcome: DownloadState
        try:
            self._fetch()
        except TransferStopped:
            outcome = Paused()
        except HubError as error:
            outcome = Failed(error.problem, str(error), error.address)
        except Exception:  # noqa: BLE001 - nothing may leave a row that never ends
            _log.exception("A download broke off")
            outcome = Failed(
                HubProblem.FAULT,
                "Something in Slipstream went wrong and ended the download. What came is kept: try again.",
            )
        else:
            outcome = Finished(self.targets[0])
        self._ended(self, outcome)

    def _fetch(self) -> None:
        held = [self._held_bytes(target) for target in self.targets]  # of those whose turn is later, too
        with self._lock:
            self._held, self._is_measured = held, True
        for number in range(len(self.targets)):
            while not self._fetch_file(number):
                pass
        with self._lock:
            if self._is_stopped:
                raise TransferStopped
            self._is_publishing = True
        self._publish(list(zip(self.targets, self.request.files, strict=True)))

    def _fetch_file(self, number: int) -> bool:
        """False where it has to be begun anew, because nobody wanted to wait."""
        request = self.request
        transfer = self._make_transfer(
            request.repo, request.commit, request.files[number], self.targets[number], self
        )
        with self._lock:
            if self._is_stopped:
                raise TransferStopped
            self._current, self._has_begun, self._tries_anew = number, False, False
            self._state = Transferring()
            self._transfer = transfer
        self._told()
        try:
            transfer.run()
        except TransferStopped:
            with self._lock:
                if self._is_stopped or not self._tries_anew:
                    raise
            return False
        finally:
            with self._lock:
                self._transfer = None
        return True
