"""The downloads: all of them in a line, and a row for each."""

import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QSizePolicy, QWidget

from app.models.download import Download, Finished, Paused, Queued
from app.ui.download_actions import show_only
from app.ui.download_row import DownloadRow
from app.ui.download_words import summary_text
from app.ui.downloads_service import DownloadsService
from app.ui.icons import Icons
from app.ui.show_in_folder import show_in_folder as show_in_file_manager
from app.ui.theme import Theme
from app.ui.widgets import QUIET_INSET, Card, ElidedLabel, button, column, label, row

_TICK = 500  # milliseconds
_SIDE = 16  # pixels, to the words and tracks


class DownloadsPanel(Card):
    """Hidden while there are none. Waits are counted down only while they can be seen."""

    load_requested = Signal(object)  # Path
    address_requested = Signal(str)  # a page to open, where a licence can be accepted
    settings_requested = Signal()  # for a token
    files_requested = Signal(object)  # Download: its repository is to be looked at again

    def __init__(
        self,
        theme: Theme,
        icons: Icons,
        downloads: DownloadsService,
        clock: Callable[[], float] = time.monotonic,
        show_in_folder: Callable[[Path], None] = show_in_file_manager,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._icons = icons
        self._downloads = downloads
        self._clock = clock
        self._show_in_folder = show_in_folder
        self._rows: dict[str, DownloadRow] = {}
        self.setObjectName("downloads_panel")
        self._summary = ElidedLabel(size="small", tone="muted")
        self._summary.setObjectName("downloads_summary")
        self._summary.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._pause_all = button(self.tr("Pause all"), "pause_all_downloads_button", kind="quiet", small=True)
        self._pause_all.clicked.connect(downloads.pause_all)
        self._resume_all = button(
            self.tr("Resume all"), "resume_all_downloads_button", kind="quiet", small=True
        )
        self._resume_all.clicked.connect(downloads.resume_all)
        self._clear = button(
            self.tr("Remove finished"), "remove_finished_downloads_button", kind="quiet", small=True
        )
        self._clear.clicked.connect(downloads.remove_finished)
        for made in (self._pause_all, self._resume_all, self._clear):
            made.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._top = row(
            label(self.tr("Downloads"), size="heading"),
            self._summary,
            self._pause_all,
            self._resume_all,
            self._clear,
            spacing=4,
        )
        self._top.setStretchFactor(self._summary, 1)
        self._list = column(spacing=4)
        side = _SIDE - QUIET_INSET
        self.setLayout(column(self._top, self._list, spacing=6, margins=(side, 12, side, 12)))
        self._countdown = QTimer(self, interval=_TICK)
        self._countdown.timeout.connect(self._count_down)
        downloads.downloads_changed.connect(self._show)
        self._show(downloads.downloads)

    def showEvent(self, event: QShowEvent) -> None:
        """Counts down again."""
        super().showEvent(event)
        self._count_down()
        self._run_countdown()

    def hideEvent(self, event: QHideEvent) -> None:
        """Counts for nobody no longer."""
        super().hideEvent(event)
        self._countdown.stop()

    def _show(self, downloads: tuple[Download, ...]) -> None:
        orphaned = self._drop_all_but({download.key for download in downloads})
        waiting = [download.key for download in downloads if isinstance(download.state, Queued)]
        for place, download in enumerate(downloads):
            made = self._rows.get(download.key) or self._add(download)
            if self._list.indexOf(made) != place:
                self._list.insertWidget(place, made)
            moves = download.key in waiting
            made.show_download(
                download,
                may_rise=moves and download.key != waiting[0],
                may_sink=moves and download.key != waiting[-1],
            )
        self._summary.set_text(summary_text(downloads))
        self._show_header(downloads)
        self.setVisible(bool(downloads))
        if orphaned is not None and downloads:
            self._rows[downloads[min(orphaned, len(downloads) - 1)].key].setFocus()
        self._run_countdown()

    def _show_header(self, downloads: tuple[Download, ...]) -> None:
        active = sum(download.is_active for download in downloads)
        paused = sum(isinstance(download.state, Paused) for download in downloads)
        finished = sum(isinstance(download.state, Finished) for download in downloads)
        wanted = [
            made
            for made, useful in (
                (self._pause_all, active > 1),
                (self._resume_all, paused > 1 and not active),
                (self._clear, finished > 1),
            )
            if useful
        ]
        heirs: dict[QAbstractButton, QAbstractButton] = {
            self._pause_all: self._resume_all,
            self._resume_all: self._pause_all,
        }
        buttons = (self._pause_all, self._resume_all, self._clear)
        show_only(buttons, wanted, heirs, home=self._rows[downloads[0].key] if downloads else self)
        self._top.setContentsMargins(QUIET_INSET, 0, 0 if wanted else QUIET_INSET, 0)

    def _add(self, download: Download) -> DownloadRow:
        made = self._rows[download.key] = DownloadRow(
            self._theme, self._icons, self._downloads, download, self._clock, self._show_in_folder
        )
        made.load_requested.connect(self.load_requested)
        made.address_requested.connect(self.address_requested)
        made.settings_requested.connect(self.settings_requested)
        made.files_requested.connect(self.files_requested)
        return made

    def _drop_all_but(self, keys: set[str]) -> int | None:
        """Takes rows out; the place of the one that had the focus, whose neighbour is to have it."""
        orphaned = None
        focused = QApplication.focusWidget()
        for key in [key for key in self._rows if key not in keys]:
            gone = self._rows.pop(key)
            if focused is not None and (gone is focused or gone.isAncestorOf(focused)):
                orphaned = self._list.indexOf(gone)
            self._list.removeWidget(gone)
            gone.hide()
            gone.deleteLater()
        return orphaned

    def _run_countdown(self) -> None:
        waits = any(made.needs_time for made in self._rows.values())
        if not (waits and self.isVisible()):
            self._countdown.stop()
        elif not self._countdown.isActive():
            self._countdown.start()

    def _count_down(self) -> None:
        for made in self._rows.values():
            if made.needs_time:
                made.show_time()
