"""What My Models shows in place of an empty table."""

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QWidget

from app.models.model_names import printable
from app.ui.icons import Icons
from app.ui.theme import Theme
from app.ui.widgets import button, column, label, row

_WIDTH = 520  # pixels
_ICON = 40


class NoModels(QWidget):
    """Says that models are being looked for, or where they are looked for and what to do."""

    discover_requested = Signal()
    open_folder_requested = Signal()
    add_folder_requested = Signal()
    filter_cleared = Signal()

    def __init__(self, theme: Theme, icons: Icons, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icons = icons
        self.setObjectName("no_models")
        self._picture = QLabel()
        self._picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._title = label(size="heading")
        self._title.setObjectName("no_models_title")
        self._title.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._text = label(tone="muted", wrap=True)
        self._text.setObjectName("no_models_text")
        self._text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._text.setFixedWidth(_WIDTH)
        self._discover = button(self.tr("Discover models"), "discover_first_model_button", kind="primary")
        self._discover.clicked.connect(self.discover_requested)
        self._open = button(self.tr("Open folder"), "open_models_folder_button")
        self._open.clicked.connect(self.open_folder_requested)
        self._add = button(self.tr("Add folder"), "add_first_folder_button")
        self._add.clicked.connect(self.add_folder_requested)
        self._clear = button(self.tr("Clear filter"), "clear_filter_button")
        self._clear.clicked.connect(self.filter_cleared)
        self.setLayout(
            column(
                None,
                self._picture,
                self._title,
                row(None, self._text, None),
                4,
                row(None, self._discover, self._open, self._add, self._clear, None),
                None,
                margins=(24, 40, 24, 40),
            )
        )
        self._dress()
        theme.changed.connect(self._dress)

    def show_looking(self, done: int = 0, total: int = 0) -> None:
        """The first look is under way."""
        text = self.tr("Reading {done} of {total} files").format(done=done, total=total) if total else ""
        self._show(self.tr("Looking for models…"), text)

    def show_empty(self, folder: Path, more: int) -> None:
        """Nothing was found in the models folder, nor in so many others."""
        text = self.tr(
            "Find and download one from Hugging Face, or put your own .gguf files into\n{folder}\n"
            "You can also add a folder where you keep models already."
        ).format(folder=printable(str(folder)))
        if more:
            text += "\n" + self.tr("The folders that you added hold none either.")
        self._show(self.tr("No models yet"), text, self._discover, self._open, self._add)

    def show_no_match(self, words: str) -> None:
        """The filter leaves nothing."""
        text = self.tr("Nothing matches “{words}”.").format(words=words)
        self._show(self.tr("No model found"), text, self._clear)

    def _show(self, title: str, text: str, *buttons: QWidget) -> None:
        self._title.setText(title)
        self._text.setText(text)
        self._text.setVisible(bool(text))
        for made in (self._discover, self._open, self._add, self._clear):
            made.setVisible(made in buttons)

    def _dress(self) -> None:
        ratio = self.devicePixelRatioF()
        self._picture.setPixmap(self._icons.pixmap("models", "faint", _ICON, ratio))
