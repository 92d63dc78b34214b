"""A row of the queue: what is wanted, where it goes, and who works on it."""

from pathlib import Path

from app.models.download import Download, DownloadRequest, DownloadState, Failed, Finished
from app.models.download_places import targets_of
from app.models.download_work import DownloadWork
from app.models.hub_problems import HubError


class WantedDownload:
    """Changed under the queue's lock alone."""

    def __init__(self, request: DownloadRequest, state: DownloadState) -> None:
        self.work: DownloadWork | None = None  # while it is under way; None as soon as it was told to stop
        self.is_unwanted = False  # what has come is to be deleted
        self.want(request, state)

    def want(self, request: DownloadRequest, state: DownloadState) -> None:
        """Wants this, from now on; a request whose names cannot be used has failed."""
        self.request = request
        self.state = state
        self.held = (0,) * len(request.files)  # bytes of each file that are on the disk
        self.targets: tuple[Path, ...] = ()
        try:
            self.targets = targets_of(request)
        except HubError as error:
            self.state = Failed(error.problem, str(error), error.address)

    def shown(self) -> Download:
        """As it stands."""
        if self.work is None:
            return Download(self.request, self.state, sum(self.held))
        state, held, rate = self.work.progress()
        return Download(self.request, state, sum(held), rate)

    def is_in_place(self, request: DownloadRequest) -> bool:
        """Whether it brought in just what is asked for now, and nobody took it away since."""
        return (
            isinstance(self.state, Finished)
            and self.request.files == request.files
            and all(target.exists() for target in self.targets)
        )
