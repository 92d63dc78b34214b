"""Small work on the disk that nobody waits for: one piece after another, in a thread."""

import logging
from collections.abc import Callable
from queue import SimpleQueue
from threading import Lock, Thread

_log = logging.getLogger(__name__)


class DiskChores:
    """`name` is the thread's, which a disk that hangs does not let outlive the program.

    What a chore raises is logged: there is nobody to tell.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._chores: SimpleQueue[Callable[[], None] | None] = SimpleQueue()  # None: the end
        self._lock = Lock()
        self._thread: Thread | None = None
        self._is_closed = False

    def do(self, chore: Callable[[], None]) -> None:
        """Does it soon, from any thread; not at all after `close`."""
        with self._lock:
            if self._is_closed:
                return
            if self._thread is None:
                self._thread = Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()
            self._chores.put(chore)

    def close(self, seconds: float) -> bool:
        """Takes no more, and waits for what was asked for, so long at most. False where it is not done."""
        with self._lock:
            self._is_closed = True
            thread = self._thread
        if thread is None:
            return True
        self._chores.put(None)
        thread.join(seconds)
        return not thread.is_alive()

    def _run(self) -> None:
        while (chore := self._chores.get()) is not None:
            try:
                chore()
            except Exception:  # noqa: BLE001 - whatever it is
                _log.exception("A chore on the disk failed")
