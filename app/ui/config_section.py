"""A part of the form for a model's config."""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.settings import ModelConfig
from app.ui.form_parts import show_line
from app.ui.number_field import NumberField
from app.ui.option_problems import sentence
from app.ui.widgets import label


class ConfigSection(QWidget):
    """Shows some of a config's values, and gives a config back in which these are as the person left them.

    What a section does not show it does not change. `fields` are its number fields by the option's name.
    """

    edited = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.fields: Mapping[str, NumberField[Any]] = {}
        self.problem_line = label(size="small", tone="bad", wrap=True)
        self.problem_line.hide()

    def show_config(self, config: ModelConfig) -> None:
        """Shows a config's values."""
        raise NotImplementedError

    def applied_to(self, config: ModelConfig) -> ModelConfig:
        """The config with the values shown here."""
        raise NotImplementedError

    def show_problems(self, by_field: Mapping[str, tuple[str, ...]], joint: tuple[str, ...]) -> list[str]:
        """Marks the fields at fault, and says why below. `joint` problems are those of several values.

        Gives sentences for the fields whose text is no number: only the section knows of them.
        """
        unreadable, shown = [], []
        for name, field in self.fields.items():
            problem = " ".join(sentence(found) for found in by_field.get(name, ()))
            if not field.is_readable:
                problem = self._no_number(field.text().strip())
                unreadable.append(f"{field.accessibleName()}: {problem}")
            field.set_problem(problem)
            if problem:
                shown.append(unreadable[-1] if not field.is_readable else problem)
        shown += [sentence(problem) for problem in joint]
        show_line(self.problem_line, "\n".join(shown))
        return unreadable

    def _no_number(self, text: str) -> str:
        if not text:
            return self.tr("a number is missing.")
        return self.tr("“{text}” is no number of this kind.").format(text=text)

    def _follow(self, *fields: NumberField[Any]) -> None:
        for field in fields:
            field.value_changed.connect(self.edited)
