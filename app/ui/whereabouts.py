"""Whether a file of the hub is on this computer already, or on its way."""

import os
from collections.abc import Sequence
from enum import Enum, auto
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.models.download import Download, Failed, Finished, key_of
from app.models.download_places import model_folder, target_of
from app.models.hub import HubModel, RemoteModel
from app.models.hub_problems import HubError
from app.ui.downloads_service import DownloadsService
from app.ui.library_service import LibraryService


class Whereabouts(Enum):
    """Where a model is."""

    ELSEWHERE = auto()
    COMING = auto()  # it is being downloaded, or waits for its turn
    HERE = auto()


class WhereaboutsService(QObject):
    """Follows the library and the downloads."""

    changed = Signal()  # files may be somewhere else than before
    progressed = Signal()  # downloads have moved, and that is all

    def __init__(
        self, library: LibraryService, downloads: DownloadsService, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._library = library
        self._downloads: dict[str, Download] = {}
        self._places: dict[str, Path | Whereabouts] = {}
        self._take(downloads.downloads)
        library.listing_changed.connect(self.changed)
        downloads.downloads_changed.connect(self._follow)

    def path_of(self, model: HubModel, row: RemoteModel) -> Path | None:
        """The very file on this computer, where it was downloaded to or anywhere else."""
        files = self._library.files
        projectors = (path for path in files.projectors_named(row) if path == self._target(model, row))
        listed = files.path_of(row) or next(projectors, None)
        if listed is not None:
            return listed
        finished = self._places.get(key_of(model.repo, row.files))
        # The list of models may not have it yet, or not any more.
        return finished if isinstance(finished, Path) and os.access(finished, os.R_OK) else None

    def download_of(self, model: HubModel, row: RemoteModel) -> Download | None:
        """The download of the file, however it stands."""
        return self._downloads.get(key_of(model.repo, row.files))

    def of(self, model: HubModel, row: RemoteModel) -> Whereabouts:
        """Where the very file is."""
        if self.path_of(model, row) is not None:
            return Whereabouts.HERE
        is_coming = self._places.get(key_of(model.repo, row.files)) is Whereabouts.COMING
        return Whereabouts.COMING if is_coming else Whereabouts.ELSEWHERE

    def of_any(self, model: HubModel, row: RemoteModel) -> Whereabouts:
        """Where the file is, or the same publisher's model in another number format."""
        is_here = self._library.files.has_model_of(row, model.found.publisher)
        return Whereabouts.HERE if is_here else self.of(model, row)

    def _target(self, model: HubModel, row: RemoteModel) -> Path | None:
        try:
            return target_of(model_folder(self._library.models_folder, model.repo), row.files[0], row.files)
        except HubError:  # a name that no file here can have
            return None

    def _follow(self, downloads: Sequence[Download]) -> None:
        before = self._places
        self._take(downloads)
        (self.progressed if self._places == before else self.changed).emit()

    def _take(self, downloads: Sequence[Download]) -> None:
        self._downloads = {download.key: download for download in downloads}
        self._places = {key: _place_of(download) for key, download in self._downloads.items()}


def _place_of(download: Download) -> Path | Whereabouts:
    match download.state:
        case Finished(path):
            return path
        case Failed():
            return Whereabouts.ELSEWHERE
        case _:
            return Whereabouts.COMING
