"""How many tokens are drafted, in the chat's sidebar."""

from typing import Any

from msgspec.structs import replace
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.core.options import DraftLength, SpeculationMode, SpeculationOptions
from app.ui.chips import Chips
from app.ui.draft_length import NUMBERS, leave_usable
from app.ui.form_parts import captioned, set_shown
from app.ui.number_field import NumberField
from app.ui.number_text import decimal, whole
from app.ui.option_problems import problems_of, sentence
from app.ui.option_words import draft_length_meaning, draft_length_text
from app.ui.setting_row import SettingRow
from app.ui.theme import Theme
from app.ui.widgets import column, label


class DraftFigures(QWidget):
    """Automatic with its most, or fixed with most, least and probability.

    What cannot be used is marked, and not told.
    """

    adjusted = Signal(object)  # SpeculationOptions

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._options = options = SpeculationOptions()
        self._mode = SpeculationMode.DRAFT_MODEL
        title = self.tr("Draft length")
        self._length = Chips(
            "sidebar_draft_length_choice",
            title,
            {each: draft_length_text(each) for each in DraftLength},
            theme,
        )
        most = self.tr("Max draft tokens")
        self._fields: dict[str, NumberField[Any]] = {
            "draft_ceiling": NumberField("sidebar_draft_ceiling_field", most, whole(), options.draft_ceiling),
            "max_draft_tokens": NumberField(
                "sidebar_max_draft_tokens_field", most, whole(), options.max_draft_tokens
            ),
            "min_draft_tokens": NumberField(
                "sidebar_min_draft_tokens_field",
                self.tr("Min draft tokens"),
                whole(),
                options.min_draft_tokens,
            ),
            "draft_probability": NumberField(
                "sidebar_draft_probability_field",
                self.tr("Draft probability"),
                decimal(),
                options.draft_probability,
                expected=self.tr("a number from 0 to 1"),
            ),
        }
        for field in self._fields.values():
            field.setProperty("small", True)
            field.value_changed.connect(self._typed)
        self._rows = {name: SettingRow(field.accessibleName(), field) for name, field in self._fields.items()}
        self._problem = label(size="small", tone="bad", wrap=True)
        self._problem.setObjectName("speculation_problem")
        self._problem.hide()
        self.setLayout(
            column(
                captioned(title, self._length),
                2,
                *self._rows.values(),
                self._problem,
                spacing=6,
            )
        )
        self._length.value_chosen.connect(self._choose_length)
        self._arrange()

    def show_options(self, options: SpeculationOptions, *, another: bool) -> None:
        """Shows the options in force; `another` model's, so that nothing typed is to be kept."""
        self._options = options
        self._length.set_value(options.draft_length)
        for name, field in self._fields.items():
            if another or field.value != getattr(options, name):
                field.set_value(getattr(options, name))
        self._check()
        self._arrange()

    def show_mode(self, mode: SpeculationMode) -> None:
        """Shows what such a source of drafts uses: a lookup knows no probabilities."""
        self._mode = mode
        self._arrange()

    def _choose_length(self) -> None:
        leave_usable(self._fields, DraftLength(self._length.value), self._options)
        self._arrange()
        self._typed()

    def _typed(self) -> None:
        if self._check() and self._typed_options() != self._options:
            self.adjusted.emit(self._typed_options())

    def _typed_options(self) -> SpeculationOptions:
        values = {name: field.value for name, field in self._fields.items()}
        return replace(self._options, draft_length=DraftLength(self._length.value), **values)

    def _arrange(self) -> None:
        length = DraftLength(self._length.value)
        for name, line in self._rows.items():
            is_known = name != "draft_probability" or self._mode is not SpeculationMode.PROMPT_LOOKUP
            set_shown(line, name in NUMBERS[length] and is_known)
        self._length.setToolTip(draft_length_meaning(length, self._mode))

    def _check(self) -> bool:
        """Marks what cannot be used, and says why; True where all can."""
        found = problems_of(self._typed_options())
        readable = all(field.is_readable for field in self._fields.values())
        joint = " ".join(sentence(problem) for problem in found.joint) if readable else ""
        words = []
        for name, field in self._fields.items():
            own = field.unreadable or " ".join(sentence(text) for text in found.by_field.get(name, ()))
            field.set_problem(own or (joint if name in ("max_draft_tokens", "min_draft_tokens") else ""))
            words.append(own)
        text = " ".join(word for word in (*words, joint) if word)
        self._problem.setText(text)
        set_shown(self._problem, bool(text))
        return not text
