"""The end of the load dialog: what stands in the way, what differs from what is loaded, and the buttons."""

from collections.abc import Sequence
from enum import Enum, auto

from PySide6.QtWidgets import QCheckBox, QWidget

from app.settings import ModelConfig
from app.ui.config_changes import Change
from app.ui.form_parts import show_line
from app.ui.widgets import button, column, label, row

_MOST_PROBLEMS, _MOST_CHANGES = 2, 4  # named in full


class LoadAction(Enum):
    """What the first button does."""

    LOAD = auto()
    RELOAD = auto()  # the model is loaded, and is loaded again
    APPLY = auto()  # the model is loaded, and what differs applies to its next answer


class LoadFooter(QWidget):
    """Shows what it is told; the buttons are connected by the dialog."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._problem = label(size="small", tone="bad", wrap=True)
        self._problem.setObjectName("load_problem")
        self._reload = label(size="small", tone="warning", wrap=True)
        self._reload.setObjectName("reload_hint")
        self._next_answer = label(size="small", tone="muted", wrap=True)
        self._next_answer.setObjectName("next_answer_hint")
        self.remember_box = QCheckBox(self.tr("Remember settings"))
        self.remember_box.setObjectName("remember_settings_box")
        self.remember_box.setChecked(True)
        self._saved = label(size="small", tone="faint")
        self._saved.setObjectName("saved_state")
        self.reset_button = button(self.tr("Reset to defaults"), "reset_to_defaults_button")
        self.cancel_button = button(self.tr("Cancel"), "cancel_button")
        self.save_button = button(self.tr("Save"), "save_settings_button")
        self.save_button.setToolTip(self.tr("Remembers the settings without loading the model."))
        self.load_button = button(self.tr("Load Model"), "load_model_button", kind="primary")
        buttons = row(
            self.remember_box,
            self._saved,
            None,
            self.reset_button,
            self.cancel_button,
            self.save_button,
            self.load_button,
            spacing=10,
        )
        self.setLayout(
            column(
                self._problem, self._reload, self._next_answer, buttons, spacing=6, margins=(24, 14, 24, 14)
            )
        )

    def show_problems(self, problems: Sequence[str], unseen: Sequence[str]) -> None:
        """What must be mended before the model can be loaded; in words what is not told in the form above."""
        show_line(self._problem, " ".join(unseen[:_MOST_PROBLEMS]))
        for pressed in (self.load_button, self.save_button):
            pressed.setEnabled(not problems)
        self.load_button.setToolTip(problems[0] if problems else "")
        self.load_button.setAccessibleDescription(problems[0] if problems else "")

    def show_changes(self, changes: Sequence[Change]) -> None:
        """In what the form differs from what is in force."""
        reload = [change for change in changes if change.needs_reload]
        later = [change for change in changes if not change.needs_reload]
        show_line(self._reload, self._listed(self.tr("Reload to apply: {changes}"), reload))
        show_line(self._next_answer, self._listed(self.tr("From the next answer on: {changes}"), later))

    def show_saved(self, config: ModelConfig, saved: ModelConfig, *, has_own: bool) -> None:
        """How the form stands to what is saved, the model's own settings or the defaults."""
        if config == saved:
            self._saved.setText(self.tr("saved") if has_own else self.tr("the defaults"))
        elif self.remember_box.isChecked():
            self._saved.setText(self.tr("not saved yet"))
        else:
            self._saved.setText(self.tr("for this time only"))

    def show_action(self, action: LoadAction, *, too_much: bool) -> None:
        """Names the first button."""
        match action:
            case LoadAction.APPLY:
                text = self.tr("Apply")
            case LoadAction.LOAD:
                text = self.tr("Load Anyway") if too_much else self.tr("Load Model")
            case LoadAction.RELOAD:
                text = self.tr("Reload Anyway") if too_much else self.tr("Reload Model")
        self.load_button.setText(text)
        self.load_button.setAccessibleName(text)

    def _listed(self, sentence: str, changes: Sequence[Change]) -> str:
        if not changes:
            return ""
        named = [change.text for change in changes[:_MOST_CHANGES]]
        if len(changes) > _MOST_CHANGES:
            named.append(self.tr("{count} more").format(count=len(changes) - _MOST_CHANGES))
        return sentence.format(changes=" · ".join(named))
