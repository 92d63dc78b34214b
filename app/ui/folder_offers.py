"""Offers to list the models that other programs keep on this computer."""

from collections.abc import Callable
from pathlib import Path

from msgspec import Struct
from PySide6.QtCore import QObject, Signal

from app.models.model_folders import Keeper, OfferedFolder, count_models
from app.settings import Settings
from app.ui.preferences import Preferences
from app.ui.tasks import Tasks


class FolderOffer(Struct, frozen=True):
    """A folder that is not listed yet, and how many models it seems to hold."""

    keeper: Keeper
    path: Path
    models: int


class FolderOffers(QObject):
    """Looks for such folders when asked. `find` looks for what there is; it runs in a thread."""

    changed = Signal()

    def __init__(
        self,
        find: Callable[[], tuple[OfferedFolder, ...]],
        preferences: Preferences,
        tasks: Tasks,
        default_folder: Path,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._find = find
        self._preferences = preferences
        self._tasks = tasks
        self._default_folder = default_folder
        self._found: tuple[FolderOffer, ...] = ()
        self._open: tuple[FolderOffer, ...] = ()
        preferences.changed.connect(self._sift)

    @property
    def open(self) -> tuple[FolderOffer, ...]:
        """Those that are neither listed nor declined."""
        return self._open

    def look(self) -> None:
        """Looks once more."""
        self._tasks.run(self, lambda: _offers(self._find()), self._take)

    def accept(self, offer: FolderOffer) -> None:
        """Lists the folder's models."""
        listed = self._preferences.settings.extra_folders
        self._preferences.update(extra_folders=(*listed, offer.path))

    def decline(self, offer: FolderOffer) -> None:
        """Offers the folder never again."""
        declined = self._preferences.settings.declined_folders
        self._preferences.update(declined_folders=(*declined, offer.path))

    def _take(self, found: tuple[FolderOffer, ...]) -> None:
        self._found = found
        self._sift(self._preferences.settings)

    def _sift(self, settings: Settings) -> None:
        listed = (settings.models_folder or self._default_folder, *settings.extra_folders)
        still_open = tuple(
            offer
            for offer in self._found
            if offer.path not in settings.declined_folders
            and not any(offer.path.is_relative_to(folder) for folder in listed)
        )
        if still_open != self._open:
            self._open = still_open
            self.changed.emit()


def _offers(folders: tuple[OfferedFolder, ...]) -> tuple[FolderOffer, ...]:
    counted = (FolderOffer(folder.keeper, folder.path, count_models(folder.path)) for folder in folders)
    return tuple(offer for offer in counted if offer.models)
