"""A row of the queue: what is wanted, where it goes, and who works on it."""

from pathlib import Path

from msgspec import structs

from app.models.download import Download, DownloadRequest, DownloadState, Failed, Finished
from app.models.download_places import targets_of
from app.models.download_work import DownloadWork
from app.models.hub_problems import HubError, HubProblem

# what is said then includes that another folder would help
_FOLDER_PROBLEMS = (HubProblem.DISK_FULL, HubProblem.UNWRITABLE, HubProblem.NAME_CLASH)


class WantedDownload:
    """Changed under the queue's lock alone."""

    def __init__(self, request: DownloadRequest, state: DownloadState) -> None:
        self.work: DownloadWork | None = None  # while it is under way; None as soon as it was told to stop
        self.want(request, state)

    def want(self, request: DownloadRequest, state: DownloadState) -> None:
        """Wants this, from now on; a request whose names cannot be used has failed."""
        self.request = request
        self.state = state
        self.held: tuple[int, ...] | None = None  # bytes of each, once known
        self.targets: tuple[Path, ...] = ()
        try:
            self.targets = targets_of(request)
        except HubError as error:
            self.state = Failed(error.problem, str(error), error.address)
            self.held = (0,) * len(request.files)

    def shown(self) -> Download:
        """As it stands."""
        state, held, rate = (self.state, self.held, 0.0) if self.work is None else self.work.progress()
        return Download(self.request, state, sum(held or ()), rate, is_measured=held is not None)

    def where_it_lies(self, request: DownloadRequest) -> DownloadRequest:
        """A newer request, for the folder in which something has come, unless the trouble is there."""
        holds = not isinstance(self.state, Finished) and (self.held is None or any(self.held))
        if not holds or (isinstance(self.state, Failed) and self.state.problem in _FOLDER_PROBLEMS):
            return request
        return structs.replace(request, folder=self.request.folder)

    def is_in_place(self, request: DownloadRequest) -> bool:
        """Whether it brought in just what is asked for now, and nobody took it away since."""
        return (
            isinstance(self.state, Finished)
            and self.request.files == request.files
            and all(target.exists() for target in self.targets)
        )
