"""In place of a comparison while no model is loaded."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from app.ui.form_parts import show_line
from app.ui.widgets import button, column, label, row


class NoModelPage(QWidget):
    """A calm line, and the way on."""

    model_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("no_model_page")
        self._title = label(size="heading")
        self._title.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._more = label(
            self.tr(
                "It answers a prompt with and without drafting, and you see what that makes of its speed."
            ),
            tone="muted",
        )
        self._more.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._why = label(tone="warning", wrap=True)
        self._why.setObjectName("no_model_reason")
        self._why.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._why.hide()
        self._load = button(self.tr("Load a model"), "compare_load_model_button", kind="primary")
        self._load.clicked.connect(self.model_requested)
        way_on = row(None, self._load, None)
        self.setLayout(column(None, self._title, self._why, self._more, 8, way_on, None, None))
        self.set_loading(False)

    @property
    def text(self) -> str:
        """What it says first."""
        return self._title.text()

    def tell(self, sentence: str) -> None:
        """What went before, such as why there is no result; empty: nothing."""
        show_line(self._why, sentence)

    def set_loading(self, loading: bool) -> None:
        """Whether a model is on its way."""
        self._title.setText(
            self.tr("The model is being loaded…") if loading else self.tr("Load a model to compare.")
        )
        self._load.setVisible(not loading)

    def take_focus(self) -> None:
        """The button is the thing to do."""
        self._load.setFocus(Qt.FocusReason.OtherFocusReason)
