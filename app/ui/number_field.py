"""A field for one number."""

from typing import Generic, TypeVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from app.ui.number_text import NumberFormat, TooLargeError
from app.ui.widgets import set_property

T = TypeVar("T")


class NumberField(QLineEdit, Generic[T]):
    """Takes a number in any common spelling, and spells it its own way when left.

    `value` is the last number that could be read; `is_readable` is False while the text is none. A value
    that was set and not typed over comes back as it was, whatever the spelling. `placeholder` says what an
    empty field means, `hint` is a sentence for its tooltip, and `expected` what can be typed, such as "a
    number from 0 to 1", where "a number" does not say enough.
    """

    value_changed = Signal()  # by the person, readable or not

    def __init__(
        self,
        name: str,
        accessible: str,
        form: NumberFormat[T],
        value: T,
        *,
        placeholder: str = "",
        hint: str = "",
        expected: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(accessible)
        self.setPlaceholderText(placeholder)
        self._form = form
        self._value = value
        self._unreadable = ""  # why the text is no number
        self._expected = expected
        self._hint = hint
        self.setToolTip(hint)
        self.setProperty("invalid", False)
        self._unavailable = False
        self.set_value(value)
        self.textEdited.connect(self._read)
        self.editingFinished.connect(self._spell)

    @property
    def value(self) -> T:
        """The number, the last readable one while the text is none."""
        return self._value

    @property
    def is_readable(self) -> bool:
        """Whether the text is a number."""
        return not self._unreadable

    @property
    def unreadable(self) -> str:
        """What the text should be, in a sentence; empty while it is a number."""
        return self._unreadable

    def set_value(self, value: T) -> None:
        """Shows a number, without a signal."""
        self._value = value
        self._unreadable = ""
        self._spell()
        self._mark(False)

    def set_unavailable(self, reason: str) -> None:
        """Shows why nothing can be set here in place of the number, which is kept."""
        self._unavailable = True
        self._hint = reason
        self.setPlaceholderText(reason)
        self.setToolTip(reason)
        self.setEnabled(False)
        self.clear()

    def set_problem(self, problem: str) -> None:
        """Marks the number as one that cannot be used, with the reason; empty takes the mark away."""
        self._mark(bool(problem or self._unreadable))
        self.setAccessibleDescription(problem)
        self.setToolTip(problem or self._hint)

    def _read(self, text: str) -> None:
        try:
            self._value = self._form.read(text)
        except TooLargeError as error:
            sentence = self.tr("{name} can be at most {largest}.")
            largest = f"{error.largest:,}"
            self._unreadable = sentence.format(name=self.accessibleName(), largest=largest)
        except ValueError:
            sentence = self.tr("{name} must be {expected}.")
            self._unreadable = sentence.format(name=self.accessibleName(), expected=self._expectation())
        else:
            self._unreadable = ""
        self._mark(bool(self._unreadable))
        self.value_changed.emit()

    def _expectation(self) -> str:
        if self._expected:
            return self._expected
        return self.tr("a whole number") if self._form.is_whole else self.tr("a number")

    def _spell(self) -> None:
        """Writes the number as it is written here; text that is no number stays to be mended."""
        if not self._unreadable and not self._unavailable:
            spelt = self._form.text(self._value)
            if spelt != self.text():
                self.setText(spelt)
            self.setCursorPosition(0)

    def _mark(self, invalid: bool) -> None:
        set_property(self, "invalid", invalid)
