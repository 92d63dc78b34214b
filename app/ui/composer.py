"""The field for what the user says next."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QPainter, QPaintEvent, QPen, QShortcut
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.ui.growing_field import GrowingField
from app.ui.icons import Icons
from app.ui.theme import Theme
from app.ui.widgets import button, column, label, row

_MOST_LINES = 8
_RADIUS = 12


class Composer(QWidget):
    """Enter sends, Shift+Enter breaks the line; while an answer is given, Stop takes the place of Send."""

    sent = Signal(str)
    stop_requested = Signal()

    def __init__(self, theme: Theme, icons: Icons, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._icons = icons
        self._reason = ""
        self._is_running = False
        self.setObjectName("composer")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._field = _Field(theme)
        self._field.setPlaceholderText(self.tr("Ask anything"))
        self._field.setAccessibleName(self.tr("Message"))
        self._field.entered.connect(self._send)
        self._field.textChanged.connect(self._show_state)
        self._field.focus_changed.connect(self._show_focus)
        self._hint = label(size="small", tone="faint")
        self._hint.setObjectName("composer_hint")
        self._send_button = button(self.tr("Send"), "send_button", kind="primary")
        self._send_button.clicked.connect(self._send)
        self._stop_button = button(self.tr("Stop"), "stop_button")
        self._stop_button.setToolTip(self.tr("Stop the answer (Esc)"))
        self._stop_button.clicked.connect(self.stop_requested)
        self._escape = QShortcut(QKeySequence(Qt.Key.Key_Escape), self)
        self._escape.activated.connect(self.stop_requested)
        bottom = row(self._hint, None, self._send_button, self._stop_button)
        self.setLayout(column(self._field, bottom, spacing=4, margins=(14, 10, 12, 10)))
        self.setFocusProxy(self._field)
        theme.changed.connect(self._take_theme)
        self._take_theme()
        self._show_state()

    @property
    def text(self) -> str:
        """What is written in it."""
        return self._field.toPlainText()

    def set_text(self, text: str) -> None:
        """Puts text into the field, the cursor behind it; undo brings the old text back."""
        self._field.selectAll()
        self._field.insertPlainText(text)

    def set_running(self, running: bool) -> None:
        """Whether an answer is being given."""
        self._is_running = running
        self._show_state()

    def set_enabled_reason(self, reason: str) -> None:
        """Why nothing can be sent now, in words; empty if it can. Writing is always possible."""
        self._reason = reason
        self._show_state()

    def take_focus(self) -> None:
        """Lets the user write."""
        self._field.setFocus(Qt.FocusReason.OtherFocusReason)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The frame."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colours = self._theme.colours
        painter.setPen(QPen(colours.accent if self._field.hasFocus() else colours.line, 1))
        painter.setBrush(colours.field)
        painter.drawRoundedRect(self.rect().toRectF().adjusted(0.5, 0.5, -0.5, -0.5), _RADIUS, _RADIUS)
        painter.end()

    def _send(self) -> None:
        text = self.text.strip()
        if not text or self._reason or self._is_running:
            return
        self._field.clear()
        self.sent.emit(text)

    def _show_state(self) -> None:
        self._send_button.setVisible(not self._is_running)
        self._stop_button.setVisible(self._is_running)
        self._escape.setEnabled(self._is_running)
        self._send_button.setEnabled(not self._reason and bool(self.text.strip()))
        self._send_button.setToolTip(self._reason)
        usual = self.tr("Enter sends, Shift+Enter starts a new line") if self._field.hasFocus() else ""
        self._hint.setText(self._reason or usual)

    def _show_focus(self) -> None:
        self._show_state()
        self.update()

    def _take_theme(self) -> None:
        self._send_button.setIcon(self._icons.icon("send", "accent_text"))
        self._stop_button.setIcon(self._icons.icon("stop", "text"))
        self.update()


class _Field(GrowingField):
    """Grows from one line to a few; Enter is for the owner."""

    entered = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "composer_field", _MOST_LINES)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter sends, unless it ends the composing of a character or breaks the line with Shift."""
        enters = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if not enters or self.is_composing:
            super().keyPressEvent(event)
        elif event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            self.insertPlainText("\n")
            self.ensureCursorVisible()
        else:
            self.entered.emit()
