"""The left side of Discover: words to search for, how the results are sorted, and the results."""

from enum import Enum, auto

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QStackedLayout, QWidget

from app.models.hub import Hub, SortOrder
from app.models.hub_problems import HubError, HubProblem
from app.models.hub_query import Repository
from app.models.model_names import printable
from app.ui.chips import Chips
from app.ui.hub_search import HubSearch, Page
from app.ui.hub_trouble import HubTrouble
from app.ui.icons import Icons
from app.ui.search_field import SearchField
from app.ui.search_results import Ending, SearchResults
from app.ui.search_view import SearchView
from app.ui.tasks import Tasks
from app.ui.theme import Theme
from app.ui.widgets import column, label

_OF_ONE = (HubProblem.HIDDEN, HubProblem.NOT_FOUND, HubProblem.FORBIDDEN, HubProblem.GATED)


class _State(Enum):
    WAITING = auto()  # nothing was asked yet
    SEARCHING = auto()  # and nothing is there to look at meanwhile
    FOUND = auto()
    NOTHING = auto()
    FAILED = auto()


class SearchPanel(QFrame):
    """Searches while one types; old results stay, dimmed, until new ones come.

    Nothing is asked before `begin`.
    """

    opened = Signal(object)  # FoundModel
    named = Signal(object)  # Repository: to be opened whatever the search finds
    settings_requested = Signal()
    asked_anew = Signal()  # by the reader, for something else than before
    retried = Signal()  # the reader tries again after a failure

    def __init__(
        self, theme: Theme, icons: Icons, tasks: Tasks, hub: Hub, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("search_panel")
        self._search = HubSearch(hub, tasks, self)
        self._results = SearchResults(self)
        self._state = _State.WAITING
        self._asked: tuple[str, SortOrder] | None = None
        self._error: HubError | None = None
        self._opened: str | None = None
        self._field = SearchField(theme, icons)
        self._chips = Chips("search_order", self.tr("Sorted by"), self._order_words(), theme)
        self._caption = label(size="small", tone="faint")
        self._caption.setObjectName("search_caption")
        self._view = SearchView(theme, self._results)
        self._title = label(tone="muted", wrap=True)
        self._title.setObjectName("search_message")
        self._text = label(tone="faint", size="small", wrap=True)
        self._text.setObjectName("search_message_text")
        self._trouble = HubTrouble("search_trouble")
        self._pages = QStackedLayout()
        self._pages.addWidget(self._view)
        self._pages.addWidget(self._message())
        self._pages.addWidget(self._trouble)
        heading = label(self.tr("Discover"), size="title")
        whole = column(heading, 4, self._field, self._chips, self._caption, margins=(16, 20, 16, 8))
        whole.addLayout(self._pages, 1)
        self.setLayout(whole)
        self._connect()
        self._show(_State.WAITING)

    @property
    def has_failed(self) -> bool:
        """Whether an error is shown in place of results."""
        return self._state is _State.FAILED

    def begin(self) -> None:
        """The page is seen: asks for what was not asked yet, or failed in a way that may have passed."""
        passing = self._error is not None and self._error.problem.may_pass and not self._error.wait_seconds
        if self._wanted != self._asked or (self.has_failed and passing):
            self._ask()

    def search_for(self, words: str) -> None:
        """Searches for these words, now."""
        self._field.set_words(words)
        self._ask_if_new()

    def set_words(self, words: str) -> None:
        """Shows words without searching for them before `begin` or the next key."""
        self._field.set_words(words)

    def mark_opened(self, repo: str | None) -> None:
        """Which repository is open; its row is selected where it is listed."""
        self._opened = repo
        self._view.select(repo)

    def retry(self) -> None:
        """Asks once more for what failed."""
        if self.has_failed:
            self._ask()

    def take_focus(self) -> None:
        """Puts the cursor into the field."""
        self._field.setFocus()
        self._field.selectAll()

    def _order_words(self) -> dict[SortOrder, str]:
        return {
            SortOrder.BEST_MATCH: self.tr("Best match"),
            SortOrder.DOWNLOADS: self.tr("Downloads"),
            SortOrder.LIKES: self.tr("Likes"),
            SortOrder.UPDATED: self.tr("Updated"),
        }

    def _message(self) -> QWidget:
        for line in (self._title, self._text):
            line.setAlignment(Qt.AlignmentFlag.AlignCenter)
        made = QWidget()
        made.setLayout(column(None, self._title, self._text, None, spacing=4, margins=(16, 0, 16, 64)))
        return made

    def _connect(self) -> None:
        self._field.settled.connect(self._ask_if_new)
        self._field.submitted.connect(self._submit)
        self._field.stepped.connect(self._view.step)
        self._chips.value_chosen.connect(self._ask_if_new)
        self._search.page_received.connect(self._take_page)
        self._search.ended.connect(self._end)
        self._search.failed.connect(self._fail)
        self._view.opened.connect(self.opened)
        self._view.more_wanted.connect(self._want_more)
        self._view.retry_wanted.connect(self._ask_page_again)
        self._trouble.retry_requested.connect(self._try_again)
        self._trouble.settings_requested.connect(self.settings_requested)

    # Asking

    @property
    def _wanted(self) -> tuple[str, SortOrder]:
        words, order = self._field.words, SortOrder(self._chips.value)
        if not words and order is SortOrder.BEST_MATCH:
            order = SortOrder.DOWNLOADS  # nothing matches no words better than the rest
        return words, order

    def _submit(self) -> None:
        """An answer is wanted at once, and a repository's own name opens it whatever is found."""
        self._field.rest()
        if self._wanted != self._asked or self.has_failed:
            self._ask_anew()
        self._name(self._field.repository)

    def _ask_if_new(self) -> None:
        self._field.rest()
        if self._wanted == self._asked and not self.has_failed:
            return
        self._ask_anew()
        if self._field.is_address:
            self._name(self._field.repository)

    def _name(self, repository: Repository | None) -> None:
        if repository is not None:
            self.named.emit(repository)

    def _ask_anew(self) -> None:
        self.asked_anew.emit()
        self._ask()

    def _ask(self) -> None:
        self._asked = self._wanted
        self._error = None
        if self._state is not _State.FOUND:
            self._show(_State.SEARCHING)
        else:
            self._view.set_dimmed(True)
        self._search.begin(*self._asked)

    def _try_again(self) -> None:
        self._ask()
        self.retried.emit()

    def _want_more(self) -> None:
        self._search.more()
        if self._search.is_busy and self._results.ending is Ending.NONE:
            self._results.end_with(Ending.LOADING)

    def _ask_page_again(self) -> None:
        self._results.end_with(Ending.LOADING)
        self._search.again()

    # Answers

    def _take_page(self, page: Page, first: bool) -> None:
        if not first:
            self._results.end_with(Ending.NONE)
            self._results.append(page)
            self._view.look_ahead()
            return
        self._results.replace(page)
        self._view.set_dimmed(False)
        self._show(_State.FOUND if page else _State.NOTHING)
        self._view.select(self._opened)
        self._view.scrollToTop()
        self._view.look_ahead()

    def _end(self) -> None:
        """Told at the end of a list that one has to scroll; of a short one it is seen."""
        self._results.end_with(Ending.OVER if self._view.has_to_scroll else Ending.NONE)

    def _fail(self, error: HubError, first: bool) -> None:
        if not first:
            self._results.end_with(Ending.FAILED, printable(str(error)))
            return
        self._view.set_dimmed(False)
        if self._field.repository is not None and error.problem in _OF_ONE:
            # It is told where the repository would be, once that is opened.
            self._results.replace(())
            self._show(_State.NOTHING)
            return
        self._error = error
        self._trouble.show_error(error)
        self._show(_State.FAILED)

    # What is shown

    def _show(self, state: _State) -> None:
        self._state = state
        pages = {_State.FOUND: 0, _State.FAILED: 2}
        self._pages.setCurrentIndex(pages.get(state, 1))
        words = self._asked[0] if self._asked is not None else ""
        match state:
            case _State.SEARCHING:
                self._say(self.tr("Searching…") if words else self.tr("Asking Hugging Face…"))
            case _State.NOTHING:
                title = self.tr("Nothing found for “{words}”.").format(words=printable(words, 80))
                self._say(
                    title if words else self.tr("Nothing found."),
                    self.tr(
                        "Only models in GGUF files are searched. Try fewer words, or only a part of the name."
                    ),
                )
            case _:
                self._say("")
        self._caption.setText(self._caption_text() if state is _State.FOUND else "")
        self._caption.setVisible(bool(self._caption.text()))

    def _say(self, title: str, text: str = "") -> None:
        self._title.setText(title)
        self._text.setText(text)
        self._text.setVisible(bool(text))

    def _caption_text(self) -> str:
        words, order = self._asked or ("", SortOrder.DOWNLOADS)
        if words:
            return ""
        match order:
            case SortOrder.LIKES:
                return self.tr("Most liked on Hugging Face")
            case SortOrder.UPDATED:
                return self.tr("Updated last on Hugging Face")
            case _:
                return self.tr("Most downloaded on Hugging Face")
