"""Discover: models on Hugging Face, found, chosen and downloaded."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QKeySequence, QResizeEvent, QShortcut, QShowEvent
from PySide6.QtWidgets import QWidget

from app.core.advice import Advisor
from app.core.options import LoadOptions
from app.models.hub import FoundModel, Hub
from app.models.hub_query import Repository
from app.models.library import LocalModel
from app.ui.downloads_service import DownloadsService
from app.ui.icons import Icons
from app.ui.library_service import LibraryService
from app.ui.repository_pane import RepositoryPane
from app.ui.search_panel import SearchPanel
from app.ui.tasks import Tasks
from app.ui.theme import Theme
from app.ui.widgets import hairline, row

_LEAST_LEFT, _MOST_LEFT, _LEFT_SHARE = 308, 400, 0.33  # pixels, and of the page's width
_SCHEMES = ("http", "https")


class DiscoverPage(QWidget):
    """The hub is asked for nothing before the page is shown, or somebody wants something of it.

    `tasks` and `header_tasks` should not be those that the rest of the window waits for: a poor line holds
    a thread for long, above all one that reads headers.
    """

    load_requested = Signal(object)  # Path
    pair_begun = Signal(object, object)  # Path, Path: a target's file and its draft's, downloaded for it
    settings_requested = Signal()  # for a token

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
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("discover_page")
        self.setAccessibleName(self.tr("Discover"))
        self._panel = SearchPanel(theme, icons, tasks, hub)
        self._pane = RepositoryPane(
            theme,
            icons,
            tasks,
            header_tasks,
            hub,
            downloads,
            advisor,
            library,
            models_folder,
            free_memory,
            load_options,
        )
        whole = row(self._panel, hairline(vertical=True), self._pane, spacing=0)
        whole.setStretch(2, 1)
        self.setLayout(whole)
        self._panel.opened.connect(self._open_found)
        self._panel.named.connect(self._pane.open)
        self._panel.asked_anew.connect(self._leave_failure)
        self._panel.retried.connect(self._retry_pane)
        self._panel.settings_requested.connect(self.settings_requested)
        self._pane.repository_opened.connect(self._panel.mark_opened)
        self._pane.query_known.connect(self.search_for)
        self._pane.retried.connect(self._panel.retry)
        self._pane.load_requested.connect(self.load_requested)
        self._pane.pair_begun.connect(self.pair_begun)
        self._pane.settings_requested.connect(self.settings_requested)
        self._pane.address_requested.connect(_open_address)
        find = QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self)
        find.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        find.activated.connect(self.take_focus)

    def search_for(self, words: str) -> None:
        """Searches for these words: now, or as soon as the page is shown."""
        if self.isVisible():
            self._panel.search_for(words)
        else:
            self._panel.set_words(words)

    def find_drafts_for(self, model: LocalModel) -> None:
        """Shows small models that may draft for one on this computer, and searches for more."""
        self._panel.mark_opened(None)
        self._pane.find_drafts_for(model)

    def show_downloads(self) -> None:
        """Brings the downloads into sight."""
        self._pane.show_downloads()

    def take_focus(self) -> None:
        """Puts the cursor into the search field."""
        self._panel.take_focus()

    def showEvent(self, event: QShowEvent) -> None:
        """Asks for the first time, or again for what failed while there was no network."""
        super().showEvent(event)
        self._panel.begin()
        self._pane.begin()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The left side gives way first."""
        super().resizeEvent(event)
        wanted = round(event.size().width() * _LEFT_SHARE)
        self._panel.setFixedWidth(min(max(wanted, _LEAST_LEFT), _MOST_LEFT))

    def _open_found(self, found: FoundModel) -> None:
        self._pane.open(Repository(found.repo), found)

    def _leave_failure(self) -> None:
        if self._pane.leave_failure():
            self._panel.mark_opened(None)

    def _retry_pane(self) -> None:
        if self._pane.has_failed:
            self._pane.retry()


def _open_address(address: str) -> None:
    url = QUrl(address)
    if url.scheme().lower() in _SCHEMES:
        QDesktopServices.openUrl(url)
