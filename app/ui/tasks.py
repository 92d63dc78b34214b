"""Work that must not keep the window waiting: done in other threads, answered in the window's."""

from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Any, TypeVar

import shiboken6
from PySide6.QtCore import QObject, Qt, Signal

Result = TypeVar("Result")


class Task:
    """A piece of work under way."""

    def __init__(self, owner: QObject) -> None:
        self._owner = owner
        self._wanted = True

    def cancel(self) -> None:
        """Nobody wants the answer any more. Work that has not begun is never done."""
        self._wanted = False

    def do(self, work: Callable[[], Result]) -> Result | None:
        """Does the work, in any thread, unless the task was cancelled before."""
        return work() if self._wanted else None

    @property
    def is_wanted(self) -> bool:
        """False once cancelled, or when the owner is gone."""
        return self._wanted and shiboken6.isValid(self._owner)


class Tasks(QObject):
    """Runs work in threads; with one thread, in the order given.

    Answers come as calls in the window's thread. An exception without a `failed` to take it is raised there:
    it is a fault of the program.
    """

    _answered = Signal(object)

    def __init__(
        self, threads: int = 2, parent: QObject | None = None, *, executor: Executor | None = None
    ) -> None:
        """`executor` takes the place of the usual threads, which the program's end waits for."""
        super().__init__(parent)
        self._executor = executor or ThreadPoolExecutor(threads, thread_name_prefix="tasks")
        self._is_closed = False
        self._answered.connect(_call, Qt.ConnectionType.QueuedConnection)

    def run(
        self,
        owner: QObject,
        work: Callable[[], Result],
        done: Callable[[Result], None],
        failed: Callable[[Exception], None] | None = None,
    ) -> Task:
        """Does `work` elsewhere, then calls `done` with its result or `failed` with what it raised.

        Neither is called once `owner` is gone or the task is cancelled; after `close` nothing is done.
        """
        task = Task(owner)
        if self._is_closed:  # an answer that came late wants more
            task.cancel()
            return task
        future = self._executor.submit(task.do, work)
        future.add_done_callback(lambda finished: self._answer(task, finished, done, failed))
        return task

    def close(self) -> None:
        """Waits for what is under way, drops what has not begun, and takes no more."""
        self._is_closed = True
        self._executor.shutdown(cancel_futures=True)

    def finish(self) -> None:
        """Waits for everything, begun or not, and takes no more."""
        self._is_closed = True
        self._executor.shutdown()

    def _answer(
        self,
        task: Task,
        future: "Future[Any]",
        done: Callable[[Any], None],
        failed: Callable[[Exception], None] | None,
    ) -> None:
        if not future.cancelled() and shiboken6.isValid(self):
            self._answered.emit(lambda: deliver(task, future, done, failed))


def deliver(
    task: Task,
    future: "Future[Any]",
    done: Callable[[Any], None],
    failed: Callable[[Exception], None] | None,
) -> None:
    """Hands a finished future's outcome to whoever still wants it."""
    if not task.is_wanted:
        return
    error = future.exception()
    if error is None:
        done(future.result())
    elif failed is not None and isinstance(error, Exception):
        failed(error)
    else:
        raise error


def _call(answer: Callable[[], None]) -> None:
    answer()
