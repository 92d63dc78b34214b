"""What the history shows in place of an empty list."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QWidget

from app.ui.icons import Icons
from app.ui.theme import Theme
from app.ui.widgets import button, column, label, row

_WIDTH = 420  # pixels
_ICON = 40


class NoHistory(QWidget):
    """Says that nothing was kept yet, or that nothing has the words that are searched for."""

    search_cleared = Signal()

    def __init__(self, theme: Theme, icons: Icons, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icons = icons
        self.setObjectName("no_history")
        self._picture = QLabel()
        self._title = label(size="heading")
        self._title.setObjectName("no_history_title")
        self._text = label(tone="muted", wrap=True)
        self._text.setObjectName("no_history_text")
        self._text.setFixedWidth(_WIDTH)
        for line in (self._picture, self._title, self._text):
            line.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._clear = button(self.tr("Clear search"), "clear_history_search_button")
        self._clear.clicked.connect(self.search_cleared)
        self.setLayout(
            column(
                None,
                self._picture,
                self._title,
                row(None, self._text, None),
                4,
                row(None, self._clear, None),
                None,
                margins=(24, 24, 24, 40),
            )
        )
        self._dress()
        theme.changed.connect(self._dress)

    def show_words(self, words: str) -> None:
        """Nothing has these words; no words: there is nothing."""
        if words:
            self._title.setText(self.tr("No comparison found"))
            self._text.setText(self.tr("Nothing matches “{words}”.").format(words=words))
        else:
            self._title.setText(self.tr("No comparisons yet"))
            self._text.setText(
                self.tr(
                    "What you compare is kept here, on this computer: its settings, its figures, "
                    "and every answer."
                )
            )
        self._clear.setVisible(bool(words))

    def _dress(self) -> None:
        self._picture.setPixmap(self._icons.pixmap("compare", "faint", _ICON, self.devicePixelRatioF()))
