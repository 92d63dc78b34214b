"""Asks, in a download's own row, whether to keep what has come when it is cancelled."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QWidget

from app.figures import bytes_text
from app.ui.plain_tip import plain_tip
from app.ui.widgets import button, label, row

_NARROW = 420  # pixels


class DownloadQuestion(QWidget):
    """Hidden until `ask` is called, and once it is answered. The download goes on meanwhile."""

    keep_chosen = Signal()
    delete_chosen = Signal()
    ended = Signal()  # without an answer

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("cancel_download_question")
        self._text = label(size="small", wrap=True)
        self._text.setObjectName("cancel_download_sentence")
        self._keep = button(self.tr("Keep"), "keep_part_button", small=True)
        self._keep.clicked.connect(self.keep_chosen)
        delete = button(self.tr("Delete"), "delete_part_button", kind="danger", small=True)
        delete.clicked.connect(self.delete_chosen)
        stay = button(self.tr("Go on"), "go_on_button", kind="quiet", small=True)
        stay.clicked.connect(self.end)
        for made, meaning in (
            (self._keep, self.tr("Cancel {name} and keep what has come")),
            (delete, self.tr("Cancel {name} and delete what has come")),
            (stay, self.tr("Go on with {name}")),
        ):
            made.setAccessibleName(meaning.format(name=title))
            made.setToolTip(plain_tip(meaning.format(name=title)))
        self._line = row(self._text, row(None, self._keep, delete, stay))
        self._line.setStretchFactor(self._text, 1)
        self.setLayout(self._line)
        self.hide()

    def ask(self, received: int | None) -> None:
        """Asks about so many bytes; None where it is not known yet how many there are."""
        self.show_amount(received)
        self.show()
        self._keep.setFocus()

    def show_amount(self, received: int | None) -> None:
        """More has come."""
        if received is None:
            text = self.tr("Keep what has come?")
        else:
            text = self.tr("Keep what has come ({size})?").format(size=bytes_text(received))
        if text != self._text.text():
            self._text.setText(text)

    def end(self) -> None:
        """Asks no longer."""
        if not self.isHidden():
            self.hide()
            self.ended.emit()

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
