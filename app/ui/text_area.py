"""A box for several lines of text."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPlainTextEdit, QWidget


class TextArea(QPlainTextEdit):
    """Text that was set and not typed over comes back as it was, unusual spaces and line ends included."""

    text_edited = Signal()  # by the person

    def __init__(
        self, name: str, accessible: str, *, placeholder: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(accessible)
        self.setPlaceholderText(placeholder)
        self.setTabChangesFocus(True)
        self._given = ""
        self._setting = False
        self.textChanged.connect(self._tell)

    @property
    def value(self) -> str:
        """The text."""
        return self.toPlainText() if self.document().isModified() else self._given

    def set_value(self, text: str) -> None:
        """Shows a text, without a signal."""
        self._given = text
        self._setting = True
        self.setPlainText(text)
        self._setting = False
        self.document().setModified(False)

    def _tell(self) -> None:
        if not self._setting:
            self.text_edited.emit()
