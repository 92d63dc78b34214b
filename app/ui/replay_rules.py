"""What every acceptance rule makes of a recorded answer, and which one is looked at."""

from msgspec.structs import replace
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QWidget

from app.core.options import AcceptanceRule, SpeculationOptions
from app.core.replay import same_rule, total_of
from app.core.trace import Trace
from app.ui.form_parts import set_shown, show_line
from app.ui.number_field import NumberField
from app.ui.number_text import decimal, whole
from app.ui.option_problems import problems_of, sentence
from app.ui.option_words import rule_meaning
from app.ui.replay_reasons import draft_note
from app.ui.replay_rule_row import ReplayRuleRow
from app.ui.theme import Theme
from app.ui.widgets import Card, column, label, row

_FIELD_WIDTH = 72  # pixels


class ReplayRules(Card):
    """One row for each rule; the chosen one's meaning below, with its limit."""

    rule_chosen = Signal(object)  # SpeculationOptions

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("replay_rules")
        title = self.tr("Which rule keeps what")
        self.setAccessibleName(title)
        self._trace: Trace | None = None
        self._recorded = SpeculationOptions()
        self._options = SpeculationOptions()
        self._rows = {rule: ReplayRuleRow(rule, theme) for rule in AcceptanceRule}
        self._group = QButtonGroup(self)
        rows = column(spacing=2)
        for made in self._rows.values():
            self._group.addButton(made)
            rows.addWidget(made)
        self._meaning = label(size="small", wrap=True)
        self._meaning.setObjectName("replay_rule_meaning")
        self._draft_note = label(size="small", wrap=True)
        self._draft_note.setObjectName("replay_rule_draft_note")
        limit = self.tr("Limit")
        self._difference = NumberField("replay_difference_field", limit, decimal(), 0.3)
        self._ratio = NumberField("replay_ratio_field", limit, decimal(), 0.3)
        self._top_k = NumberField("replay_top_k_field", self.tr("k"), whole(), 3)
        self._limits = {
            AcceptanceRule.DIFFERENCE: self._holder(self._difference),
            AcceptanceRule.RATIO: self._holder(self._ratio),
            AcceptanceRule.TOP_K: self._holder(self._top_k),
        }
        note = self.tr(
            "Every rule judges the rounds as they were recorded; text, times and columns stay as they were. "
            "After another verdict the answer would have gone on differently, and how is not known."
        )
        whole_column = column(label(title, size="heading"), rows, spacing=8, margins=(14, 14, 14, 14))
        whole_column.addWidget(self._meaning)
        whole_column.addWidget(self._draft_note)
        for holder in self._limits.values():
            whole_column.addWidget(holder)
        whole_column.addWidget(label(note, size="small", tone="muted", wrap=True))
        whole_column.addStretch(1)
        self.setLayout(whole_column)
        self._group.buttonClicked.connect(self._choose)
        for field in (self._difference, self._ratio, self._top_k):
            field.value_changed.connect(self._limit)

    @property
    def is_another(self) -> bool:
        """Whether the rule is not the one that the answer was generated with."""
        return not same_rule(self._options, self._recorded)

    @property
    def options(self) -> SpeculationOptions:
        """The rule that is looked at, with its limit."""
        return self._options

    def show_trace(self, trace: Trace, recorded: SpeculationOptions) -> None:
        """Another answer, by the rule that it was generated with."""
        self._trace, self._recorded = trace, recorded
        self._options = recorded
        self._difference.set_value(recorded.difference_limit)
        self._ratio.set_value(recorded.ratio_limit)
        self._top_k.set_value(recorded.top_k_limit)
        self._rows[recorded.acceptance].setChecked(True)
        self._show()

    def _choose(self, made: ReplayRuleRow) -> None:
        self._options = replace(self._options, acceptance=made.rule)
        self._show()
        self.rule_chosen.emit(self._options)

    def _limit(self) -> None:
        wanted = replace(
            self._options,
            difference_limit=self._difference.value,
            ratio_limit=self._ratio.value,
            top_k_limit=self._top_k.value,
        )
        problems = problems_of(wanted).by_field
        usable = True
        for name, field in (
            ("difference_limit", self._difference),
            ("ratio_limit", self._ratio),
            ("top_k_limit", self._top_k),
        ):
            problem = field.unreadable or " ".join(sentence(each) for each in problems.get(name, ()))
            field.set_problem(problem)
            usable = usable and not problem
        if usable:
            self._options = wanted
            self._show()
            self.rule_chosen.emit(wanted)

    def _show(self) -> None:
        self._meaning.setText(rule_meaning(self._options.acceptance))
        for rule, holder in self._limits.items():
            set_shown(holder, rule is self._options.acceptance)
        if self._trace is None:
            return
        show_line(self._draft_note, draft_note(self._options, self._recorded.mode, self._trace))
        for rule, made in self._rows.items():
            options = replace(self._options, acceptance=rule)
            total = total_of(self._trace, self._recorded, options)
            made.show_total(total, as_it_ran=same_rule(options, self._recorded))

    @staticmethod
    def _holder(field: NumberField[float] | NumberField[int]) -> QWidget:
        field.setFixedWidth(_FIELD_WIDTH)
        field.setProperty("small", True)
        caption = label(field.accessibleName())
        caption.setBuddy(field)
        holder = QWidget()
        holder.setLayout(row(caption, None, field))
        return holder
