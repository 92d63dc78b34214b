"""The built-in prompts at hand, by kind."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from app.core.prompts import Suite
from app.ui.icons import Icons
from app.ui.plain_tip import plain_tip
from app.ui.theme import Theme

_LONGEST = 56  # characters of a prompt that are shown
_LONGEST_TIP = 600


class SuiteMenu(QPushButton):
    """A small button that opens a menu: a suite's title, and in it its prompts with their first words."""

    prompt_chosen = Signal(object)  # Prompt

    def __init__(
        self, theme: Theme, icons: Icons, suites: Sequence[Suite], parent: QWidget | None = None
    ) -> None:
        super().__init__(self.tr("Examples"), parent)
        self._icons = icons
        self._suites = tuple(suites)
        self._menu: QMenu | None = None
        self.setObjectName("suite_menu_button")
        self.setAccessibleName(self.tr("Built-in prompts"))
        self.setToolTip(
            self.tr("Built-in prompts of several kinds: what drafting gains depends on the prompt")
        )
        self.setProperty("kind", "quiet")
        self.setProperty("small", True)
        self.setAutoDefault(False)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the arrow stands behind the word
        self.setIconSize(QSize(12, 12))
        self.clicked.connect(self._show_menu)
        theme.changed.connect(self._take_theme)
        self._take_theme()
        self.setVisible(bool(suites))

    @property
    def menu_of_suites(self) -> QMenu:
        """The menu, made when it is first wanted."""
        if self._menu is None:
            self._menu = QMenu(self)
            self._menu.setObjectName("suite_menu")
            self._menu.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
            for suite in self._suites:
                self._add(self._menu, suite)
        return self._menu

    def _add(self, menu: QMenu, suite: Suite) -> None:
        below = menu.addMenu(_plain(suite.title))
        below.setObjectName(f"suite_{suite.name}_menu")
        below.setToolTipsVisible(True)
        for prompt in suite.prompts:
            action = below.addAction(f"{_plain(first_words(prompt.text))}\t{_plain(prompt.id)}")
            action.setObjectName(f"prompt_{prompt.id}_action")
            action.setToolTip(plain_tip(_shortened(prompt.text.strip(), _LONGEST_TIP)))
            action.triggered.connect(lambda _checked, chosen=prompt: self.prompt_chosen.emit(chosen))

    def _show_menu(self) -> None:
        menu = self.menu_of_suites
        corner = QPoint(self.width() - menu.sizeHint().width(), self.height() + 2)
        menu.popup(self.mapToGlobal(corner))

    def _take_theme(self) -> None:
        self.setIcon(self._icons.icon("chevron"))


def first_words(text: str, longest: int = _LONGEST) -> str:
    """The beginning of a prompt in one line of at most so many characters."""
    return _shortened(" ".join(text.split()), longest)


def _shortened(text: str, longest: int) -> str:
    if len(text) <= longest:
        return text
    start, blank, _ = text[:longest].rpartition(" ")
    return f"{(start if blank and len(start) > longest // 2 else text[: longest - 1]).rstrip(',.;: ')}…"


def _plain(text: str) -> str:
    """Without marks for keys, which menus look for."""
    return text.replace("&", "&&").replace("\t", " ")
