"""Discover and its downloads: what the rest of the window hears of them, and does for them."""

from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.models.download import Download, Finished
from app.models.download_places import targets_of
from app.models.library import LocalModel
from app.ui.close_question import CloseQuestion
from app.ui.discover_page import DiscoverPage
from app.ui.download_words import title_text
from app.ui.notice import Notice
from app.ui.rail import PageName
from app.ui.services import Services
from app.ui.status_bar import StatusBar
from app.ui.unfinished_offer import UnfinishedOffer


class Discovery(QObject):
    """What is downloaded is listed at once, said, and can be loaded."""

    page_requested = Signal(object)  # PageName
    load_requested = Signal(object)  # LocalModel
    token_requested = Signal()  # a place to give one
    close_confirmed = Signal()

    def __init__(
        self,
        services: Services,
        page: DiscoverPage,
        status: StatusBar,
        done_notice: Notice,
        offer_notice: Notice,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._services = services
        self._page = page
        self._notice = done_notice
        self._to_load: Path | None = None
        self._offer = UnfinishedOffer(services.downloads, offer_notice, self)
        self._question = CloseQuestion(services.downloads, window)
        self._question.close_confirmed.connect(self.close_confirmed)
        services.downloads.downloads_changed.connect(status.show_downloads)
        services.downloads.download_finished.connect(self._finished)
        services.library.looked.connect(self._load_wanted)
        page.load_requested.connect(self.load_file)
        page.pair_begun.connect(self._remember_draft)
        page.settings_requested.connect(self.token_requested)
        status.downloads_requested.connect(self._go_to_downloads)
        status.show_downloads(services.downloads.downloads)

    def find_drafts_for(self, model: LocalModel) -> None:
        """Goes to Discover, with drafts for a local model being looked for."""
        self._page.find_drafts_for(model)
        self.page_requested.emit(PageName.DISCOVER)

    def may_close(self) -> bool:
        """Whether the window may close now; else the person is asked, and `close_confirmed` may come."""
        return self._question.may_close()

    def close_without_asking(self) -> None:
        """The program is told to end."""
        self._question.close_without_asking()

    def load_file(self, path: Path) -> None:
        """Loads a file as soon as the library has it."""
        model = self._services.library.find(path)
        if model is not None:
            self._to_load = None
            self.load_requested.emit(model)
            return
        self._to_load = path
        self._services.library.refresh()

    def _remember_draft(self, target: Path, draft: Path) -> None:
        """A draft that was downloaded for a target is its choice as soon as drafting is turned on."""
        config = self._services.preferences.settings.config_for(target)
        if config.draft is None:
            self._services.preferences.remember(target, replace(config, draft=draft))

    def _load_wanted(self) -> None:
        """The library has looked: once is enough for a file that is there."""
        wanted, self._to_load = self._to_load, None
        if wanted is None:
            return
        model = self._services.library.find(wanted)
        if model is not None:
            self.load_requested.emit(model)
            return
        text = self.tr("{name} cannot be used; My Models says why.").format(name=wanted.name)
        self._notice.tell(text, tone="bad")
        self._notice.offer(self.tr("Go to My Models"), "unusable_download_button", self._go_to_models)

    def _finished(self, download: Download) -> None:
        assert isinstance(download.state, Finished)
        path = download.state.path
        self._services.library.unhide(targets_of(download.request))
        self._notice.tell(self.tr("{name} is ready.").format(name=title_text(download)), tone="good")
        self._notice.offer(self.tr("Load"), "load_downloaded_button", lambda: self._load_finished(path))

    def _load_finished(self, path: Path) -> None:
        self._notice.clear()
        self.load_file(path)

    def _go_to_models(self) -> None:
        self._notice.clear()
        self.page_requested.emit(PageName.MODELS)

    def _go_to_downloads(self) -> None:
        self.page_requested.emit(PageName.DISCOVER)
        self._page.show_downloads()
