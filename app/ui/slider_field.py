"""A number that can be dragged or typed."""

import math

from msgspec import Struct
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from app.ui.form_parts import CalmSlider, show_line
from app.ui.number_field import NumberField
from app.ui.number_text import decimal, whole
from app.ui.widgets import column, label, row, set_property

_STEPS = 400  # of a slider
_FIELD_WIDTH, _UNIT_WIDTH = 64, 40  # pixels


class SliderScale(Struct, frozen=True):
    """From which value to which a slider goes. A typed value may lie outside, from `least` to `most`.

    `even_factors`: equal ways on the slider are equal factors, not equal differences.
    """

    low: float
    high: float
    least: float
    most: float
    step: float = 0.0  # values are its multiples; 0: three digits
    even_factors: bool = False

    def position(self, value: float) -> int:
        """Where on the slider a value is, from 0."""
        within = min(max(value, self.low), self.high)
        if self.even_factors:
            return round(_STEPS * math.log(within / self.low) / math.log(self.high / self.low))
        return round(_STEPS * (within - self.low) / (self.high - self.low))

    def value(self, position: int) -> float:
        """The value at a place of the slider, in round figures."""
        share = position / _STEPS
        if self.even_factors:
            return self.rounded(self.low * (self.high / self.low) ** share)
        return self.rounded(self.low + share * (self.high - self.low))

    def rounded(self, value: float) -> float:
        """The same in round figures."""
        if self.step:
            return round(round(value / self.step) * self.step, 6)
        return float(f"{value:.3g}")

    @property
    def is_whole(self) -> bool:
        """Only whole numbers."""
        return self.step >= 1.0 and self.step.is_integer()


class SliderField(QWidget):
    """A caption, the number with its unit, a slider, and a line that says what it means.

    `name` is of the field; `_slider` and `_line` are added. `single` is the unit of exactly one. While the
    text is no usable number, the line says why.
    """

    value_changed = Signal()  # by the person
    problem_changed = Signal()  # the text became unusable, or usable

    def __init__(
        self,
        name: str,
        caption: str,
        unit: str,
        scale: SliderScale,
        value: float,
        hint: str = "",
        single: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._scale = scale
        self._value = value
        self._units = (unit, single or unit)
        self._problem = ""
        self._meaning = hint
        self._is_explained = True
        self._field: NumberField[int] | NumberField[float]
        expected = self.tr("a number from {least} to {most}").format(
            least=f"{scale.least:g}", most=f"{scale.most:g}"
        )
        if scale.is_whole:
            self._field = NumberField(name, caption, whole(), int(value), hint=hint, expected=expected)
        else:
            self._field = NumberField(name, caption, decimal(0), value, hint=hint, expected=expected)
        self._expected = self.tr("{name} must be {expected}.").format(name=caption, expected=expected)
        self._field.setFixedWidth(_FIELD_WIDTH)
        self._field.setProperty("small", True)
        self._field.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._slider = CalmSlider(Qt.Orientation.Horizontal)
        self._slider.setObjectName(f"{name}_slider")
        self._slider.setAccessibleName(self.tr("{name}, slider").format(name=caption))
        self._slider.setRange(0, _STEPS)
        if scale.is_whole:
            self._slider.setSingleStep(round(_STEPS / (scale.high - scale.low)))
            self._slider.setPageStep(2 * self._slider.singleStep())
        else:
            self._slider.setSingleStep(_STEPS // 100)
            self._slider.setPageStep(_STEPS // 10)
        words = label(caption)
        words.setBuddy(self._field)
        self._unit = label(unit, size="small", tone="muted")
        self._unit.setFixedWidth(_UNIT_WIDTH)
        self._line = label(size="small", tone="muted", wrap=True)
        self._line.setObjectName(f"{name}_line")
        line = row(words, self._field, self._unit, spacing=8)
        line.setStretchFactor(words, 1)
        self.setLayout(column(line, self._slider, self._line, spacing=0))
        self.explain(hint)
        self.set_value(value)
        self._slider.valueChanged.connect(self._dragged)
        self._field.value_changed.connect(self._typed)

    @property
    def value(self) -> float:
        """The number, the last usable one while the text is none."""
        return self._value

    @property
    def problem(self) -> str:
        """Why the text is no usable number; empty while it is one."""
        return self._problem

    def explain(self, meaning: str) -> None:
        """Says what the number means."""
        self._meaning = meaning
        self.setToolTip(meaning)
        self._slider.setAccessibleDescription(meaning)
        self._show_line()

    def set_explained(self, explained: bool) -> None:
        """Whether there is room for what the number means; a problem is told in any case."""
        self._is_explained = explained
        self._show_line()

    def set_value(self, value: float) -> None:
        """Shows a number in round figures, without a signal."""
        self._value = min(max(self._scale.rounded(value), self._scale.least), self._scale.most)
        self._write()
        self._slide()

    def take_focus(self) -> None:
        """Goes to the number."""
        self._field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _dragged(self, position: int) -> None:
        value = self._scale.value(position)
        if value != self._value or not self._field.is_readable:
            self._value = value
            self._write()
            self.value_changed.emit()

    def _typed(self) -> None:
        value = float(self._field.value)
        is_usable = self._field.is_readable and self._scale.least <= value <= self._scale.most
        self._set_problem("" if is_usable else self._expected)
        if is_usable and value != self._value:
            self._value = value
            self._show_unit()
            self._slide()
            self.value_changed.emit()

    def _write(self) -> None:
        field = self._field
        field.set_value(int(self._value) if self._scale.is_whole else self._value)  # type: ignore[arg-type]
        self._show_unit()
        self._set_problem("")

    def _set_problem(self, problem: str) -> None:
        self._field.set_problem(problem)
        if problem != self._problem:
            self._problem = problem
            self._show_line()
            self.problem_changed.emit()

    def _show_line(self) -> None:
        set_property(self._line, "tone", "warning" if self._problem else "muted")
        show_line(self._line, self._problem or (self._meaning if self._is_explained else ""))

    def _show_unit(self) -> None:
        self._unit.setText(self._units[1] if self._value == 1.0 else self._units[0])

    def _slide(self) -> None:
        before = self._slider.blockSignals(True)
        self._slider.setValue(self._scale.position(self._value))
        self._slider.blockSignals(before)
