"""Downloads without threads and network: what is said about them is what the test says."""

from pathlib import Path

from app.models.download import Download, DownloadRequest, DownloadState, Finished
from app.models.download_queue import DownloadQueue
from app.models.hub import HubModel, RemoteModel
from app.ui.downloads_service import DownloadsService


class _Told(DownloadQueue):
    """A queue that only shows what it was given."""

    def __init__(self) -> None:
        self.rows: tuple[Download, ...] = ()
        self.on_change = lambda: None

    def downloads(self) -> tuple[Download, ...]:
        return self.rows

    def pause(self, key: str) -> None:
        """There is nothing to pause."""

    def remove(self, key: str) -> None:
        self.rows = tuple(row for row in self.rows if row.key != key)

    def close(self) -> None:
        """There is nothing to end."""


class ListedDownloads:
    """The service, and what it is told."""

    def __init__(self) -> None:
        self._queue = _Told()
        self.service = DownloadsService(self._queue)

    def tell(self, *states: tuple[HubModel, RemoteModel, DownloadState]) -> None:
        """These are the rows from now on."""
        self._queue.rows = tuple(
            Download(
                DownloadRequest(model.repo, model.commit, row.files, Path("/models"), model.found.name),
                state,
                0,
            )
            for model, row, state in states
        )
        self.service.pause("")  # what a person does is told at once

    def finish(self, *models: HubModel) -> None:
        """The first rows of these have come, and there are no others."""
        rows = ((model, model.models[0]) for model in models)
        self.tell(*((model, row, Finished(Path("/models") / row.files[0].name)) for model, row in rows))

    def close(self) -> None:
        """Follows nothing any more."""
        self.service.close()
