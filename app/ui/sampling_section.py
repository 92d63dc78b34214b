"""How tokens are chosen, and when an answer ends."""

from msgspec.structs import replace
from PySide6.QtWidgets import QGridLayout, QWidget

from app.settings import ModelConfig
from app.ui.config_section import ConfigSection
from app.ui.form_parts import captioned
from app.ui.number_field import NumberField
from app.ui.number_text import decimal, or_empty, whole
from app.ui.widgets import column

_COLUMNS = 2


class SamplingSection(ConfigSection):
    """Temperature, what is cut off, penalties, and the length of an answer."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._temperature = NumberField(
            "temperature_field",
            self.tr("Temperature"),
            decimal(),
            0.8,
            hint=self.tr("0 always takes the likeliest token."),
        )
        self._top_k = NumberField(
            "top_k_field", self.tr("Top K"), or_empty(whole(), 0), 40, placeholder=self.tr("All")
        )
        self._top_p = NumberField("top_p_field", self.tr("Top P"), decimal(), 0.95)
        self._min_p = NumberField("min_p_field", self.tr("Min P"), decimal(), 0.05)
        self._repeat = NumberField(
            "repeat_penalty_field", self.tr("Repeat Penalty"), decimal(), 1.0, hint=self.tr("1 is none.")
        )
        self._presence = NumberField("presence_penalty_field", self.tr("Presence Penalty"), decimal(), 0.0)
        self._frequency = NumberField("frequency_penalty_field", self.tr("Frequency Penalty"), decimal(), 0.0)
        self._most = NumberField(
            "max_tokens_field",
            self.tr("Max Tokens"),
            or_empty(whole(), 0),
            0,
            placeholder=self.tr("No limit"),
            hint=self.tr("The longest answer; empty: until the context is full."),
        )
        self.fields = {
            "temperature": self._temperature,
            "top_k": self._top_k,
            "top_p": self._top_p,
            "min_p": self._min_p,
            "repeat_penalty": self._repeat,
            "presence_penalty": self._presence,
            "frequency_penalty": self._frequency,
            "max_tokens": self._most,
        }
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(10)
        for position, field in enumerate(self.fields.values()):
            grid.addLayout(
                captioned(field.accessibleName(), field), position // _COLUMNS, position % _COLUMNS
            )
        self.setLayout(column(grid, self.problem_line, spacing=10))
        self._follow(*self.fields.values())

    def show_config(self, config: ModelConfig) -> None:
        """Shows a config's values."""
        for name, field in self.fields.items():
            options = config.limits if field is self._most else config.sampling
            field.set_value(getattr(options, name))

    def applied_to(self, config: ModelConfig) -> ModelConfig:
        """The config with the values shown here."""
        sampling = replace(
            config.sampling,
            temperature=self._temperature.value,
            top_k=self._top_k.value,
            top_p=self._top_p.value,
            min_p=self._min_p.value,
            repeat_penalty=self._repeat.value,
            presence_penalty=self._presence.value,
            frequency_penalty=self._frequency.value,
        )
        return replace(config, sampling=sampling, limits=replace(config.limits, max_tokens=self._most.value))
