"""A reason with what can be done about it, for narrow places."""

from collections.abc import Callable

from PySide6.QtWidgets import QFrame, QPushButton, QVBoxLayout, QWidget

from app.ui.widgets import button, column, label


class Explanation(QFrame):
    """Hidden until there is something to tell."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("explanation")
        self.setProperty("notice", "warning")
        self._sentence = label(size="small", wrap=True)
        self._sentence.setObjectName("explanation_sentence")
        self._actions = QVBoxLayout()
        self._actions.setSpacing(6)
        self._buttons: list[QPushButton] = []
        self.setLayout(column(self._sentence, self._actions, margins=(12, 10, 12, 10)))
        self.hide()

    @property
    def sentence(self) -> str:
        """What it says; empty while it says nothing."""
        return self._sentence.text()

    def tell(self, sentence: str) -> None:
        """Says something, without actions until `offer` adds some."""
        self._forget_actions()
        self._sentence.setText(sentence)
        self.setAccessibleName(sentence)
        self.show()

    def offer(self, text: str, name: str, act: Callable[[], None]) -> None:
        """Adds a button; pressing it does `act`."""
        made = button(text, name, small=True)
        made.clicked.connect(lambda: act())
        self._buttons.append(made)
        self._actions.addWidget(made)

    def clear(self) -> None:
        """Hides it."""
        self._forget_actions()
        self._sentence.clear()
        self.hide()

    def _forget_actions(self) -> None:
        for made in self._buttons:
            self._actions.removeWidget(made)
            made.hide()
            made.deleteLater()  # it may be the one that was just pressed
        self._buttons.clear()
