"""The theme, and how much the window shows."""

from PySide6.QtWidgets import QButtonGroup, QRadioButton, QWidget

from app.settings import Settings, ThemeChoice, UserMode
from app.ui.mode_words import mode_meaning, mode_name
from app.ui.preferences import Preferences
from app.ui.settings_card import SettingsCard
from app.ui.widgets import button, column, label, row

_INDENT = 26  # pixels, of a mode's sentence under its name


class AppearanceCard(SettingsCard):
    """Both apply at once."""

    def __init__(self, preferences: Preferences, parent: QWidget | None = None) -> None:
        super().__init__("appearance_card", parent)
        self.add_heading(self.tr("Appearance"))
        self._preferences = preferences
        self._themes = QButtonGroup(self)
        themes = row()
        for theme in ThemeChoice:
            choice = button(self._theme_text(theme), f"theme_{theme}_button")
            choice.setCheckable(True)
            self._themes.addButton(choice, list(ThemeChoice).index(theme))
            themes.addWidget(choice)
        themes.addStretch(1)
        self.add(column(label(self.tr("Theme"), size="small", tone="muted"), themes, spacing=4))
        self._modes = QButtonGroup(self)
        modes = column(label(self.tr("Mode"), size="small", tone="muted"), spacing=8)
        for mode in UserMode:
            radio = QRadioButton(mode_name(mode))
            radio.setObjectName(f"mode_{mode}_button")
            radio.setAccessibleName(mode_name(mode))
            radio.setAccessibleDescription(mode_meaning(mode))
            self._modes.addButton(radio, list(UserMode).index(mode))
            sentence = label(mode_meaning(mode), size="small", tone="muted", wrap=True)
            modes.addLayout(column(radio, row(sentence, margins=(_INDENT, 0, 0, 0)), spacing=0))
        self.add(modes)
        self._show(preferences.settings)
        self._themes.idClicked.connect(lambda number: preferences.update(theme=list(ThemeChoice)[number]))
        self._modes.idClicked.connect(lambda number: preferences.update(mode=list(UserMode)[number]))
        preferences.changed.connect(self._show)

    def _show(self, settings: Settings) -> None:
        self._themes.button(list(ThemeChoice).index(settings.theme)).setChecked(True)
        self._modes.button(list(UserMode).index(settings.mode)).setChecked(True)

    def _theme_text(self, theme: ThemeChoice) -> str:
        match theme:
            case ThemeChoice.SYSTEM:
                return self.tr("System")
            case ThemeChoice.DARK:
                return self.tr("Dark")
            case ThemeChoice.LIGHT:
                return self.tr("Light")
