"""Says that a download needs a person, wherever in the window that person is."""

from PySide6.QtCore import QObject, Signal

from app.models.download import Download, Failed
from app.ui.download_words import title_text
from app.ui.downloads_service import DownloadsService
from app.ui.notice import Notice


class FailureNotice(QObject):
    """Speaks through a notice of its own, until the download goes on, is given up, or it was read."""

    downloads_requested = Signal()

    def __init__(self, downloads: DownloadsService, notice: Notice, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._notice = notice
        self._failed = _failed(downloads.downloads)
        self._told: tuple[str, ...] = ()  # the keys of those that the notice speaks of
        notice.dismissed.connect(self._forget)
        downloads.downloads_changed.connect(self._follow)

    def _follow(self, downloads: tuple[Download, ...]) -> None:
        before, self._failed = self._failed, _failed(downloads)
        news = [key for key in self._failed if key not in before]
        kept = tuple(key for key in (*self._told, *news) if key in self._failed)
        if kept != self._told:
            self._told = kept
            self._tell()

    def _tell(self) -> None:
        if not self._told:
            self._notice.clear()
            return
        if len(self._told) == 1:
            download = self._failed[self._told[0]]
            assert isinstance(download.state, Failed)
            text = self.tr("{name} could not be downloaded. {why}")
            sentence = text.format(name=title_text(download), why=download.state.sentence)
        else:
            sentence = self.tr("{count} downloads failed.").format(count=len(self._told))
        self._notice.tell(sentence, tone="bad")
        self._notice.offer(self.tr("Show downloads"), "show_failed_downloads_button", self._show_downloads)

    def _show_downloads(self) -> None:
        self._notice.clear()
        self._forget()
        self.downloads_requested.emit()

    def _forget(self) -> None:
        self._told = ()


def _failed(downloads: tuple[Download, ...]) -> dict[str, Download]:
    return {download.key: download for download in downloads if isinstance(download.state, Failed)}
