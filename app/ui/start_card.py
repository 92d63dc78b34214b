"""What happens when the program starts."""

from PySide6.QtWidgets import QWidget

from app.models.model_names import printable
from app.settings import Settings
from app.ui.preferences import Preferences
from app.ui.settings_card import SettingsCard
from app.ui.theme import Theme
from app.ui.toggle import ToggleSwitch
from app.ui.widgets import column, label, row


class StartCard(SettingsCard):
    """Whether the last model is loaded."""

    def __init__(self, theme: Theme, preferences: Preferences, parent: QWidget | None = None) -> None:
        super().__init__("start_card", parent)
        self.add_heading(self.tr("At start"))
        name = self.tr("Load the last model")
        self._load_last = ToggleSwitch(theme, "load_last_switch", name)
        caption = label(name)
        caption.setBuddy(self._load_last)
        note = label(
            self.tr(
                "After Slipstream or its engine has crashed, the model is only offered, because it may have "
                "been the cause."
            ),
            size="small",
            tone="muted",
            wrap=True,
        )
        self._last = label(size="small", tone="faint")
        self._last.setObjectName("last_model_sentence")
        self.add(column(row(caption, None, self._load_last), note, self._last, spacing=4))
        self._show(preferences.settings)
        self._load_last.toggled.connect(lambda on: preferences.update(load_last_at_start=on))
        preferences.changed.connect(self._show)

    def _show(self, settings: Settings) -> None:
        self._load_last.setChecked(settings.load_last_at_start)
        last = settings.last_model
        self._last.setVisible(last is not None)
        if last is not None:
            self._last.setText(self.tr("Last: {file}").format(file=printable(last.name)))
