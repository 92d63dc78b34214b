"""What is kept on disk, for the window: done in a thread of its own, in order, with failures told."""

from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from PySide6.QtCore import QObject

from app.core.database import StoreError
from app.ui.tasks import Tasks


class Closable(Protocol):
    """A store."""

    def close(self) -> None:
        """Ends it."""


Kept = TypeVar("Kept", bound=Closable)
Result = TypeVar("Result")
Done = Callable[[Result], None]
Failed = Callable[[str], None] | None


class StoreThread(Generic[Kept]):
    """Opens a store when it is first needed, and does everything with it in the order asked for.

    `tasks` is for this alone, has one thread, and is closed with it. `open_store` is called in that thread;
    it gives a store in any case, with a sentence where that is not as it should be. `tell` takes sentences,
    in the window's thread.
    """

    def __init__(
        self,
        owner: QObject,
        tasks: Tasks,
        open_store: Callable[[], tuple[Kept, str]],
        tell: Callable[[str], None],
    ) -> None:
        self._owner = owner
        self._tasks = tasks
        self._open_store = open_store
        self._tell = tell
        self._store: Kept | None = None  # used in the tasks' thread alone
        self._problem_at_open = ""
        self._told = ""

    def run(
        self, owner: QObject, work: Callable[[Kept], Result], done: Done[Result], failed: Failed = None
    ) -> None:
        """Does `work` with the store, then calls `done`, or `failed` with a sentence.

        Neither is called once `owner` is gone.
        """

        def answer(result: Result) -> None:
            if self._problem_at_open:
                problem, self._problem_at_open = self._problem_at_open, ""
                self._tell(problem)
            self._told = ""
            done(result)

        def refuse(error: Exception) -> None:
            self._refuse(error)
            if failed is not None:
                failed(str(error))

        self._tasks.run(owner, lambda: work(self._opened()), answer, refuse)

    def close(self, last: Callable[[Kept], object] | None = None) -> None:
        """Waits for everything, does what is `last` if a store was opened, and takes no more."""

        def end() -> None:
            if self._store is not None:
                try:
                    if last is not None:
                        last(self._store)
                finally:
                    self._store.close()

        self._tasks.run(self._owner, end, lambda _: None, self._refuse)
        self._tasks.finish()

    def _refuse(self, error: Exception) -> None:
        if not isinstance(error, StoreError):
            raise error
        if str(error) != self._told:  # a disk that stays full is told once
            self._told = str(error)
            self._tell(self._told)

    def _opened(self) -> Kept:
        if self._store is None:
            self._store, self._problem_at_open = self._open_store()
        return self._store
