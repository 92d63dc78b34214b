"""Which drafted tokens are kept: for developers."""

from msgspec.structs import replace
from PySide6.QtWidgets import QWidget

from app.core.options import AcceptanceRule
from app.settings import ModelConfig
from app.ui.config_section import ConfigSection
from app.ui.form_parts import ChoiceBox, captioned, set_shown, show_line
from app.ui.number_field import NumberField
from app.ui.number_text import decimal, whole
from app.ui.option_words import rule_meaning, rule_text
from app.ui.widgets import Tag, column, label, row


class AcceptanceSection(ConfigSection):
    """The rule with its meaning, its limit where it has one, and a tag where it changes the output."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        title = self.tr("Acceptance Rule")
        self._rule = ChoiceBox(
            "acceptance_rule_box", title, [(rule, rule_text(rule)) for rule in AcceptanceRule]
        )
        self._changes = Tag(self.tr("changes the output"), tone="warning")
        self._changes.setObjectName("changes_output_tag")
        self._meaning = label(size="small", tone="muted", wrap=True)
        self._meaning.setObjectName("acceptance_meaning")
        limit = self.tr("Limit")
        self._difference = NumberField("difference_limit_field", limit, decimal(), 0.3)
        self._ratio = NumberField("ratio_limit_field", limit, decimal(), 0.3)
        self._top_k = NumberField("top_k_limit_field", self.tr("k"), whole(), 3)
        self.fields = {
            "difference_limit": self._difference,
            "ratio_limit": self._ratio,
            "top_k_limit": self._top_k,
        }
        self._limits: dict[AcceptanceRule, QWidget] = {}
        limits = row(None)
        for rule, field in zip(
            (AcceptanceRule.DIFFERENCE, AcceptanceRule.RATIO, AcceptanceRule.TOP_K),
            self.fields.values(),
            strict=True,
        ):
            holder = QWidget()
            holder.setLayout(column(captioned(field.accessibleName(), field)))
            limits.insertWidget(0, holder)
            self._limits[rule] = holder
        self.setLayout(
            column(
                captioned(title, self._rule),
                row(self._changes, None),
                self._meaning,
                limits,
                self.problem_line,
                spacing=8,
            )
        )
        self._rule.value_chosen.connect(self._edit)
        self._follow(self._difference, self._ratio, self._top_k)
        self._update()

    def show_config(self, config: ModelConfig) -> None:
        """Shows a config's values."""
        speculation = config.speculation
        self._rule.set_value(speculation.acceptance)
        self._difference.set_value(speculation.difference_limit)
        self._ratio.set_value(speculation.ratio_limit)
        self._top_k.set_value(speculation.top_k_limit)
        self._update()

    def applied_to(self, config: ModelConfig) -> ModelConfig:
        """The config with the values shown here."""
        speculation = replace(
            config.speculation,
            acceptance=self._rule.value,
            difference_limit=self._difference.value,
            ratio_limit=self._ratio.value,
            top_k_limit=self._top_k.value,
        )
        return replace(config, speculation=speculation)

    def _edit(self) -> None:
        self._update()
        self.edited.emit()

    def _update(self) -> None:
        rule = self._rule.value
        show_line(self._meaning, rule_meaning(rule))
        set_shown(self._changes, rule.changes_output)
        for own, holder in self._limits.items():
            set_shown(holder, own is rule)
