"""Says what has been downloaded, until it is loaded, taken out of a list, or read."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.models.download import Download, Finished
from app.models.library import Listing
from app.models.projectors import looks_like_projector
from app.ui.download_words import title_text
from app.ui.downloads_service import DownloadsService
from app.ui.library_service import LibraryService
from app.ui.notice import Notice
from app.ui.session_state import Loading, Running, SessionState

_NAMED = 3  # as many are named; of more, one less, and the rest is counted


class ReadyNotice(QObject):
    """Speaks through a notice. What comes while it speaks is told with what came before."""

    load_requested = Signal(object)  # Path
    models_page_requested = Signal()

    def __init__(
        self,
        downloads: DownloadsService,
        library: LibraryService,
        notice: Notice,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._notice = notice
        self._ready: dict[str, Download] = {}  # by their keys
        self._listed = library.listing.paths
        notice.dismissed.connect(self.forget)
        downloads.downloads_changed.connect(self._follow_downloads)
        library.listing_changed.connect(self._follow_library)

    def add(self, download: Download) -> None:
        """It has come."""
        self._ready.pop(download.key, None)
        self._ready[download.key] = download
        self._tell()

    def forget(self) -> None:
        """All of it is known, or something else is said in its place."""
        self._ready.clear()

    def show_state(self, state: SessionState) -> None:
        """What is being loaded needs no word any more."""
        if isinstance(state, Loading | Running):
            target, draft = state.setup.target, state.setup.draft
            used = {target.path} if draft is None else {target.path, draft.path}
            self._keep(lambda download: _path_of(download) not in used)

    def _follow_downloads(self, downloads: tuple[Download, ...]) -> None:
        if self._ready:
            finished = {each.key for each in downloads if isinstance(each.state, Finished)}
            self._keep(lambda download: download.key in finished)

    def _follow_library(self, listing: Listing) -> None:
        before, self._listed = self._listed, listing.paths
        gone = before - self._listed
        self._keep(lambda download: _path_of(download) not in gone)

    def _keep(self, is_news: Callable[[Download], bool]) -> None:
        kept = {key: download for key, download in self._ready.items() if is_news(download)}
        if len(kept) == len(self._ready):
            return
        self._ready = kept
        if kept:
            self._tell()
        else:
            self._notice.clear()

    def _tell(self) -> None:
        self._notice.tell(self._sentence(), tone="good")
        ready = list(self._ready.values())
        if len(ready) == 1 and not looks_like_projector(_path_of(ready[0])):
            self._notice.offer(self.tr("Load"), "load_ready_button", self._load)
        else:
            self._notice.offer(self.tr("Go to My Models"), "see_ready_button", self._go_to_models)

    def _sentence(self) -> str:
        names = [title_text(download) for download in self._ready.values()]
        if len(names) == 1:
            return self.tr("{name} is ready.").format(name=names[0])
        if len(names) > _NAMED:
            more = len(names) - _NAMED + 1
            names[_NAMED - 1 :] = [self.tr("{count} more").format(count=more)]
        first = self.tr(", ").join(names[:-1])
        return self.tr("{names} and {name} are ready.").format(names=first, name=names[-1])

    def _load(self) -> None:
        [download] = self._ready.values()
        self._end()
        self.load_requested.emit(_path_of(download))

    def _go_to_models(self) -> None:
        self._end()
        self.models_page_requested.emit()

    def _end(self) -> None:
        self.forget()
        self._notice.clear()


def _path_of(download: Download) -> Path:
    assert isinstance(download.state, Finished)
    return download.state.path
