"""Small work on the disk that nobody waits for: one piece after another, in a thread."""

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

_log = logging.getLogger(__name__)


class DiskChores:
    """`name` is the thread's. What a chore raises is logged: there is nobody to tell."""

    def __init__(self, name: str) -> None:
        self._executor = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._lock = Lock()
        self._is_closed = False

    def do(self, chore: Callable[[], None]) -> None:
        """Does it soon, from any thread; not at all after `close`."""

        def logged() -> None:
            try:
                chore()
            except Exception:  # noqa: BLE001 - whatever it is
                _log.exception("A chore on the disk failed")

        with self._lock:
            if not self._is_closed:
                self._executor.submit(logged)

    def close(self) -> None:
        """Waits for what was asked for, and takes no more."""
        with self._lock:
            self._is_closed = True
        self._executor.shutdown()
