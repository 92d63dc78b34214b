"""The look in force: colours, fonts, and the application's palette and style sheet made from them."""

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QFont, QFontDatabase, QPalette
from PySide6.QtWidgets import QApplication

from app.paths import resource
from app.settings import ThemeChoice
from app.ui.colours import Colours, read_theme
from app.ui.style import style_sheet

_FAMILY = "Inter"  # if it is there; the system's own otherwise


class Theme(QObject):
    """Chooses between dark and light, as the user or the system says, and dresses the application.

    `changed` tells widgets that paint themselves to do so again.
    """

    changed = Signal()

    def __init__(self, application: QApplication, choice: ThemeChoice = ThemeChoice.SYSTEM) -> None:
        super().__init__()
        self._application = application
        self._choice = choice
        application.setStyle("Fusion")
        application.setFont(self.body_font())
        self._file = read_theme(resource(f"themes/{self._wanted()}.toml"))
        self._dress()
        application.styleHints().colorSchemeChanged.connect(self._follow_system)

    @property
    def colours(self) -> Colours:
        """The colours in force."""
        return self._file.colours

    @property
    def is_dark(self) -> bool:
        """Whether text is light on dark."""
        return self._file.is_dark

    def choose(self, choice: ThemeChoice) -> None:
        """Takes another theme."""
        self._choice = choice
        self._update()

    def body_font(self, size: int = 13, *, strong: bool = False) -> QFont:
        """The window's font; `size` in pixels."""
        families = QFontDatabase.families()
        system = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
        font = QFont(_FAMILY) if _FAMILY in families else QFont(system)
        font.setPixelSize(size)
        font.setWeight(QFont.Weight.DemiBold if strong else QFont.Weight.Normal)
        return font

    def mono_font(self, size: int = 13) -> QFont:
        """The font of code; `size` in pixels."""
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        font.setPixelSize(size)
        return font

    def _wanted(self) -> str:
        if self._choice is ThemeChoice.SYSTEM:
            return "dark" if self._system_is_dark() else "light"
        return "dark" if self._choice is ThemeChoice.DARK else "light"

    def _system_is_dark(self) -> bool:
        """Dark, too, where the system has no opinion."""
        return self._application.styleHints().colorScheme() is not Qt.ColorScheme.Light

    def _follow_system(self) -> None:
        if self._choice is ThemeChoice.SYSTEM:
            self._update()

    def _update(self) -> None:
        wanted = self._wanted()
        if (wanted == "dark") is self.is_dark:
            return
        self._file = read_theme(resource(f"themes/{wanted}.toml"))
        self._dress()
        self.changed.emit()

    def _dress(self) -> None:
        self._application.setPalette(_palette(self.colours))
        pictures = resource(f"themes/{self._wanted()}-").as_posix()
        self._application.setStyleSheet(style_sheet(self.colours, pictures))


def _palette(colours: Colours) -> QPalette:
    palette = QPalette()
    roles = QPalette.ColorRole
    for role, colour in (
        (roles.Window, colours.window),
        (roles.WindowText, colours.text),
        (roles.Base, colours.field),
        (roles.AlternateBase, colours.panel),
        (roles.Text, colours.text),
        (roles.Button, colours.raised),
        (roles.ButtonText, colours.text),
        (roles.BrightText, colours.bad),
        (roles.ToolTipBase, colours.raised),
        (roles.ToolTipText, colours.text),
        (roles.PlaceholderText, colours.faint),
        (roles.Highlight, colours.accent),
        (roles.HighlightedText, colours.accent_text),
        (roles.Link, colours.accent),
        (roles.LinkVisited, colours.accent),
        (roles.Accent, colours.accent),
        (roles.Light, colours.line),
        (roles.Midlight, colours.line),
        (roles.Mid, colours.line),
        (roles.Dark, colours.line),
        (roles.Shadow, colours.window),
    ):
        palette.setColor(role, colour)
    for role in (roles.WindowText, roles.Text, roles.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, role, colours.faint)
    return palette
