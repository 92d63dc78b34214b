"""The rail on the left: one button for each page."""

from enum import StrEnum

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QFrame, QToolButton, QWidget

from app.ui.icons import Icons
from app.ui.theme import Theme
from app.ui.widgets import column

WIDTH = 64  # pixels


class PageName(StrEnum):
    """The pages that there are."""

    CHAT = "chat"
    COMPARE = "compare"
    MODELS = "models"
    DISCOVER = "discover"
    SETTINGS = "settings"


class Rail(QFrame):
    """Chooses a page. The last one, the settings, stands at the bottom."""

    page_chosen = Signal(object)  # PageName

    def __init__(self, theme: Theme, icons: Icons, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icons = icons
        self._current = PageName.CHAT
        self.setObjectName("rail")
        self.setProperty("rail", True)
        self.setFixedWidth(WIDTH)
        self._group = QButtonGroup(self)
        self._buttons = {
            PageName.CHAT: self._button(PageName.CHAT, self.tr("Chat"), "Ctrl+1"),
            PageName.COMPARE: self._button(PageName.COMPARE, self.tr("Compare"), "Ctrl+2"),
            PageName.MODELS: self._button(PageName.MODELS, self.tr("My Models"), "Ctrl+3"),
            PageName.DISCOVER: self._button(PageName.DISCOVER, self.tr("Discover"), "Ctrl+4"),
            PageName.SETTINGS: self._button(PageName.SETTINGS, self.tr("Settings"), "Ctrl+,"),
        }
        *first, last = self._buttons.values()
        self.setLayout(column(*first, None, last, spacing=4, margins=(3, 12, 3, 12)))
        theme.changed.connect(self._colour)
        self.set_current(PageName.CHAT)

    def set_current(self, page: PageName) -> None:
        """Marks a page as the one that is shown."""
        self._current = page
        self._buttons[page].setChecked(True)
        self._colour()

    def _button(self, page: PageName, text: str, shortcut: str) -> QToolButton:
        made = QToolButton()
        made.setObjectName(f"{page.value}_page_button")
        made.setProperty("rail", True)
        made.setText(text)
        made.setAccessibleName(text)
        made.setToolTip(f"{text} ({shortcut})")
        made.setShortcut(shortcut)
        made.setCheckable(True)
        made.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
        made.setIconSize(QSize(20, 20))
        made.setCursor(Qt.CursorShape.PointingHandCursor)
        made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        made.clicked.connect(lambda: self._choose(page))
        self._group.addButton(made)
        return made

    def _choose(self, page: PageName) -> None:
        self.set_current(page)
        self.page_chosen.emit(page)

    def _colour(self) -> None:
        for page, button in self._buttons.items():
            button.setIcon(self._icons.icon(page.value, "accent" if page is self._current else "muted"))
