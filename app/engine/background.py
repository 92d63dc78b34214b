"""Runs a generator on a thread of its own, so that the caller's thread can hear Ctrl+C or Stop."""

import queue
import threading
from collections.abc import Iterator
from typing import Generic, TypeVar

from app.engine.stopping import StopSignal

Item = TypeVar("Item")

_HEARD_WITHIN = 0.1  # seconds; an uninterruptible wait would deafen the main thread on Windows


class _Ended:
    """The generator is exhausted, or failed with `error`."""

    def __init__(self, error: BaseException | None) -> None:
        self.error = error


class InBackground(Generic[Item]):
    """Iterates over `source` from another thread. What the source raises is raised here.

    Leaving the iteration early, by an exception such as KeyboardInterrupt, sets `stop` and waits for the
    thread, so that nothing of it goes on afterwards.
    """

    def __init__(self, source: Iterator[Item], stop: StopSignal) -> None:
        self._source = source
        self._stop = stop
        self._items: queue.SimpleQueue[Item | _Ended] = queue.SimpleQueue()

    def __iter__(self) -> Iterator[Item]:
        thread = threading.Thread(target=self._run, name="generation")
        thread.start()
        try:
            while True:
                try:
                    item = self._items.get(timeout=_HEARD_WITHIN)
                except queue.Empty:
                    continue
                if isinstance(item, _Ended):
                    if item.error is not None:
                        raise item.error
                    return
                yield item
        finally:
            self._stop.set()
            thread.join()

    def _run(self) -> None:
        error: BaseException | None = None
        try:
            for item in self._source:
                self._items.put(item)
        except BaseException as caught:  # noqa: BLE001 - handed to the caller's thread, which raises it
            error = caught
        self._items.put(_Ended(error))
