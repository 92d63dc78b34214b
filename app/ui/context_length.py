"""The context length: a slider whose steps widen, and a field."""

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QWidget

from app.ui.context_steps import context_steps, nearest_step
from app.ui.form_parts import CalmSlider, captioned, show_line
from app.ui.number_field import NumberField
from app.ui.number_text import or_empty, whole
from app.ui.widgets import column, label

_FIELD_WIDTH = 116  # pixels
_LARGEST = 2**53  # far above every context, so that its own limit is what is told


class ContextLength(QWidget):
    """`limit` is what the model was made for, None if its header does not tell.

    An empty field, 0 tokens, takes the model's own. More than that is said to be risky, where it is possible.
    """

    edited = Signal()

    def __init__(self, limit: int | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._limit = limit
        self._refused = False
        self._steps = context_steps(limit)
        name = self.tr("Context Length")
        self.field = NumberField(
            "context_length_field",
            name,
            or_empty(whole(largest=_LARGEST), 0),
            0,
            placeholder=self.tr("Model's own"),
        )
        self.field.setFixedWidth(_FIELD_WIDTH)
        self.slider = CalmSlider(Qt.Orientation.Horizontal)
        self.slider.setObjectName("context_length_slider")
        self.slider.setAccessibleName(name)
        self.slider.setRange(0, len(self._steps) - 1)
        self.slider.setPageStep(2)
        self._note = label(size="small", tone="warning", wrap=True)
        self._note.setObjectName("context_length_note")
        self.setLayout(column(captioned(name, self.field, self.slider), self._note, spacing=4))
        self.slider.valueChanged.connect(self._take_step)
        self.field.value_changed.connect(self._take_number)
        self._update()

    @property
    def value(self) -> int:
        """Tokens; 0 takes the model's own."""
        return self.field.value

    def set_value(self, length: int) -> None:
        """Shows a length, without a signal."""
        self.field.set_value(length)
        self._update()

    def set_refused(self, refused: bool) -> None:
        """Leaves out the warning where the length is not possible at all, which is told elsewhere."""
        self._refused = refused
        self._update()

    def _take_step(self, step: int) -> None:
        self.field.set_value(self._steps[step])
        self._update()
        self.edited.emit()

    def _take_number(self) -> None:
        self._update()
        self.edited.emit()

    def _update(self) -> None:
        with QSignalBlocker(self.slider):
            self.slider.setValue(nearest_step(self._steps, self.value))
        beyond = self._limit is not None and self.value > self._limit and not self._refused
        text = self.tr("This model was made for {limit} tokens. Beyond them its answers may make no sense.")
        show_line(self._note, text.format(limit=f"{self._limit:,}") if beyond else "")
