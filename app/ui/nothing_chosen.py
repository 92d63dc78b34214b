"""What the right side of Discover shows before a repository is chosen."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from app.ui.icons import Icons
from app.ui.theme import Theme
from app.ui.widgets import column, label, row

_WIDTH = 420  # pixels
_ICON = 40


class NothingChosen(QWidget):
    """Says what will be here."""

    def __init__(self, theme: Theme, icons: Icons, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icons = icons
        self.setObjectName("nothing_chosen")
        self._picture = QLabel()
        title = label(self.tr("Choose a model"), size="heading")
        text = label(
            self.tr(
                "Its files are shown here, with what fits this machine and a draft model that makes it "
                "faster. Search on the left, or paste a name or an address from Hugging Face."
            ),
            tone="muted",
            wrap=True,
        )
        text.setMaximumWidth(_WIDTH)
        text.setMinimumWidth(_WIDTH // 2)
        for line in (self._picture, title, text):
            line.setAlignment(Qt.AlignmentFlag.AlignCenter)
        middle = row(text, spacing=0)
        middle.insertStretch(0, 0)
        middle.setStretch(1, 1)
        middle.addStretch(0)
        self.setLayout(column(None, self._picture, title, middle, None, margins=(0, 40, 0, 40)))
        self._dress()
        theme.changed.connect(self._dress)

    def _dress(self) -> None:
        self._picture.setPixmap(self._icons.pixmap("discover", "faint", _ICON, self.devicePixelRatioF()))
