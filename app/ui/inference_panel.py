"""How answers are sampled, in the chat's sidebar."""

from typing import Any

from msgspec.structs import replace
from PySide6.QtCore import Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from app.settings import ModelConfig
from app.ui.form_parts import captioned
from app.ui.number_field import NumberField
from app.ui.number_text import decimal, optional, or_empty, whole
from app.ui.option_problems import sentence
from app.ui.setting_row import SettingRow
from app.ui.widgets import column, label

_PROMPT_HEIGHT = 92  # pixels
_LARGEST_SEED = 2**32 - 1


class InferencePanel(QWidget):
    """Sampling, limits, seed and system prompt for the next answer."""

    adjusted = Signal(object)  # ModelConfig

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._config = ModelConfig()
        sampling = self._config.sampling
        self._temperature = NumberField(
            "sidebar_temperature_field", self.tr("Temperature"), decimal(), sampling.temperature
        )
        self._top_k = NumberField("sidebar_top_k_field", self.tr("Top K"), whole(), sampling.top_k)
        self._top_p = NumberField("sidebar_top_p_field", self.tr("Top P"), decimal(), sampling.top_p)
        self._min_p = NumberField("sidebar_min_p_field", self.tr("Min P"), decimal(), sampling.min_p)
        no_limit, random = self.tr("No limit"), self.tr("Random")
        self._max_tokens = NumberField(
            "sidebar_max_tokens_field", self.tr("Max Tokens"), or_empty(whole(), 0), 0, placeholder=no_limit
        )
        self._seed = NumberField(
            "sidebar_seed_field",
            self.tr("Seed"),
            optional(whole(grouped=False, largest=_LARGEST_SEED)),
            None,
            placeholder=random,
        )
        self._fields: dict[str, NumberField[Any]] = {
            "temperature": self._temperature,
            "top_k": self._top_k,
            "top_p": self._top_p,
            "min_p": self._min_p,
            "max_tokens": self._max_tokens,
            "seed": self._seed,
        }
        for field in self._fields.values():
            field.setProperty("small", True)
            field.value_changed.connect(self._typed)
        self._problem = label(size="small", tone="bad", wrap=True)
        self._problem.setObjectName("inference_problem")
        self._problem.hide()
        self._prompt = _PromptEdit()
        self._prompt.left.connect(self._prompt_left)
        rows = [SettingRow(field.accessibleName(), field) for field in self._fields.values()]
        self.setLayout(
            column(*rows, self._problem, 2, captioned(self._prompt.accessibleName(), self._prompt), spacing=6)
        )
        self._show_values(self._config, another=True)

    def show_config(self, config: ModelConfig, *, another: bool) -> None:
        """Shows what is in force; `another` model's, so that nothing typed is to be kept."""
        before, self._config = self._config, config
        self._show_values(config, another=another)
        if another or config.system_prompt != before.system_prompt:
            self._prompt.setPlainText(config.system_prompt)

    def _show_values(self, config: ModelConfig, *, another: bool) -> None:
        sampling = config.sampling
        values = {
            "temperature": sampling.temperature,
            "top_k": sampling.top_k,
            "top_p": sampling.top_p,
            "min_p": sampling.min_p,
            "max_tokens": config.limits.max_tokens,
            "seed": config.seed,
        }
        for name, value in values.items():
            if another or self._fields[name].value != value:
                self._fields[name].set_value(value)
        self._check(self._typed_config())

    def _typed(self) -> None:
        config = self._typed_config()
        if self._check(config) and config != self._config:
            self.adjusted.emit(config)

    def _typed_config(self) -> ModelConfig:
        return replace(
            self._config,
            sampling=replace(
                self._config.sampling,
                temperature=self._temperature.value,
                top_k=self._top_k.value,
                top_p=self._top_p.value,
                min_p=self._min_p.value,
            ),
            limits=replace(self._config.limits, max_tokens=self._max_tokens.value),
            seed=self._seed.value,
        )

    def _check(self, config: ModelConfig) -> bool:
        """Marks what cannot be used, and says why; True where all can."""
        sampling = ModelConfig().sampling
        own = {
            "temperature": replace(sampling, temperature=config.sampling.temperature).problems(),
            "top_k": replace(sampling, top_k=config.sampling.top_k).problems(),
            "top_p": replace(sampling, top_p=config.sampling.top_p).problems(),
            "min_p": replace(sampling, min_p=config.sampling.min_p).problems(),
            "max_tokens": replace(ModelConfig().limits, max_tokens=config.limits.max_tokens).problems(),
            "seed": replace(sampling, seed=config.seed or 0).problems(),
        }
        words = []
        for name, field in self._fields.items():
            problem = field.unreadable or " ".join(sentence(text) for text in own[name])
            field.set_problem(problem)
            words.append(problem)
        text = " ".join(word for word in words if word)
        self._problem.setText(text)
        self._problem.setVisible(bool(text))
        return not text

    def _prompt_left(self) -> None:
        prompt = self._prompt.toPlainText()
        if prompt != self._config.system_prompt:
            self.adjusted.emit(replace(self._config, system_prompt=prompt))


class _PromptEdit(QPlainTextEdit):
    """A text of a few lines, taken over when the person goes elsewhere."""

    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("sidebar_system_prompt_field")
        self.setAccessibleName(self.tr("System Prompt"))
        self.setPlaceholderText(self.tr("None"))
        self.setTabChangesFocus(True)
        self.setFixedHeight(_PROMPT_HEIGHT)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Tells that the text is done."""
        super().focusOutEvent(event)
        self.left.emit()
