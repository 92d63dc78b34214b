"""How many tokens are drafted, in the settings: the program's choice, or numbers."""

from typing import Any

from msgspec.structs import replace
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QBoxLayout, QGridLayout, QWidget

from app.core.options import LONGEST_DRAFT, DraftLength, SpeculationMode, SpeculationOptions
from app.ui.chips import Chips
from app.ui.draft_length import NUMBERS, leave_usable
from app.ui.form_parts import captioned, set_shown, show_line
from app.ui.number_field import NumberField
from app.ui.number_text import decimal, whole
from app.ui.option_words import draft_length_meaning, draft_length_text
from app.ui.theme import Theme
from app.ui.widgets import column, label

_ACROSS, _DOWN = 12, 10  # pixels between the parts


class DraftNumbers(QWidget):
    """Automatic with its ceiling, or fixed with three numbers. Both keep theirs while the other is chosen.

    `length_is_swept`: every length is tried, so that neither the choice nor a most is to be made.
    """

    length_chosen = Signal()  # by the person

    def __init__(self, theme: Theme, parent: QWidget | None = None, *, length_is_swept: bool = False) -> None:
        super().__init__(parent)
        self._is_swept = length_is_swept
        self._mode = SpeculationMode.DRAFT_MODEL
        self._options = options = SpeculationOptions()
        title = self.tr("Draft length")
        self._length = Chips(
            "draft_length_choice", title, {each: draft_length_text(each) for each in DraftLength}, theme
        )
        most, least = self.tr("Max draft tokens"), self.tr("Min draft tokens")
        probability = self.tr("Draft probability")
        self._ceiling = NumberField(
            "draft_ceiling_field",
            most,
            whole(),
            options.draft_ceiling,
            hint=self.tr("No draft is longer, however well the guesses go."),
        )
        self._most = NumberField(
            "max_draft_tokens_field",
            most,
            whole(),
            options.max_draft_tokens,
            hint=self.tr("The most tokens that are guessed before they are checked."),
        )
        self._least = NumberField(
            "min_draft_tokens_field",
            least,
            whole(),
            options.min_draft_tokens,
            hint=self.tr("A shorter draft is dropped and not checked."),
        )
        self._probability = NumberField(
            "draft_probability_field",
            probability,
            decimal(),
            options.draft_probability,
            hint=self.tr("Drafting ends at the first token less likely than this."),
            expected=self.tr("a number from 0 to 1"),
        )
        self.fields: dict[str, NumberField[Any]] = {
            "draft_ceiling": self._ceiling,
            "max_draft_tokens": self._most,
            "min_draft_tokens": self._least,
            "draft_probability": self._probability,
        }
        self._meaning = label(size="small", tone="muted", wrap=True)
        self._meaning.setObjectName("draft_length_meaning")
        choice = captioned(title, self._length)
        choice.setStretch(1, 1)  # so that the caption is level with that of the field beside it
        self._choice = _holder(choice)
        self._parts = {
            name: _holder(captioned(field.accessibleName(), field)) for name, field in self.fields.items()
        }
        self.setLayout(self._grid())
        self._length.value_chosen.connect(self._choose_length)
        self._update()

    def _grid(self) -> QGridLayout:
        """Two columns in which nothing moves: the most tokens of either length have the same place."""
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(_ACROSS)
        grid.setVerticalSpacing(_DOWN)
        for column_number in range(2):
            grid.setColumnStretch(column_number, 1)
        grid.addWidget(self._choice, 0, 0)
        grid.addWidget(self._parts["draft_ceiling"], 0, 1)
        grid.addWidget(self._parts["max_draft_tokens"], 0, 1)
        grid.addWidget(self._parts["min_draft_tokens"], 1, 0)
        grid.addWidget(self._parts["draft_probability"], 1, 1)
        grid.addWidget(self._meaning, 2, 0, 1, 2)
        return grid

    def show_options(self, options: SpeculationOptions) -> None:
        """Shows the numbers of options."""
        self._options = options
        self._length.set_value(options.draft_length)
        for name, field in self.fields.items():
            field.set_value(getattr(options, name))
        self._update()

    def show_mode(self, mode: SpeculationMode) -> None:
        """Shows what such a source of drafts uses: a lookup knows no probabilities."""
        self._mode = mode
        self._update()

    def applied_to(self, options: SpeculationOptions) -> SpeculationOptions:
        """The options with the numbers shown here."""
        values = {name: field.value for name, field in self.fields.items()}
        if self._is_swept:  # whatever the lengths, a least below them is none too many
            values["max_draft_tokens"] = min(max(self._most.value, self._least.value), LONGEST_DRAFT)
        return replace(options, draft_length=DraftLength(self._length.value), **values)

    def _choose_length(self) -> None:
        leave_usable(self.fields, DraftLength(self._length.value), self._options)
        self._update()
        self.length_chosen.emit()

    def _update(self) -> None:
        length = DraftLength(self._length.value)
        shown = set(NUMBERS[DraftLength.FIXED if self._is_swept else length])
        if self._is_swept:
            shown.discard("max_draft_tokens")
        if self._mode is SpeculationMode.PROMPT_LOOKUP:
            shown.discard("draft_probability")
        for name, part in self._parts.items():
            set_shown(part, name in shown)
        set_shown(self._choice, not self._is_swept)
        meaning = draft_length_meaning(length, self._mode)
        self._length.setToolTip(meaning)
        show_line(self._meaning, meaning if "draft_ceiling" in shown else "")


def _holder(content: QBoxLayout) -> QWidget:
    """Hides and shows as one."""
    made = QWidget()
    made.setLayout(column(content))
    return made
