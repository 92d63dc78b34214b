"""A line above a result: where it is from, or what went wrong."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.ui.form_parts import set_shown
from app.ui.widgets import Tone, button, label, row, set_property


class Remark(QWidget):
    """Takes no room while there is nothing to say."""

    acted = Signal()  # its button was pressed

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("compare_remark")
        self._line = label(size="small", wrap=True)
        self._line.setObjectName("compare_remark_line")
        self._button = button("", "compare_remark_button", kind="quiet", small=True)
        self._button.clicked.connect(self.acted)
        whole = row(spacing=12)
        whole.addWidget(self._line, 1)
        whole.addWidget(self._button)
        self.setLayout(whole)
        self.hide()

    @property
    def text(self) -> str:
        """What it says."""
        return "" if self.isHidden() else self._line.text()

    def tell(self, sentence: str, action: str = "", *, tone: Tone = "muted") -> None:
        """Says something; `action` is the words of the button, if there is something to do."""
        self._line.setText(sentence)
        set_property(self._line, "tone", tone)
        self._button.setText(action)
        self._button.setAccessibleName(action)
        set_shown(self._button, bool(action))
        set_shown(self, True)

    def clear(self) -> None:
        """Says nothing."""
        set_shown(self, False)
