"""Asks before the window is closed while downloads are under way."""

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMessageBox, QWidget

from app.ui.downloads_service import DownloadsService


class CloseQuestion(QObject):
    """The window asks `may_close` when it is to close, and closes when `close_confirmed` comes.

    It is asked once: after "Close" there is no further question.
    """

    close_confirmed = Signal()

    def __init__(self, downloads: DownloadsService, window: QWidget) -> None:
        super().__init__(window)
        self._downloads = downloads
        self._window = window
        self._is_confirmed = False
        self._question: QMessageBox | None = None

    def may_close(self) -> bool:
        """True where nothing is under way, or the user wants it; else asks, without waiting for an answer."""
        if self._is_confirmed or not self._downloads.active_count:
            return True
        if self._question is not None:
            self._question.deleteLater()
        self._question = self._made()
        self._question.open()
        return False

    def close_without_asking(self) -> None:
        """From now on the window may close: the program is told to end, or the computer shuts down."""
        self._is_confirmed = True
        if self._question is not None:
            self._question.hide()

    def _made(self) -> QMessageBox:
        question = QMessageBox(self._window)
        question.setObjectName("close_question")
        question.setIcon(QMessageBox.Icon.NoIcon)
        question.setWindowTitle(self.tr("Close Slipstream?"))
        count = self._downloads.active_count
        if count == 1:
            question.setText(self.tr("Close while a model is being downloaded?"))
            question.setInformativeText(self.tr("It goes on where it stopped the next time."))
        else:
            question.setText(self.tr("Close while {count} models are being downloaded?").format(count=count))
            question.setInformativeText(self.tr("They go on where they stopped the next time."))
        close = question.addButton(self.tr("Close"), QMessageBox.ButtonRole.DestructiveRole)
        close.setObjectName("confirm_close_button")
        close.clicked.connect(self._confirm)
        minimise = question.addButton(self.tr("Minimise and go on"), QMessageBox.ButtonRole.ActionRole)
        minimise.setObjectName("keep_downloading_button")
        minimise.setToolTip(self.tr("Makes the window small; downloads go on meanwhile"))
        minimise.clicked.connect(self._window.showMinimized)
        stay = question.addButton(self.tr("Don't close"), QMessageBox.ButtonRole.RejectRole)
        stay.setObjectName("keep_window_button")
        question.setDefaultButton(stay)
        question.setEscapeButton(stay)
        return question

    def _confirm(self) -> None:
        self._is_confirmed = True
        self.close_confirmed.emit()
