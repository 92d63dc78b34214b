"""A part of the form for a model's config."""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QHideEvent, QShowEvent
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
    seen_changed = Signal()  # whether the section is on the screen

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.fields: Mapping[str, NumberField[Any]] = {}
        self.problem_line = label(size="small", tone="bad", wrap=True)
        self.problem_line.hide()
        self._problems: tuple[str, ...] = ()

    @property
    def problems(self) -> tuple[str, ...]:
        """What it tells as being wrong, in sentences."""
        return self._problems

    def showEvent(self, event: QShowEvent) -> None:
        """What it tells can be seen now."""
        super().showEvent(event)
        self.seen_changed.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        """And now no more."""
        super().hideEvent(event)
        self.seen_changed.emit()

    def show_config(self, config: ModelConfig) -> None:
        """Shows a config's values."""
        raise NotImplementedError

    def applied_to(self, config: ModelConfig) -> ModelConfig:
        """The config with the values shown here."""
        raise NotImplementedError

    def show_problems(
        self, by_field: Mapping[str, tuple[str, ...]], joint: tuple[str, ...]
    ) -> tuple[str, ...]:
        """Marks the fields at fault, and says why below. `joint` problems are those of several values.

        Gives all that it says. Of a field whose text is no number that alone is told: its value is an older
        one, which is not what the person sees.
        """
        told = []
        for name, field in self.fields.items():
            own = field.unreadable or " ".join(sentence(found) for found in by_field.get(name, ()))
            field.set_problem(own)
            if own:
                told.append(own)
        if all(field.is_readable for field in self.fields.values()):
            told += [sentence(problem) for problem in joint]
        self._problems = tuple(told)
        show_line(self.problem_line, "\n".join(told))
        return self._problems

    def _follow(self, *fields: NumberField[Any]) -> None:
        for field in fields:
            field.value_changed.connect(self.edited)
