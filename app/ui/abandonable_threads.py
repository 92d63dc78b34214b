"""Threads for work that may hang, such as asking the network: the program's end does not wait for them."""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import Any, NamedTuple, ParamSpec, TypeVar

_GRACE = 0.3  # seconds that the end waits for all threads together

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


class _Job(NamedTuple):
    future: "Future[Any]"
    work: Callable[[], Any]

    def do(self) -> None:
        if not self.future.set_running_or_notify_cancel():
            return
        try:
            result = self.work()
        except BaseException as error:  # noqa: BLE001 - the future hands it on, as those of the library do
            self.future.set_exception(error)
        else:
            self.future.set_result(result)


class AbandonableThreads(Executor):
    """Like ThreadPoolExecutor, with daemon threads. What still hangs at `shutdown` is left to itself."""

    def __init__(self, threads: int, name: str) -> None:
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()  # None: go home
        self._is_shut = False
        self._threads = [
            Thread(target=self._work, name=f"{name}_{number}", daemon=True) for number in range(threads)
        ]
        for thread in self._threads:
            thread.start()

    def submit(
        self, fn: Callable[Parameters, Result], /, *args: Parameters.args, **kwargs: Parameters.kwargs
    ) -> "Future[Result]":
        """Does it as soon as a thread is free. Raises RuntimeError after `shutdown`."""
        if self._is_shut:
            raise RuntimeError("cannot take work after the end")
        future: Future[Result] = Future()
        self._jobs.put(_Job(future, lambda: fn(*args, **kwargs)))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Takes no more. Waits a moment, never longer, for what is under way."""
        self._is_shut = True
        if cancel_futures:
            self._cancel_waiting()
        for _ in self._threads:
            self._jobs.put(None)
        deadline = monotonic() + (_GRACE if wait else 0.0)
        for thread in self._threads:
            thread.join(max(0.0, deadline - monotonic()))

    def _cancel_waiting(self) -> None:
        while True:
            try:
                job = self._jobs.get_nowait()
            except Empty:
                return
            if job is not None:
                job.future.cancel()

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            job.do()
            del job  # what it holds is not kept until the next one comes
