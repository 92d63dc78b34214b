"""What a transfer tells while it runs."""

from collections.abc import Callable
from threading import Lock
from typing import Protocol

from app.models.hub_problems import HubError


class TransferStopped(Exception):  # noqa: N818 - somebody asked for it
    """A transfer was told to stop, and did. What came is kept."""


class TransferEvents(Protocol):
    """Who listens to a transfer. Called from any thread, one call at a time."""

    def held(self, count: int) -> None:
        """So many bytes of the file are on the disk now: what an earlier run left, then after each piece.

        Fewer than before where the transfer had to start over, or bytes were not as they had been noted.
        """

    def retrying(self, error: HubError, seconds: float, attempt: int, attempts: int) -> None:
        """Nothing moves; in `seconds` it is tried again, for the `attempt`-th time of at most `attempts`."""

    def transferring(self) -> None:
        """Bytes come, or are about to."""

    def verifying(self) -> None:
        """All bytes are there; the rest of the checksum is being computed."""


class Traffic:
    """What several connections do, seen as one.

    A connection that waits is nobody's concern while another one moves.
    """

    def __init__(self, events: TransferEvents, here: Callable[[], int], clock: Callable[[], float]) -> None:
        self._events = events
        self._here = here
        self._clock = clock
        self._lock = Lock()
        self._waiting: dict[int, tuple[float, HubError, int, int]] = {}
        self._open = 0
        self._moves = False
        self._is_whole = False
        self._is_over = False

    def opened(self) -> None:
        """A connection is going to work."""
        with self._lock:
            self._open += 1

    def closed(self) -> None:
        """A connection has given up."""
        with self._lock:
            self._open -= 1
            self._tell_standstill()

    def began_waiting(
        self, connection: int, error: HubError, seconds: float, attempt: int, attempts: int
    ) -> None:
        """A connection waits before it tries again."""
        with self._lock:
            self._waiting[connection] = (self._clock() + seconds, error, attempt, attempts)
            self._tell_standstill()

    def ended_waiting(self, connection: int) -> None:
        """It tries again."""
        with self._lock:
            self._waiting.pop(connection, None)
            self._tell_movement()

    def moved(self) -> None:
        """A piece was written."""
        with self._lock:
            self._tell_movement()
            if not self._is_over:
                self._events.held(self._here())

    def became_whole(self) -> None:
        """Nothing is left to fetch."""
        with self._lock:
            if not self._is_whole and not self._is_over:
                self._moves, self._is_whole = False, True
                self._events.verifying()

    def end(self) -> None:
        """From now on nothing is told."""
        with self._lock:
            self._is_over = True

    def _tell_movement(self) -> None:
        if not self._moves and not self._is_over:
            self._moves, self._is_whole = True, False
            self._events.transferring()

    def _tell_standstill(self) -> None:
        if self._waiting and not self._is_over and len(self._waiting) >= self._open:
            self._moves = False
            at, error, attempt, attempts = min(self._waiting.values(), key=lambda wait: wait[0])
            self._events.retrying(error, max(0.0, at - self._clock()), attempt, attempts)
