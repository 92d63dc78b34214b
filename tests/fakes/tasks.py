"""Tasks that are done at once, in the caller's thread."""

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from PySide6.QtCore import QObject

from app.ui.tasks import Result, Task, Tasks, deliver


class ImmediateTasks(Tasks):
    """Answers before `run` returns."""

    def run(
        self,
        owner: QObject,
        work: Callable[[], Result],
        done: Callable[[Result], None],
        failed: Callable[[Exception], None] | None = None,
    ) -> Task:
        task = Task(owner)
        future: Future[Any] = Future()
        try:
            future.set_result(work())
        except Exception as error:  # noqa: BLE001 - as a thread does
            future.set_exception(error)
        deliver(task, future, done, failed)
        return task
