"""What a model is told before every chat, and what ends its answers."""

from msgspec.structs import replace
from PySide6.QtWidgets import QWidget

from app.settings import ModelConfig
from app.ui.config_section import ConfigSection
from app.ui.form_parts import captioned
from app.ui.stop_strings import stop_lines, stop_strings
from app.ui.text_area import TextArea
from app.ui.widgets import column, label

_STOP_HEIGHT, _PROMPT_HEIGHT = 84, 160  # pixels


class PromptSection(ConfigSection):
    """The system prompt and the stop strings."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        prompt, stops = self.tr("System Prompt"), self.tr("Stop Strings")
        self._prompt = TextArea(
            "system_prompt_field", prompt, placeholder=self.tr("You are a helpful assistant.")
        )
        self._prompt.setMinimumHeight(_PROMPT_HEIGHT)
        self._stops = TextArea("stop_strings_field", stops)
        self._shown: tuple[str, ...] = ()
        self._stops.setFixedHeight(_STOP_HEIGHT)
        hint = label(
            self.tr("One a line. \\n stands for a line break, \\\\ for a backslash."),
            size="small",
            tone="faint",
        )
        self.setLayout(
            column(
                captioned(prompt, self._prompt),
                column(captioned(stops, self._stops), hint, spacing=4),
                spacing=10,
            )
        )
        self._prompt.text_edited.connect(self.edited)
        self._stops.text_edited.connect(self.edited)

    def show_config(self, config: ModelConfig) -> None:
        """Shows a config's values."""
        self._prompt.set_value(config.system_prompt)
        self._shown = config.limits.stop_strings
        self._stops.set_value(stop_lines(config.limits.stop_strings))

    def applied_to(self, config: ModelConfig) -> ModelConfig:
        """The config with the values shown here."""
        lines = self._stops.value
        strings = self._shown if lines == stop_lines(self._shown) else stop_strings(lines)
        limits = replace(config.limits, stop_strings=strings)
        return replace(config, limits=limits, system_prompt=self._prompt.value)
