"""Offers, after the start, to go on with the downloads that an earlier run left unfinished."""

from PySide6.QtCore import QObject

from app.figures import bytes_text
from app.ui.download_words import title_text
from app.ui.downloads_service import DownloadsService
from app.ui.notice import Notice


class UnfinishedOffer(QObject):
    """Speaks through a notice of its own, until it is answered or nothing is left over any more.

    "Discard" asks once more, because it deletes what has come.
    """

    def __init__(self, downloads: DownloadsService, notice: Notice, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._downloads = downloads
        self._notice = notice
        self._told: tuple[str, ...] = ()  # the downloads that the notice speaks of
        notice.dismissed.connect(self._end)
        downloads.downloads_changed.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        left = tuple(download.key for download in self._downloads.left_over)
        if left == self._told:
            return
        self._told = left
        if left:
            self._offer()
        else:
            self._later()

    def _offer(self) -> None:
        left = self._downloads.left_over
        if len(left) == 1:
            text = self.tr("The download of {name} was not finished.").format(name=title_text(left[0]))
        else:
            text = self.tr("{count} downloads were not finished.").format(count=len(left))
        self._notice.tell(text, tone="text")
        self._notice.offer(self.tr("Resume"), "resume_left_over_button", self._resume)
        self._notice.offer(self.tr("Later"), "leave_left_over_button", self._later)
        self._notice.offer(self.tr("Discard"), "discard_left_over_button", self._ask_discard)

    def _resume(self) -> None:
        for key in self._taken():
            self._downloads.resume(key)

    def _ask_discard(self) -> None:
        left = self._downloads.left_over
        if not any(download.may_hold_bytes for download in left):
            self._discard()
            return
        size = bytes_text(sum(download.received_bytes for download in left))
        is_known = all(download.is_measured for download in left)
        if len(left) == 1:
            text = (
                self.tr("Delete what has come of it ({size})?")
                if is_known
                else self.tr("Delete what has come of it?")
            )
        elif is_known:
            text = self.tr("Delete what has come of them ({size})?")
        else:
            text = self.tr("Delete what has come of them?")
        self._notice.tell(text.format(size=size))
        self._notice.offer(self.tr("Keep"), "keep_left_over_button", self._offer)
        self._notice.offer(self.tr("Delete"), "delete_left_over_button", self._discard)

    def _discard(self) -> None:
        for key in self._taken():
            self._downloads.cancel(key, keep_part=False)

    def _later(self) -> None:
        self._notice.clear()
        self._end()

    def _taken(self) -> tuple[str, ...]:
        """The downloads, for the answer that ends the offer."""
        keys = self._told
        self._later()
        return keys

    def _end(self) -> None:
        self._told = ()
        self._downloads.downloads_changed.disconnect(self._follow)
        self._notice.dismissed.disconnect(self._end)
