"""Folders with models, settings, and the services that follow both, for tests of the window."""

from pathlib import Path

from app.models.header_index import HeaderIndex
from app.models.library import LocalLibrary
from app.settings_file import SettingsFile
from app.ui.folder_offers import FolderOffers
from app.ui.library_service import LibraryService
from app.ui.preferences import Preferences
from app.ui.tasks import Tasks
from tests.fakes.tasks import ImmediateTasks
from tests.fakes.tiny_gguf import write_llama


class Places:
    """Everything in one folder of a test. Work is done at once unless other tasks are given."""

    def __init__(self, root: Path, tasks: Tasks | None = None) -> None:
        self.managed = root / "managed"
        self.other = root / "other"
        self.managed.mkdir()
        self.other.mkdir()
        self.tasks = tasks or ImmediateTasks(threads=1)
        self.preferences = Preferences(SettingsFile(root / "settings.toml"), ImmediateTasks(threads=1))
        self.library = LibraryService(
            LocalLibrary(HeaderIndex(None)), self.preferences, self.tasks, self.managed
        )
        self.offers = FolderOffers(lambda: (), self.preferences, self.tasks, self.managed)

    def put(self, name: str, *, managed: bool = True, **options: object) -> Path:
        """Writes a tiny model into one of the two folders."""
        path = (self.managed if managed else self.other) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        return write_llama(path, **options)  # type: ignore[arg-type]

    def listed(self) -> list[Path]:
        """The files that are listed as models."""
        return [model.path for model in self.library.listing.models]

    def close(self) -> None:
        """Ends all services."""
        self.library.close()
        self.preferences.close()
        self.tasks.finish()
        for service in (self.library, self.offers, self.preferences):
            service.deleteLater()  # here and now, not when rubbish is collected in some thread
