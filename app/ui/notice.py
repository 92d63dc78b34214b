"""A banner: what happened, in a sentence, with what can be done about it."""

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPlainTextEdit, QPushButton, QWidget

from app.ui.icons import Icons
from app.ui.theme import Theme
from app.ui.widgets import Tone, button, column, icon_button, label, row, set_property

_DETAILS_HEIGHT = 180  # pixels
_LEAST_WIDTH = 200


class Notice(QFrame):
    """Hidden until `tell` is called. "Details" shows lines such as the engine's last ones."""

    dismissed = Signal()

    def __init__(self, theme: Theme, icons: Icons, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icons = icons
        self.setObjectName("notice")
        self.setProperty("notice", "warning")
        self._sentence = label(wrap=True)
        self._sentence.setObjectName("notice_sentence")
        self._sentence.setMinimumWidth(_LEAST_WIDTH)  # whatever names without a space are in it
        self._actions = QHBoxLayout()
        self._actions.setSpacing(8)
        self._details_button = button(self.tr("Details"), "notice_details_button", kind="quiet", small=True)
        self._details_button.clicked.connect(self._toggle_details)
        self._close = icon_button(icons.icon("close"), "notice_close_button", self.tr("Dismiss"), small=True)
        self._close.clicked.connect(self._dismiss)
        self._details = QPlainTextEdit()
        self._details.setObjectName("notice_details")
        self._details.setAccessibleName(self.tr("Details"))
        self._details.setReadOnly(True)
        self._details.setFixedHeight(_DETAILS_HEIGHT)
        self._details.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        top = row(self._details_button, self._close, spacing=8)
        top.insertLayout(0, self._actions)
        top.insertWidget(0, self._sentence, 1)
        self.setLayout(column(top, self._details, margins=(16, 8, 8, 8)))
        theme.changed.connect(self._take_theme)
        self.hide()

    @property
    def sentence(self) -> str:
        """What it says now; empty while hidden."""
        return self._sentence.text() if not self.isHidden() else ""

    def tell(self, sentence: str, *, tone: Tone = "warning", details: tuple[str, ...] = ()) -> None:
        """Shows a sentence, without actions until `offer` adds some."""
        while (item := self._actions.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.setParent(None)
                widget.deleteLater()
        self._sentence.setText(sentence)
        self.setAccessibleName(sentence)
        set_property(self, "notice", tone)
        self._details.setPlainText("\n".join(details))
        self._details_button.setVisible(bool(details))
        self._details.hide()
        self.show()

    def offer(self, text: str, name: str, act: Callable[[], None]) -> QPushButton:
        """Adds a button; pressing it does `act`."""
        made = button(text, name, small=True)
        made.clicked.connect(lambda: act())
        self._actions.addWidget(made)
        return made

    def clear(self) -> None:
        """Hides it."""
        self.hide()

    def withdraw(self, sentence: str) -> None:
        """Hides it if it still says this."""
        if self.sentence == sentence:
            self.clear()

    def _take_theme(self) -> None:
        self._close.setIcon(self._icons.icon("close"))

    def _toggle_details(self) -> None:
        self._details.setVisible(self._details.isHidden())

    def _dismiss(self) -> None:
        self.hide()
        self.dismissed.emit()
