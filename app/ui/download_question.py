"""Asks, in a download's own row, whether to keep what has come when it is cancelled."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QBoxLayout, QWidget

from app.models.download import Download
from app.ui.download_actions import show_only
from app.ui.download_words import amount_text
from app.ui.plain_tip import plain_tip
from app.ui.widgets import QUIET_INSET, button, label, row

_NARROW = 560  # pixels


class DownloadQuestion(QWidget):
    """Hidden until `ask` is called, and once it is answered. The download goes on meanwhile.

    What is kept stays in the list, so that it is found again. Of a download that does not move anyway, to
    keep it is not to cancel it: there is one button for both.
    """

    keep_chosen = Signal()
    delete_chosen = Signal()
    ended = Signal(bool)  # whether the focus was here

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = title
        self.setObjectName("cancel_download_question")
        self._text = label(size="small", wrap=True)
        self._text.setObjectName("cancel_download_sentence")
        self._keep = button(self.tr("Keep the part"), "keep_part_button", small=True)
        self._keep.clicked.connect(self.keep_chosen)
        self._delete = button(self.tr("Delete the part"), "delete_part_button", kind="danger", small=True)
        self._delete.clicked.connect(self.delete_chosen)
        self._stay = button(self.tr("Don't cancel"), "go_on_button", kind="quiet", small=True)
        self._stay.clicked.connect(self.end)
        self._explain(self._delete, self.tr("Deletes what has come of {name}"))
        self._explain(self._stay, self.tr("Goes on with {name}"))
        self._line = row(self._text, row(None, self._keep, self._delete, self._stay))
        self._line.setStretchFactor(self._text, 1)
        self.setLayout(self._line)
        self.hide()

    def ask(self, download: Download) -> None:
        """Asks about it."""
        self.show_download(download)
        self.show()
        (self._stay if download.is_active else self._keep).setFocus()

    def show_download(self, download: Download) -> None:
        """More has come, or it has stopped."""
        question = self.tr("Cancel this download?")
        if download.is_measured:
            amount = amount_text(download.received_bytes, download.request.total_bytes)
            question += " " + self.tr("{amount} have come.").format(amount=amount)
        if question != self._text.text():
            self._text.setText(question)
        goes_on = download.is_active
        wanted = (self._keep, self._delete, self._stay) if goes_on else (self._keep, self._delete)
        buttons: tuple[QAbstractButton, ...] = (self._keep, self._delete, self._stay)
        show_only(buttons, wanted, home=self._keep)
        self._explain(
            self._keep,
            self.tr("Pauses {name}: what has come stays, and it can go on later")
            if goes_on
            else self.tr("Leaves {name} as it is: what has come stays, and it can go on later"),
        )
        self._line.setContentsMargins(0, 0, 0 if goes_on else QUIET_INSET, 0)

    def end(self) -> None:
        """Asks no longer."""
        if not self.isHidden():
            focused = QApplication.focusWidget()
            had_focus = focused is not None and self.isAncestorOf(focused)
            self.hide()
            self.ended.emit(had_focus)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Asks above the buttons where there is little room."""
        super().resizeEvent(event)
        narrow = self.width() < _NARROW
        self._line.setDirection(
            QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape changes nothing."""
        if event.key() == Qt.Key.Key_Escape:
            self.end()
        else:
            super().keyPressEvent(event)

    def _explain(self, made: QAbstractButton, meaning: str) -> None:
        told = meaning.format(name=self._title)
        if told != made.accessibleName():
            made.setAccessibleName(told)
            made.setToolTip(plain_tip(told))
