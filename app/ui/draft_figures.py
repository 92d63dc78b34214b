"""How many tokens are drafted, in the chat's sidebar."""

from typing import Any

from msgspec.structs import replace
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.core.options import SpeculationOptions
from app.ui.number_field import NumberField
from app.ui.number_text import decimal, whole
from app.ui.option_problems import problems_of, sentence
from app.ui.setting_row import SettingRow
from app.ui.widgets import column, label


class DraftFigures(QWidget):
    """Most, least and probability. What cannot be used is marked, and not told."""

    adjusted = Signal(object)  # SpeculationOptions

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._options = options = SpeculationOptions()
        self._most = NumberField(
            "sidebar_max_draft_tokens_field", self.tr("Max draft tokens"), whole(), options.max_draft_tokens
        )
        self._least = NumberField(
            "sidebar_min_draft_tokens_field", self.tr("Min draft tokens"), whole(), options.min_draft_tokens
        )
        self._probability = NumberField(
            "sidebar_draft_probability_field",
            self.tr("Draft probability"),
            decimal(),
            options.draft_probability,
            expected=self.tr("a number from 0 to 1"),
        )
        self._fields: dict[str, NumberField[Any]] = {
            "max_draft_tokens": self._most,
            "min_draft_tokens": self._least,
            "draft_probability": self._probability,
        }
        for field in self._fields.values():
            field.setProperty("small", True)
            field.value_changed.connect(self._typed)
        self._probability_row = SettingRow(self._probability.accessibleName(), self._probability)
        self._problem = label(size="small", tone="bad", wrap=True)
        self._problem.setObjectName("speculation_problem")
        self._problem.hide()
        self.setLayout(
            column(
                SettingRow(self._most.accessibleName(), self._most),
                SettingRow(self._least.accessibleName(), self._least),
                self._probability_row,
                self._problem,
                spacing=6,
            )
        )

    def show_options(self, options: SpeculationOptions, *, another: bool) -> None:
        """Shows the options in force; `another` model's, so that nothing typed is to be kept."""
        self._options = options
        for name, field in self._fields.items():
            if another or field.value != getattr(options, name):
                field.set_value(getattr(options, name))
        self._check()

    def show_probability(self, shown: bool) -> None:
        """The probability is for draft models: a lookup has none."""
        self._probability_row.setVisible(shown)

    def _typed(self) -> None:
        if self._check() and self._typed_options() != self._options:
            self.adjusted.emit(self._typed_options())

    def _typed_options(self) -> SpeculationOptions:
        return replace(
            self._options,
            max_draft_tokens=self._most.value,
            min_draft_tokens=self._least.value,
            draft_probability=self._probability.value,
        )

    def _check(self) -> bool:
        """Marks what cannot be used, and says why; True where all can."""
        found = problems_of(self._typed_options())
        readable = all(field.is_readable for field in self._fields.values())
        joint = " ".join(sentence(problem) for problem in found.joint) if readable else ""
        words = []
        for name, field in self._fields.items():
            own = field.unreadable or " ".join(sentence(text) for text in found.by_field.get(name, ()))
            field.set_problem(own or ("" if field is self._probability else joint))
            words.append(own)
        text = " ".join(word for word in (*words, joint) if word)
        self._problem.setText(text)
        self._problem.setVisible(bool(text))
        return not text
