"""Whether a file of the hub is on this computer already, or on its way."""

from enum import Enum, auto
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.models.download import Download, Failed, Finished
from app.models.hub import HubModel, RemoteModel
from app.models.library import LocalModel
from app.models.model_names import core_name
from app.ui.downloads_service import DownloadsService
from app.ui.library_service import LibraryService


class Whereabouts(Enum):
    """Where a model is."""

    ELSEWHERE = auto()
    COMING = auto()  # it is being downloaded, or waits for its turn
    HERE = auto()


class WhereaboutsService(QObject):
    """Follows the library and the downloads, as far as there are any."""

    changed = Signal()

    def __init__(
        self,
        library: LibraryService | None,
        downloads: DownloadsService | None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._library = library
        self._coming = frozenset[str]()
        self._landed: set[str] = set()  # finished, and not seen by the library yet
        if library is not None:
            library.listing_changed.connect(self.changed)
            library.looked.connect(self._forget_landed)
        if downloads is not None:
            downloads.downloads_changed.connect(self._follow)
            self._coming = _keys(downloads.downloads)

    def of(self, model: HubModel, row: RemoteModel) -> Whereabouts:
        """Where the very file is."""
        if self._is_listed(row, same_format=True):
            return Whereabouts.HERE
        return self._unless_coming(model, row)

    def of_any(self, model: HubModel, row: RemoteModel) -> Whereabouts:
        """Where the file is, or the same model in another number format."""
        if self._is_listed(row, same_format=False):
            return Whereabouts.HERE
        return self._unless_coming(model, row)

    def _unless_coming(self, model: HubModel, row: RemoteModel) -> Whereabouts:
        key = f"{model.repo}/{row.files[0].path}"
        is_coming = key in self._coming or key in self._landed
        return Whereabouts.COMING if is_coming else Whereabouts.ELSEWHERE

    def _is_listed(self, row: RemoteModel, *, same_format: bool) -> bool:
        models = () if self._library is None else self._library.listing.models
        return any(_is_it(model, row, same_format=same_format) for model in models)

    def _follow(self, downloads: tuple[Download, ...]) -> None:
        coming = _keys(downloads)
        if coming != self._coming:
            finished = {download.key for download in downloads if isinstance(download.state, Finished)}
            self._landed |= finished & self._coming
            self._coming = coming
            self.changed.emit()

    def _forget_landed(self) -> None:
        if self._landed:
            self._landed.clear()
            self.changed.emit()


def _is_it(model: LocalModel, row: RemoteModel, *, same_format: bool) -> bool:
    file = Path(row.files[0].name)
    if same_format:
        return model.path.name == file.name and model.info.total_bytes == row.total_bytes
    return core_name(model.path) == core_name(file)


def _keys(downloads: tuple[Download, ...]) -> frozenset[str]:
    return frozenset(
        download.key for download in downloads if not isinstance(download.state, Finished | Failed)
    )
