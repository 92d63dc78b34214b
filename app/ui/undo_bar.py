"""A bar that offers to take something back, for some seconds."""

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from app.ui.widgets import ElidedLabel, button, row

_SECONDS = 8


class UndoBar(QFrame):
    """Hidden until `offer` is called. Time passes only while it can be seen."""

    undone = Signal(int)
    expired = Signal(int)  # nobody wanted it back

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("undo_bar")
        self.setProperty("notice", "text")
        self._what: int | None = None
        self._sentence = ElidedLabel()
        self._sentence.setObjectName("undo_sentence")
        self._undo = button(self.tr("Undo"), "undo_button", small=True)
        self._undo.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._undo.clicked.connect(self.take_back)
        self._timer = QTimer(self, singleShot=True, interval=1000 * _SECONDS)
        self._timer.timeout.connect(self.expire)
        whole = row(self._sentence, self._undo, spacing=4, margins=(12, 4, 4, 4))
        whole.setStretchFactor(self._sentence, 1)
        self.setLayout(whole)
        self.hide()

    def offer(self, what: int, sentence: str) -> None:
        """Offers to take `what` back; an earlier offer ends."""
        self.expire()
        self._what = what
        self._sentence.set_text(sentence)
        self.setAccessibleName(sentence)
        self._timer.start()
        self.show()

    def expire(self) -> None:
        """Ends the offer."""
        what, self._what = self._what, None
        self._timer.stop()
        self.hide()
        if what is not None:
            self.expired.emit(what)

    def take_back(self) -> None:
        """What the button does; nothing where nothing is offered."""
        what, self._what = self._what, None
        self._timer.stop()
        self.hide()
        if what is not None:
            self.undone.emit(what)

    def showEvent(self, event: QShowEvent) -> None:
        """Counts the seconds anew."""
        super().showEvent(event)
        if self._what is not None:
            self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        """Waits for as long as the page is not shown."""
        super().hideEvent(event)
        self._timer.stop()
