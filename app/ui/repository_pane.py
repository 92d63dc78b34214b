"""The right side of Discover: a repository or the drafts for a model, and the downloads below."""

from collections.abc import Callable
from datetime import date
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QScrollArea, QWidget

from app.core.advice import Advisor
from app.core.options import LoadOptions
from app.models.download import Download
from app.models.hub import FoundModel, Hub, HubModel, RemoteModel
from app.models.hub_problems import HubError
from app.models.hub_query import Repository
from app.models.library import LocalModel
from app.ui.card_dialog import CardDialog
from app.ui.downloads_panel import DownloadsPanel
from app.ui.downloads_service import DownloadsService
from app.ui.draft_finder import DraftFinder
from app.ui.draft_offer import DraftOffer
from app.ui.fit_hints import FitHints
from app.ui.form_parts import set_shown
from app.ui.hub_trouble import HubTrouble
from app.ui.icons import Icons
from app.ui.library_service import LibraryService
from app.ui.nothing_chosen import NothingChosen
from app.ui.notice import Notice
from app.ui.repository_files import RepositoryFiles
from app.ui.repository_view import RepositoryView
from app.ui.tasks import Task, Tasks
from app.ui.theme import Theme
from app.ui.whereabouts import WhereaboutsService
from app.ui.widgets import button, column, row

_WIDEST = 1040  # pixels
_NARROW = 560  # pixels of width, below which margins are small


class RepositoryPane(QScrollArea):
    """Opens one repository at a time; what is still said about one of before is dropped."""

    load_requested = Signal(object)  # Path
    pair_begun = Signal(object, object)  # Path, Path: a target's file and its draft's
    settings_requested = Signal()
    address_requested = Signal(str)
    repository_opened = Signal(str)  # asked for, under this name
    query_known = Signal(str)  # words that find what is shown
    retried = Signal()

    def __init__(
        self,
        theme: Theme,
        icons: Icons,
        tasks: Tasks,
        header_tasks: Tasks,
        hub: Hub,
        downloads: DownloadsService,
        advisor: Advisor,
        library: LibraryService,
        models_folder: Callable[[], Path],
        free_memory: Callable[[], int],
        load_options: Callable[[], LoadOptions],
        today: Callable[[], date] = date.today,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("repository_pane")
        self.setAccessibleName(self.tr("Model"))
        self._theme, self._icons, self._tasks, self._hub = theme, icons, tasks, hub
        self._today = today
        self._wanted: Repository | None = None  # what is open, or being opened
        self._task: Task | None = None
        self._error: HubError | None = None
        self._local_target: Path | None = None  # that drafts were looked for last
        self._nothing = NothingChosen(theme, icons)
        self._trouble = HubTrouble("repository_trouble")
        self._notice = Notice(theme, icons)
        self._notice.setObjectName("repository_notice")
        self._back = button(self.tr("Back to the draft models"), "back_to_drafts_button", small=True)
        self._view = RepositoryView(theme, icons)
        places = WhereaboutsService(library, downloads, self)
        self._offer = DraftOffer(theme, icons, hub, advisor, header_tasks, places)
        hints = FitHints(hub, advisor, header_tasks, free_memory, load_options, parent=self)
        self._files = RepositoryFiles(
            self._view, self._offer, hints, downloads, places, models_folder, free_memory, self
        )
        self._finder = DraftFinder(theme, icons, hub, advisor, header_tasks, places)
        self._panel = DownloadsPanel(theme, icons, downloads)
        self._card: CardDialog | None = None
        self._lay_out()
        self._connect()
        self._show(self._nothing)

    def begin(self) -> None:
        """The page is seen: what failed in a way that may have passed is asked for again."""
        if self.has_failed and self._error is not None and not self._error.wait_seconds:
            self.retry()

    @property
    def has_failed(self) -> bool:
        """Whether a repository could not be opened for now, and may be a little later."""
        return self._error is not None and self._error.problem.may_pass

    def open(
        self, wanted: Repository, found: FoundModel | None = None, goes_on_with: str | None = None
    ) -> None:
        """Opens a repository, or reads it anew. `found` is what a search has told of it.

        `goes_on_with` is the path of a file in it that is to be downloaded, as it is then.
        """
        if self._task is not None:
            self._task.cancel()
        if self._wanted != wanted:
            self._has_drafts = not self._finder.isHidden()  # the way back is for what was chosen there
        self._wanted = wanted
        self._error = None
        self._notice.clear()
        self._files.clear()
        if goes_on_with is not None:
            self._files.go_on_with(goes_on_with)
        self._view.show_found(found or FoundModel(wanted.repo), self._today())
        self._show(self._view)
        self.verticalScrollBar().setValue(0)
        self.repository_opened.emit(wanted.repo)
        self._task = self._tasks.run(
            self, lambda: self._hub.describe(wanted.repo), self._take_model, self._take_failure
        )

    def find_drafts_for(self, model: LocalModel) -> None:
        """Shows small models that may draft for one on this computer."""
        if self._task is not None:
            self._task.cancel()
        self._wanted = None
        self._error = None
        self._files.clear()
        self._notice.clear()
        self._has_drafts = True
        self._local_target = model.path
        self._show(self._finder)
        self.verticalScrollBar().setValue(0)
        self._finder.show_for(model)

    def show_downloads(self) -> None:
        """Brings the downloads into sight, which stand below everything."""
        self.show_part(self._panel)

    def show_part(self, part: QWidget) -> None:
        """Brings something of what is in here into sight."""
        self._whole.activate()  # else it is not known where things are
        self.ensureWidgetVisible(part)

    def leave_failure(self) -> bool:
        """Shows no failure any more: something else is looked for now. Gives whether there was one."""
        failed, self._error = self._error is not None, None
        if failed:
            self._wanted = None
            self._show(self._finder if self._has_drafts else self._nothing)
        return failed

    def retry(self) -> None:
        """Asks once more for the repository that could not be opened."""
        if self._error is not None and self._wanted is not None:
            self.open(self._wanted)

    def showEvent(self, event: QShowEvent) -> None:
        """Other programs may have taken memory, or given it back."""
        super().showEvent(event)
        self._files.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keeps less room at the sides where there is little."""
        super().resizeEvent(event)
        side = 24 if event.size().width() >= _NARROW else 16
        self._whole.setContentsMargins(side, 20, side, 24)

    def _lay_out(self) -> None:
        self._has_drafts = False
        self._parts = (self._nothing, self._trouble, self._view, self._finder)
        inner = column(
            row(self._back, None),
            self._notice,
            self._nothing,
            self._trouble,
            self._view,
            self._finder,
            self._offer,
            self._panel,
            spacing=14,
        )
        inner.setStretchFactor(self._nothing, 1000)
        inner.setStretchFactor(self._trouble, 1000)
        inner.addStretch(1)  # everything else keeps its height
        holder = QWidget()
        holder.setMaximumWidth(_WIDEST)
        holder.setLayout(inner)
        self._whole = row(holder, spacing=0)
        self._whole.setStretch(0, 1)
        self._whole.addStretch(0)
        self._content = QWidget()
        self._content.setObjectName("scroll_content")
        self._content.setLayout(self._whole)
        self.setWidget(self._content)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.verticalScrollBar().setSingleStep(24)

    def _connect(self) -> None:
        self._trouble.retry_requested.connect(self._try_again)
        self._trouble.settings_requested.connect(self.settings_requested)
        self._back.clicked.connect(self._go_back)
        self._view.card_requested.connect(self._show_card)
        self._view.settings_requested.connect(self.settings_requested)
        self._view.search_requested.connect(self.query_known)
        self._files.load_requested.connect(self.load_requested)
        self._files.pair_begun.connect(self.pair_begun)
        self._files.refused.connect(self._tell_refusal)
        self._files.row_reached.connect(self._show_row)
        self._files.outdated.connect(self._read_anew)
        self._finder.draft_requested.connect(self._download_found)
        self._finder.repository_requested.connect(lambda repo: self.open(Repository(repo)))
        self._finder.query_known.connect(self.query_known)
        self._panel.load_requested.connect(self.load_requested)
        self._panel.address_requested.connect(self.address_requested)
        self._panel.settings_requested.connect(self.settings_requested)
        self._panel.files_requested.connect(self._show_files)

    def _download_found(self, draft: tuple[HubModel, RemoteModel]) -> None:
        self._files.download_draft_for(self._local_target, draft)

    def _show(self, part: QWidget) -> None:
        for one in self._parts:
            set_shown(one, one is part)
        set_shown(self._back, self._has_drafts and part is not self._finder)

    def _go_back(self) -> None:
        if self._task is not None:
            self._task.cancel()
        self._wanted = None
        self._files.clear()
        self._show(self._finder)

    # What the hub says

    def _take_model(self, model: HubModel) -> None:
        self._task = None
        self._view.show_model(model, self._today())
        if self._wanted is not None:
            self._files.begin(model, self._wanted)

    def _take_failure(self, error: Exception) -> None:
        self._task = None
        if not isinstance(error, HubError):
            raise error
        self._error = error
        self._trouble.show_error(error)
        self._show(self._trouble)

    def _try_again(self) -> None:
        self.retry()
        self.retried.emit()

    def _read_anew(self, path: str) -> None:
        model = self._view.model
        if self._wanted is not None and model is not None:
            self.open(self._wanted, model.found, goes_on_with=path)

    def _show_files(self, download: Download) -> None:
        request = download.request
        self.open(Repository(request.repo, request.files[0].path))

    def _tell_refusal(self, sentence: str) -> None:
        self._notice.tell(sentence, tone="bad")
        self.verticalScrollBar().setValue(0)

    def _show_row(self, row_: RemoteModel) -> None:
        """Brings a row of the table into sight."""
        self._whole.activate()  # else it is not known where things are
        place = self._view.files.place_of(row_)
        middle = self._view.files.viewport().mapTo(self._content, place.center())
        self.ensureVisible(middle.x(), middle.y(), 0, place.height())

    def _show_card(self) -> None:
        model = self._view.model
        if model is not None:
            self._card = CardDialog(self._theme, self._icons, self._tasks, self._hub, model, self.window())
            self._card.open()
