"""A library without a disk: what a look finds is what the test says."""

from collections.abc import Callable, Sequence
from pathlib import Path

from app.models.header_index import HeaderIndex
from app.models.library import Listing, LocalLibrary, LocalModel, UnusableFile
from app.settings_file import SettingsFile
from app.ui.library_service import LibraryService
from app.ui.preferences import Preferences
from tests.fakes.tasks import ImmediateTasks


class ListedModels(LocalLibrary):
    """Finds `listing`, whatever the folders."""

    def __init__(self, *models: LocalModel, unusable: tuple[UnusableFile, ...] = ()) -> None:
        super().__init__(HeaderIndex(None))
        self.listing = Listing(models=models, unusable=unusable)

    def scan(
        self,
        folders: Sequence[Path],
        managed: Path,
        *,
        going_on: Callable[[], bool] = lambda: True,
        on_progress: Callable[[int, int], None] = lambda done, total: None,
    ) -> Listing:
        """What it was told."""
        return self.listing


def preferences_in(folder: Path) -> Preferences:
    """Preferences that are saved at once, in a folder of the test's."""
    return Preferences(SettingsFile(folder / "settings.json"), ImmediateTasks(threads=1))


def library_of(models: LocalLibrary, preferences: Preferences, folder: Path) -> LibraryService:
    """The service over them, after its first look. Looks are done at once."""
    service = LibraryService(models, preferences, ImmediateTasks(threads=1), folder)
    service.refresh()
    return service
