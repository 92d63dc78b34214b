"""One search of the hub after the other: pages as they are wanted, and no answer to a question of before."""

from collections.abc import Iterator

from PySide6.QtCore import QObject, Signal

from app.models.hub import FoundModel, Hub, SortOrder
from app.models.hub_problems import HubError, HubProblem
from app.ui.tasks import Task, Tasks

Page = tuple[FoundModel, ...]


class HubSearch(QObject):
    """Asks in other threads. The pages of a search are taken one at a time, each when `more` is called."""

    page_received = Signal(object, bool)  # Page, and whether it is the first of its search
    ended = Signal()  # there are no more pages
    failed = Signal(object, bool)  # HubError, and whether not even the first page came

    def __init__(self, hub: Hub, tasks: Tasks, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._hub = hub
        self._tasks = tasks
        self._pages: _Pages | None = None
        self._has_more = False
        self._is_busy = False
        self._task: Task | None = None

    @property
    def is_busy(self) -> bool:
        """Whether a page is under way."""
        return self._is_busy

    def begin(self, words: str, order: SortOrder) -> None:
        """Searches anew. What an earlier search still brings is dropped."""
        if self._task is not None:
            self._task.cancel()
        self._take(_Pages(self._hub, words, order))

    def more(self) -> None:
        """Asks for the next page, unless one is under way or there is none."""
        if self._pages is not None and self._has_more and not self._is_busy:
            self._take(self._pages)

    def again(self) -> None:
        """Asks once more for what failed."""
        if self._pages is not None and not self._is_busy:
            self._take(self._pages)

    def _take(self, pages: "_Pages") -> None:
        self._pages = pages
        self._has_more = False
        self._is_busy = True
        self._task = self._tasks.run(self, pages.take, self._received, self._failed)

    def _received(self, page: Page | None) -> None:
        self._is_busy = False
        taken = self._pages.taken if self._pages is not None else 0
        first = taken == (0 if page is None else 1)
        self._has_more = page is not None
        if page is not None or first:
            self.page_received.emit(page or (), first)
        if page is None:
            self.ended.emit()

    def _failed(self, error: Exception) -> None:
        self._is_busy = False
        told = error
        if not isinstance(error, HubError):
            sentence = self.tr("Something in Slipstream went wrong and ended the search. Try again.")
            told = HubError(HubProblem.FAULT, sentence)
        self.failed.emit(told, self._pages is not None and self._pages.taken == 0)
        if told is not error:
            raise error


class _Pages:
    """The pages of one search, for one thread at a time: the next is asked for only when one has come."""

    def __init__(self, hub: Hub, words: str, order: SortOrder) -> None:
        self._hub = hub
        self._words = words
        self._order = order
        self._pages: Iterator[Page] | None = None
        self.taken = 0

    def take(self) -> Page | None:
        """The next page with something on it; None at the end. Raises what the hub raises.

        A failure ends an iterator: after one, the pages that are known are taken once more.
        """
        if self._pages is None:
            pages = self._hub.search(self._words, self._order)
            for _ in range(self.taken):
                _next(pages)
            self._pages = pages
        try:
            page = _next(self._pages)
        except Exception:
            self._pages = None
            raise
        if page is not None:
            self.taken += 1
        return page


def _next(pages: Iterator[Page]) -> Page | None:
    """A page may be empty before the last one: what the hub found may be of no use here."""
    return next((page for page in pages if page), None)
