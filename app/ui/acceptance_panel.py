"""The acceptance rule in the chat's sidebar, with a word where it changes the output."""

from msgspec.structs import replace
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.core.options import AcceptanceRule, SpeculationOptions
from app.ui.form_parts import ChoiceBox
from app.ui.number_field import NumberField
from app.ui.number_text import decimal, whole
from app.ui.option_problems import sentence
from app.ui.option_words import rule_meaning, rule_text
from app.ui.setting_row import SettingRow
from app.ui.widgets import Tag, column, label, row


class AcceptancePanel(QWidget):
    """A choice for developers; everybody is told when the rule in force changes the output."""

    adjusted = Signal(object)  # SpeculationOptions

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._options = SpeculationOptions()
        self._choosable = False
        self._box = ChoiceBox(
            "sidebar_acceptance_rule_box",
            self.tr("Acceptance Rule"),
            [(rule, rule_text(rule)) for rule in AcceptanceRule],
        )
        self._box.setProperty("small", True)
        self._box.value_chosen.connect(self._chosen)
        self._changes = Tag(self.tr("changes the output"), tone="warning")
        self._changes.setObjectName("sidebar_changes_output_tag")
        self._meaning = label(size="small", tone="muted", wrap=True)
        self._difference = NumberField(
            "sidebar_difference_limit_field",
            self.tr("Largest difference"),
            decimal(),
            self._options.difference_limit,
        )
        self._ratio = NumberField(
            "sidebar_ratio_limit_field", self.tr("Least ratio"), decimal(), self._options.ratio_limit
        )
        self._top_k = NumberField(
            "sidebar_top_k_limit_field", self.tr("Likeliest tokens"), whole(), self._options.top_k_limit
        )
        self._rows = {
            AcceptanceRule.DIFFERENCE: SettingRow(self.tr("Largest difference"), self._difference),
            AcceptanceRule.RATIO: SettingRow(self.tr("Least ratio"), self._ratio),
            AcceptanceRule.TOP_K: SettingRow(self.tr("Likeliest tokens"), self._top_k),
        }
        for field in (self._difference, self._ratio, self._top_k):
            field.setProperty("small", True)
            field.value_changed.connect(self._typed)
        self._name = label(size="small", tone="muted")
        self._chooser = QWidget()
        self._chooser.setLayout(column(self._box, *self._rows.values(), self._meaning, spacing=6))
        self.setLayout(column(row(self._name, None, self._changes), self._chooser, spacing=4))
        self._refresh()

    def set_choosable(self, choosable: bool) -> None:
        """Lets the rule be chosen, or only says when it changes the output."""
        self._choosable = choosable
        self._refresh()

    def show_options(self, options: SpeculationOptions, *, another: bool) -> None:
        """Shows the options in force; `another` model's, so that nothing typed is to be kept."""
        self._options = options
        self._box.set_value(options.acceptance)
        if another or self._top_k.value != options.top_k_limit:
            self._top_k.set_value(options.top_k_limit)
        for field, value in (
            (self._difference, options.difference_limit),
            (self._ratio, options.ratio_limit),
        ):
            if another or field.value != value:
                field.set_value(value)
        self._refresh()

    def _chosen(self) -> None:
        self.adjusted.emit(replace(self._options, acceptance=self._box.value))

    def _typed(self) -> None:
        options = replace(
            self._options,
            difference_limit=self._difference.value,
            ratio_limit=self._ratio.value,
            top_k_limit=self._top_k.value,
        )
        problems = options.problems()
        readable = all(field.is_readable for field in (self._difference, self._ratio, self._top_k))
        for rule, field in (
            (AcceptanceRule.DIFFERENCE, self._difference),
            (AcceptanceRule.RATIO, self._ratio),
            (AcceptanceRule.TOP_K, self._top_k),
        ):
            if rule is self._options.acceptance:
                field.set_problem(field.unreadable or " ".join(sentence(problem) for problem in problems))
        if readable and not problems and options != self._options:
            self.adjusted.emit(options)

    def _refresh(self) -> None:
        rule = self._options.acceptance
        self._chooser.setVisible(self._choosable)
        self._changes.setVisible(rule.changes_output)
        self._name.setText(
            self.tr("Acceptance Rule")
            if self._choosable
            else self.tr("Acceptance Rule: {rule}").format(rule=rule_text(rule))
        )
        self._meaning.setText(rule_meaning(rule))
        for shown, line in self._rows.items():
            line.setVisible(shown is rule)
        self.setVisible(self._choosable or rule.changes_output)
