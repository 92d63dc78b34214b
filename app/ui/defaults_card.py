"""The settings that models without a config of their own are loaded with."""

from msgspec.structs import replace
from PySide6.QtCore import QTimer
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QWidget

from app.settings import ModelConfig, Settings, UserMode
from app.ui.advanced_section import AdvancedSection
from app.ui.config_section import ConfigSection
from app.ui.disclosure import Disclosure
from app.ui.icons import Icons
from app.ui.option_problems import problems_of
from app.ui.preferences import Preferences
from app.ui.prompt_section import PromptSection
from app.ui.sampling_section import SamplingSection
from app.ui.settings_card import SettingsCard
from app.ui.size_section import SizeSection
from app.ui.theme import Theme
from app.ui.widgets import button, label, row

_PAUSE = 500  # milliseconds without typing, after which what was typed counts


class DefaultsCard(SettingsCard):
    """Saves what holds together, a moment after the last change; the rest is marked and waits."""

    def __init__(
        self, theme: Theme, icons: Icons, preferences: Preferences, parent: QWidget | None = None
    ) -> None:
        super().__init__("defaults_card", parent)
        self._preferences = preferences
        self._base = preferences.settings.defaults
        self.add_heading(
            self.tr("Default settings"),
            self.tr(
                "For models without settings of their own. A model gets its own in the Load dialog, with "
                "Remember settings ticked. Changes here take effect at the next load."
            ),
        )
        self._own = label(size="small", tone="muted")
        self._own.setObjectName("own_configs_sentence")
        self._reset = button(self.tr("Reset to defaults"), "reset_defaults_button", kind="quiet", small=True)
        self._reset.clicked.connect(self._reset_all)
        self._load, self._advanced = SizeSection(), AdvancedSection(theme)
        self._sampling, self._prompt = SamplingSection(), PromptSection()
        self._sections: tuple[ConfigSection, ...] = (
            self._load,
            self._advanced,
            self._sampling,
            self._prompt,
        )
        self.add(self._load)
        self._heading = self._disclosure(theme, icons, self.tr("Advanced"), "advanced", self._advanced)
        self._disclosure(theme, icons, self.tr("Inference"), "inference", self._sampling, self._prompt)
        self.add(row(self._own, None, self._reset))
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE)
        self._pause.timeout.connect(self.save)
        for section in self._sections:
            section.edited.connect(self._edited)
        self._show_config(self._base)
        self._show(preferences.settings)
        preferences.changed.connect(self._show)

    def save(self) -> None:
        """Saves now what was typed, if it can be used."""
        self._pause.stop()
        config = self._config
        if self._check(config):
            self._base = config
            self._preferences.update(defaults=config)

    def hideEvent(self, event: QHideEvent) -> None:
        """Saves before the page goes."""
        super().hideEvent(event)
        if self._pause.isActive():
            self.save()

    @property
    def _config(self) -> ModelConfig:
        config = self._base
        for section in self._sections:
            config = section.applied_to(config)
        return config

    def _disclosure(
        self, theme: Theme, icons: Icons, title: str, name: str, *sections: ConfigSection
    ) -> Disclosure:
        heading = Disclosure(title, f"default_{name}_button", theme, icons)
        heading.setChecked(False)
        self.add(heading)
        for section in sections:
            section.hide()
            heading.toggled.connect(section.setVisible)
            self.add(section)
        return heading

    def _edited(self) -> None:
        self._check(self._config)
        self._pause.start()

    def _check(self, config: ModelConfig) -> bool:
        """Marks what cannot be used, and tells whether there is nothing of that."""
        load = problems_of(config.load)
        sampling = problems_of(replace(config.sampling, seed=config.seed or 0))
        limits = problems_of(config.limits)
        by_field = {**load.by_field, **sampling.by_field, **limits.by_field}
        unreadable: list[str] = []
        for section in self._sections:
            joint = load.joint if section is self._advanced else ()
            unreadable += section.show_problems(by_field, joint)
        return not (load or sampling or limits or unreadable)

    def _show(self, settings: Settings) -> None:
        if settings.defaults != self._base:
            self._show_config(settings.defaults)
        shown = settings.mode is not UserMode.USER
        self._heading.setVisible(shown)
        self._advanced.setVisible(shown and self._heading.isChecked())
        own = len(settings.configs)
        texts = (
            self.tr("No model has settings of its own."),
            self.tr("One model has settings of its own."),
            self.tr("{count} models have settings of their own."),
        )
        self._own.setText(texts[min(own, 2)].format(count=own))
        self._reset.setEnabled(settings.defaults != ModelConfig())

    def _show_config(self, config: ModelConfig) -> None:
        self._pause.stop()
        self._base = config
        for section in self._sections:
            section.show_config(config)
        self._check(config)

    def _reset_all(self) -> None:
        self._show_config(ModelConfig())
        self._preferences.update(defaults=ModelConfig())
