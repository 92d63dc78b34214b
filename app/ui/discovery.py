"""Discover and its downloads: what the rest of the window hears of them, and does for them."""

from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.core.options import DraftLength
from app.models.download import Download, Finished
from app.models.download_places import targets_of
from app.models.library import Listing, LocalModel
from app.models.model_names import printable
from app.ui.close_question import CloseQuestion
from app.ui.discover_page import DiscoverPage
from app.ui.failure_notice import FailureNotice
from app.ui.notice import Notice
from app.ui.rail import PageName
from app.ui.ready_notice import ReadyNotice
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
        failure_notice: Notice,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._services = services
        self._page = page
        self._notice = done_notice
        self._to_load: Path | None = None
        self._ready = ReadyNotice(services.downloads, services.library, done_notice, self)
        self._ready.load_requested.connect(self.load_file)
        self._ready.models_page_requested.connect(self._go_to_models)
        self._listed = services.library.listing.paths
        self._failures = FailureNotice(services.downloads, failure_notice, self)
        self._failures.downloads_requested.connect(self._go_to_downloads)
        self._offer = UnfinishedOffer(services.downloads, offer_notice, self)
        self._question = CloseQuestion(services.downloads, window)
        self._question.close_confirmed.connect(self.close_confirmed)
        services.downloads.downloads_changed.connect(status.show_downloads)
        services.downloads.download_finished.connect(self._finished)
        services.library.listing_changed.connect(self._load_listed)
        services.library.listing_changed.connect(self._drop_deleted)
        services.library.looked.connect(self._give_up_wanted)
        services.session.state_changed.connect(self._ready.show_state)
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
        """Loads a file as soon as the library has it, which may have been told to leave it out."""
        self._to_load = path
        self._load_listed()
        if self._to_load is not None:
            self._services.library.unhide((path,))

    def _remember_draft(self, target: Path, draft: Path) -> None:
        """A draft that was downloaded for a target is its choice as soon as drafting is turned on.

        Its length is left to the program: nobody can have chosen a better one yet.
        """
        config = self._services.preferences.settings.config_for(target)
        if config.draft is None:
            speculation = replace(config.speculation, draft_length=DraftLength.AUTOMATIC)
            config = replace(config, draft=draft, speculation=speculation)
            self._services.preferences.remember(target, config)

    def _load_listed(self) -> None:
        model = None if self._to_load is None else self._services.library.find(self._to_load)
        if model is not None:
            self._to_load = None
            self.load_requested.emit(model)

    def _give_up_wanted(self) -> None:
        """The library has looked since, and has listed it if it can be used."""
        wanted, self._to_load = self._to_load, None
        if wanted is None:
            return
        if any(wanted in (file.path, *file.files) for file in self._services.library.listing.unusable):
            text = self.tr("{name} cannot be used; My Models says why.")
        else:
            text = self.tr("{name} is not in My Models.")
        self._ready.forget()
        self._notice.tell(text.format(name=printable(wanted.name, 200)), tone="bad")
        self._notice.offer(self.tr("Go to My Models"), "unusable_download_button", self._go_to_models)

    def _drop_deleted(self, listing: Listing) -> None:
        """What came and was deleted again is no download that is done."""
        before, self._listed = self._listed, listing.paths
        for download in self._services.downloads.downloads:
            if isinstance(download.state, Finished) and download.state.path in before - self._listed:
                self._services.downloads.remove(download.key)

    def _finished(self, download: Download) -> None:
        self._services.library.unhide(targets_of(download.request))
        self._ready.add(download)

    def _go_to_models(self) -> None:
        self._notice.clear()
        self.page_requested.emit(PageName.MODELS)

    def _go_to_downloads(self) -> None:
        self.page_requested.emit(PageName.DISCOVER)
        self._page.show_downloads()
