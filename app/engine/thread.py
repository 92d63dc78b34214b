"""The one thread that computes, so that the caller's thread can hear Ctrl+C or Stop."""

import queue
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import TypeVar

from app.engine.stopping import StopSignal

Item = TypeVar("Item")
Result = TypeVar("Result")

_HEARD_WITHIN = 0.1  # seconds; an uninterruptible wait would deafen the main thread on Windows


class EngineThread:
    """Loads models and generates, always on the same thread.

    That is a matter of speed: OpenMP keeps a team of threads for every thread that has computed, and once
    there are more of them than cores, all of them wait differently and everything takes twice as long.
    So models must be loaded (which computes a first pass) where they will generate.
    """

    def __init__(self) -> None:
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="engine")

    def __enter__(self) -> "EngineThread":
        return self

    def __exit__(self, *_: object) -> None:
        self._executor.shutdown()

    def call(self, work: Callable[[], Result]) -> Result:
        """Does some work there and waits for it. What the work raises is raised here."""
        return _waited_for(self._executor.submit(work))

    def iterate(self, source: Iterator[Item], stop: StopSignal) -> Iterator[Item]:
        """Runs a generator there. What it raises is raised here.

        Leaving the iteration early, by an exception such as KeyboardInterrupt, sets `stop` and waits for
        the generator to end, so that nothing of it goes on afterwards.
        """
        items: queue.SimpleQueue[Item] = queue.SimpleQueue()

        def run() -> None:
            for item in source:
                items.put(item)

        running = self._executor.submit(run)
        try:
            while not (running.done() and items.empty()):
                try:
                    yield items.get(timeout=_HEARD_WITHIN)
                except queue.Empty:
                    continue
            running.result()
        finally:
            stop.set()
            wait([running])


def _waited_for(future: Future[Result]) -> Result:
    while not future.done():
        wait([future], timeout=_HEARD_WITHIN)
    return future.result()
