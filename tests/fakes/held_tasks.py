"""Tasks that wait until a test lets them be done."""

from collections.abc import Callable

from PySide6.QtCore import QObject

from app.ui.tasks import Result, Task
from tests.fakes.tasks import ImmediateTasks


class HeldTasks(ImmediateTasks):
    """Keeps the work; `release` does the oldest piece of it, at once."""

    def __init__(self) -> None:
        super().__init__(threads=1)
        self._held: list[Callable[[], None]] = []

    def run(
        self,
        owner: QObject,
        work: Callable[[], Result],
        done: Callable[[Result], None],
        failed: Callable[[Exception], None] | None = None,
    ) -> Task:
        """Keeps it for later."""
        task = Task(owner)

        def do() -> None:
            if task.is_wanted:
                ImmediateTasks.run(self, owner, work, done, failed)

        self._held.append(do)
        return task

    @property
    def waiting(self) -> int:
        """Pieces of work that have not been done."""
        return len(self._held)

    def release(self) -> None:
        """Does the oldest."""
        self._held.pop(0)()

    def release_all(self) -> None:
        """Does what waits, and what comes of it."""
        while self._held:
            self.release()
