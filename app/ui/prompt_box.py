"""The prompt that a comparison asks."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from app.core.prompts import Prompt, Suite
from app.ui.form_parts import set_shown
from app.ui.growing_field import GrowingField
from app.ui.icons import Icons
from app.ui.plain_tip import plain_tip
from app.ui.suite_menu import SuiteMenu
from app.ui.theme import Theme
from app.ui.widgets import ElidedLabel, column, icon_button, row

OWN_PROMPT = "prompt"  # the id of one that a person has written

_MOST_LINES = 5
_ALIKE = 12  # characters at the beginning that a changed example still has
_LEAST_HEIGHT, _RADIUS = 40, 8  # pixels


class PromptBox(QWidget):
    """Grows with its text. Ctrl+Enter runs; the built-in prompts are in a menu at its end.

    A system message comes with a prompt that has one. It goes with that prompt's text, or by hand.
    """

    run_requested = Signal()
    changed = Signal()  # by the person, be it by typing or by choosing

    def __init__(
        self, theme: Theme, icons: Icons, suites: Sequence[Suite], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._icons = icons
        self._given = Prompt(id=OWN_PROMPT, text="")  # what was put into the box last
        self._system: str | None = None
        self._is_taken_off = False  # by hand
        self._is_filling = False
        self.setObjectName("prompt_box")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._field = _Field(theme)
        self._field.setPlaceholderText(self.tr("What shall both sides answer?"))
        self._field.setAccessibleName(self.tr("Prompt"))
        self._field.setToolTip(self.tr("Ctrl+Enter runs the comparison"))
        self._field.entered.connect(self.run_requested)
        self._field.textChanged.connect(self._text_changed)
        self._field.focus_changed.connect(self.update)
        menu = self._menu = SuiteMenu(theme, icons, suites)
        menu.prompt_chosen.connect(self._choose)
        self._tag = ElidedLabel(size="small", tone="muted")
        self._tag.setObjectName("system_message_tag")
        self._remove = icon_button(
            icons.icon("close"),
            "remove_system_message_button",
            self.tr("Leave out the system message"),
            small=True,
        )
        self._remove.setIconSize(QSize(10, 10))
        self._remove.clicked.connect(self._remove_system)
        self._below = QFrame()
        below = row(self._remove, self._tag, spacing=4, margins=(2, 0, 0, 0))
        below.setStretch(1, 1)
        self._below.setLayout(below)
        text = row(self._field, menu, spacing=8)
        text.setAlignment(menu, Qt.AlignmentFlag.AlignTop)
        self.setLayout(column(text, self._below, spacing=4, margins=(10, 5, 6, 5)))
        self.setMinimumHeight(_LEAST_HEIGHT)
        self.setFocusProxy(self._field)
        theme.changed.connect(self._take_theme)
        first_prompt = self.tr(
            "Write a Python function that implements quicksort, with a docstring and three usage examples."
        )
        self.set_prompt(Prompt(id=OWN_PROMPT, text=first_prompt))

    @property
    def prompt(self) -> Prompt | None:
        """What to ask, with the id and suite that it came with as long as nothing of it is changed.

        None while there are no words.
        """
        text = self._field.toPlainText()
        if not text.strip():
            return None
        is_same = not self._field.document().isModified() or text == self._given.text
        if is_same and self._system == self._given.system:
            return self._given
        return Prompt(id=OWN_PROMPT, text=text, system=self._system)

    def set_prompt(self, prompt: Prompt) -> None:
        """Puts a prompt into the box, without a signal. Undo brings the old text back."""
        self._is_filling = True
        self._field.selectAll()
        self._field.insertPlainText(prompt.text)
        self._field.document().setModified(False)
        self._field.show_start()
        self._is_filling = False
        self._given = prompt
        self._is_taken_off = False
        self._show_system(prompt.system)

    def set_locked(self, reason: str) -> None:
        """Keeps the prompt as it is, and says why; empty: it can be changed. The focus stays where it is."""
        self._field.setReadOnly(bool(reason))
        self._field.setToolTip(plain_tip(reason) or self.tr("Ctrl+Enter runs the comparison"))
        for each in (self._menu, self._remove):
            each.setEnabled(not reason)

    def take_focus(self) -> None:
        """Lets the person write."""
        self._field.setFocus(Qt.FocusReason.OtherFocusReason)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The frame."""
        colours = self._theme.colours
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(colours.accent if self._field.hasFocus() else colours.line, 1))
        painter.setBrush(colours.field)
        painter.drawRoundedRect(self.rect().toRectF().adjusted(0.5, 0.5, -0.5, -0.5), _RADIUS, _RADIUS)
        painter.end()

    def _choose(self, prompt: Prompt) -> None:
        self.set_prompt(prompt)
        self.changed.emit()
        self.take_focus()

    def _text_changed(self) -> None:
        if not self._is_filling:
            self._follow_text()
            self.changed.emit()

    def _follow_text(self) -> None:
        """A text of the person's own is asked without what the example was asked with."""
        if self._given.system is None or self._is_taken_off:
            return
        is_given = self._field.toPlainText().startswith(self._given.text[:_ALIKE].replace("\u00a0", " "))
        if is_given is (self._system is not None):
            return
        self._show_system(self._given.system if is_given else None)
        if not is_given:
            self._tag.set_text(self.tr("The example's system message is left out: this is another text."))
            set_shown(self._below, True)

    def _remove_system(self) -> None:
        self._is_taken_off = True
        self._show_system(None)
        self.changed.emit()
        self.take_focus()

    def _show_system(self, system: str | None) -> None:
        self._system = system
        words = self.tr("With a system message: {message}")
        self._tag.set_text("" if system is None else words.format(message=" ".join(system.split())))
        set_shown(self._remove, system is not None)
        set_shown(self._below, system is not None)

    def _take_theme(self) -> None:
        self._remove.setIcon(self._icons.icon("close"))
        self.update()


class _Field(GrowingField):
    """Enter breaks the line; with Ctrl it is for the owner."""

    entered = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "prompt_field", _MOST_LINES)

    def show_start(self) -> None:
        """Puts the cursor before the text, so that its beginning is seen."""
        cursor = self.textCursor()
        cursor.setPosition(0)
        self.setTextCursor(cursor)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Takes Ctrl+Enter."""
        enters = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enters and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.entered.emit()
        else:
            super().keyPressEvent(event)
