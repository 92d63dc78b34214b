"""The threads of a transfer, and how they tell the one that runs it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from threading import Condition, Event, Thread
from time import monotonic

from app.models.transfer_events import TransferStopped

_GOODBYE_SECONDS = 1.0
_SIGNAL_SECONDS = 0.5  # where waiting is deaf to Ctrl+C, it is heard so soon


class Accepted:
    """The server gives parts: more connections may come."""


# the digest of the whole file, or how a thread ended
News = str | BaseException | Accepted | None


class Crew:
    """The threads of one attempt, and what they have to say."""

    def __init__(self) -> None:
        self._news: SimpleQueue[News] = SimpleQueue()
        self._threads: list[Thread] = []
        self._over = Event()
        self._file_left = Condition()
        self._at_file = 0  # how many have the file open

    def start(self, work: Callable[[], str | None]) -> None:
        """Has work done by a thread of its own; what it returns or raises is news."""
        thread = Thread(target=self._do, args=(work,), name="transfer", daemon=True)
        self._threads.append(thread)
        thread.start()

    def report(self, news: News) -> None:
        """Tells it to whoever asks for news, from any thread."""
        self._news.put(news)

    def news(self) -> News:
        """Waits for what comes next."""
        while True:
            try:
                return self._news.get(timeout=_SIGNAL_SECONDS)
            except Empty:
                continue

    def wait(self, seconds: float) -> None:
        """Waits, at most until the end."""
        self._over.wait(seconds)

    @contextmanager
    def at_file(self) -> Iterator[None]:
        """For as long as a thread has the file open. Raises TransferStopped after the end."""
        with self._file_left:
            if self._over.is_set():
                raise TransferStopped
            self._at_file += 1
        try:
            yield
        finally:
            with self._file_left:
                self._at_file -= 1
                self._file_left.notify_all()

    def dismiss(self) -> None:
        """Waits for all who have the file open, however slow the disk is, and a moment for the others.

        Who cannot be reached, as in the middle of connecting, is left behind: such a thread finds the end
        when it comes back, and does not get to the file any more.
        """
        self._over.set()
        end = monotonic() + _GOODBYE_SECONDS
        for thread in self._threads:
            thread.join(max(0.0, end - monotonic()))
        with self._file_left:
            while self._at_file:
                self._file_left.wait(_SIGNAL_SECONDS)

    def _do(self, work: Callable[[], str | None]) -> None:
        try:
            self.report(work())
        except BaseException as error:  # noqa: BLE001 - raised in the thread that runs the transfer
            self.report(error)
