"""Banners about folders: offers of those of other programs, and those that are missing."""

from pathlib import Path

from PySide6.QtWidgets import QWidget

from app.models.library import Listing
from app.models.model_folders import Keeper
from app.models.model_names import printable
from app.ui.folder_offers import FolderOffer, FolderOffers
from app.ui.icons import Icons
from app.ui.library_service import LibraryService
from app.ui.notice import Notice
from app.ui.theme import Theme
from app.ui.widgets import column


class FolderNotices(QWidget):
    """Shows one folder of each kind at a time, and nothing most of the time."""

    def __init__(self, theme: Theme, icons: Icons, library: LibraryService, offers: FolderOffers) -> None:
        super().__init__()
        self._library = library
        self._offers = offers
        self._told: set[Path] = set()  # missing folders that somebody has read about
        self._offer = Notice(theme, icons)
        self._offer.setObjectName("folder_offer")
        self._offer.dismissed.connect(self._decline)
        self._missing = Notice(theme, icons)
        self._missing.setObjectName("missing_folder_notice")
        self._missing.dismissed.connect(self._forget_missing)
        self.setLayout(column(self._offer, self._missing))
        offers.changed.connect(self._show_offer)
        library.listing_changed.connect(self._show_missing)
        self._show_offer()
        self._show_missing(library.listing)

    def _show_offer(self) -> None:
        if self._offers.open:
            offer = self._offers.open[0]
            self._offer.tell(self._offer_text(offer), tone="text")
            self._offer.offer(
                self.tr("Show them"), "accept_folder_button", lambda: self._offers.accept(offer)
            )
        else:
            self._offer.clear()
        self._arrange()

    def _offer_text(self, offer: FolderOffer) -> str:
        match offer.keeper:
            case Keeper.LM_STUDIO:
                keeper = self.tr("LM Studio")
            case Keeper.HUGGING_FACE:
                keeper = self.tr("The Hugging Face cache")
        if offer.models == 1:
            text = self.tr("{keeper} keeps a model in {folder}. Show it here too?")
        else:
            text = self.tr("{keeper} keeps {count} models in {folder}. Show them here too?")
        return text.format(keeper=keeper, count=offer.models, folder=printable(str(offer.path)))

    def _decline(self) -> None:
        if self._offers.open:
            self._offers.decline(self._offers.open[0])

    def _show_missing(self, listing: Listing) -> None:
        folder = next((path for path in listing.unreadable_folders if path not in self._told), None)
        if folder is None:
            self._missing.clear()
        else:
            text = self.tr("{folder} is not there or cannot be read, so its models are not listed.")
            self._missing.tell(text.format(folder=printable(str(folder))))
            self._missing.offer(
                self.tr("Remove folder"),
                "remove_folder_button",
                lambda: self._library.remove_folder(folder),
            )
        self._arrange()

    def _forget_missing(self) -> None:
        self._told.update(self._library.listing.unreadable_folders)
        self._arrange()

    def _arrange(self) -> None:
        self.setVisible(not (self._offer.isHidden() and self._missing.isHidden()))
