"""The field of Discover: tells what to search for, a moment after one has stopped typing."""

import re

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QIcon, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from app.models.hub_problems import HubError
from app.models.hub_query import Repository, hub_endpoint, parse_query
from app.ui.icons import Icons
from app.ui.theme import Theme

_PAUSE = 400  # milliseconds
_LONGEST = 300  # characters
_ADDRESS = re.compile(r"([a-z]+://|(www\.)?hf\.co/|(www\.)?huggingface\.co/)", re.IGNORECASE)


class SearchField(QLineEdit):
    """Enter asks at once, Esc clears, and the arrow keys are for the results."""

    settled = Signal()  # no key was pressed for a while
    submitted = Signal()  # an answer is wanted at once
    stepped = Signal(int)  # so many rows down

    def __init__(self, theme: Theme, icons: Icons, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icons = icons
        self.setObjectName("search_field")
        self.setProperty("large", True)
        self.setPlaceholderText(self.tr("Words, user/model, or an address"))
        self.setAccessibleName(self.tr("Search Hugging Face"))
        self.setMaxLength(_LONGEST)
        self._clear = self.addAction(QIcon(), QLineEdit.ActionPosition.TrailingPosition)
        self._clear.setObjectName("clear_search_field")
        self._clear.setText(self.tr("Clear"))
        self._clear.setVisible(False)
        self._clear.triggered.connect(self.clear)
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE)
        self._pause.timeout.connect(self.settled)
        self.textChanged.connect(self._follow)
        self.returnPressed.connect(self.submitted)
        theme.changed.connect(self._take_theme)
        self._take_theme()

    @property
    def words(self) -> str:
        """What is in it, without idle blanks."""
        return " ".join(self.text().split())

    @property
    def is_address(self) -> bool:
        """Whether it was pasted from elsewhere: nobody types an address letter by letter."""
        return _ADDRESS.match(self.words) is not None

    @property
    def repository(self) -> Repository | None:
        """The one repository that is meant, by its name or its address."""
        try:
            meant = parse_query(self.text(), hub_endpoint())
        except HubError:  # the search says what is wrong
            return None
        return meant if isinstance(meant, Repository) else None

    def set_words(self, words: str) -> None:
        """Puts words into it for the person; nothing is told."""
        self.setText(words)
        self.rest()

    def rest(self) -> None:
        """Tells nothing any more about what was typed so far."""
        self._pause.stop()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Takes the keys that are not for the text."""
        match event.key():
            case Qt.Key.Key_Down:
                self.stepped.emit(1)
            case Qt.Key.Key_Up:
                self.stepped.emit(-1)
            case Qt.Key.Key_Escape if self.text():
                self.clear()
            case _:
                super().keyPressEvent(event)

    def _follow(self, text: str) -> None:
        self._clear.setVisible(bool(text))
        self._pause.start()

    def _take_theme(self) -> None:
        self._clear.setIcon(self._icons.icon("close"))
