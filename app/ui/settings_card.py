"""A titled card of the settings page, and the lines in it."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLayout, QPushButton, QVBoxLayout, QWidget

from app.models.model_names import printable
from app.ui.widgets import Card, ElidedLabel, column, label, row


class SettingsCard(Card):
    """A heading, a sentence where one helps, and what is to be set."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._column: QVBoxLayout = column(spacing=16, margins=(20, 16, 20, 20))
        self.setLayout(self._column)

    def add_heading(self, title: str, sentence: str = "") -> None:
        """Begins the card."""
        self.setAccessibleName(title)
        heading = column(label(title, size="heading"), spacing=4)
        if sentence:
            heading.addWidget(label(sentence, size="small", tone="muted", wrap=True))
        self.add(heading)

    def add(self, content: QWidget | QLayout) -> None:
        """Puts something below."""
        if isinstance(content, QWidget):
            self._column.addWidget(content)
        else:
            self._column.addLayout(content)


def path_label(path: Path, name: str) -> ElidedLabel:
    """A path, cut in its middle where there is no room; it can be selected and copied."""
    made = ElidedLabel(printable(str(path)), mode=Qt.TextElideMode.ElideMiddle)
    made.setObjectName(name)
    return made


def path_line(shown: ElidedLabel, *buttons: QPushButton) -> QHBoxLayout:
    """A path with what can be done about it."""
    made = row(shown, *buttons)
    made.setStretchFactor(shown, 1)
    return made


def nearest_folder(path: Path) -> Path:
    """The folder itself, or the first above it that is there."""
    return next((folder for folder in (path, *path.parents) if folder.is_dir()), path)


Show = Callable[[Path], None]
