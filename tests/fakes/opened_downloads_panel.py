"""The downloads panel on the screen, as tests operate it."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.models.download import DownloadRequest, Failed, Finished
from app.models.hub_problems import HubError
from app.ui.download_row import DownloadRow
from app.ui.downloads_panel import DownloadsPanel
from app.ui.icons import Icons
from app.ui.theme import Theme
from app.ui.widgets import ElidedLabel, column
from tests.fakes.children import child
from tests.fakes.download_window import DownloadWindow


class OpenedDownloadsPanel(DownloadWindow):
    """A panel over a scripted queue."""

    def __init__(self, qtbot: QtBot, theme: Theme, icons: Icons) -> None:
        super().__init__(qtbot)
        self.shown_in_folder: list[Path] = []
        self.panel = DownloadsPanel(
            theme, icons, self.service, clock=self.clock, show_in_folder=self.shown_in_folder.append
        )
        self.page = QWidget()
        self.page.setLayout(column(self.panel, None))
        self.page.resize(900, 600)
        qtbot.addWidget(self.page)
        self.page.show()
        self.page.activateWindow()

    def rows(self) -> list[DownloadRow]:
        """From top to bottom, as they were laid out."""
        QApplication.processEvents()
        found = [row for row in self.panel.findChildren(DownloadRow) if row.isVisible()]
        return sorted(found, key=lambda row: row.y())

    def shown(self, request: DownloadRequest) -> DownloadRow:
        """A download's row."""
        return next(row for row in self.rows() if row.download.key == request.key)

    def text(self, request: DownloadRequest) -> str:
        """Its figures."""
        return child(self.shown(request), ElidedLabel, "download_figures").whole_text

    def buttons(self, request: DownloadRequest) -> list[str]:
        """Those that can be seen, from left to right."""
        found = [made for made in self.shown(request).findChildren(QAbstractButton) if made.isVisible()]
        return [made.text() or made.toolTip() for made in sorted(found, key=lambda made: made.x())]

    def press(self, request: DownloadRequest, name: str) -> None:
        """Presses one."""
        self.qtbot.mouseClick(child(self.shown(request), QAbstractButton, name), Qt.MouseButton.LeftButton)

    def focus(self, request: DownloadRequest, name: str) -> QAbstractButton:
        """Puts the focus on one."""
        made = child(self.shown(request), QAbstractButton, name)
        made.setFocus()
        assert self.focused() == name
        return made

    def focused(self) -> str:
        """The name of what has the focus."""
        widget = QApplication.focusWidget()
        return "" if widget is None else widget.objectName()

    def has_focus(self, request: DownloadRequest) -> bool:
        """Whether the focus is in a download's row."""
        widget = QApplication.focusWidget()
        shown = self.shown(request)
        return widget is not None and (widget is shown or shown.isAncestorOf(widget))

    def fail(self, request: DownloadRequest, error: HubError) -> None:
        """Lets one fail."""
        self.scripted.running(request.files[0].path).fail(error)
        self.wait_for_state(request, Failed)

    def finish(self, request: DownloadRequest) -> None:
        """Lets one come to its end."""
        self.scripted.running(request.files[0].path).finish()
        self.wait_for_state(request, Finished)

    def hold(self, request: DownloadRequest, count: int) -> None:
        """So many bytes have come, and it is told."""
        self.scripted.running(request.files[0].path).hold(count)
        self.settle()
