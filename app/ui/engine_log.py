"""What the engine prints, for developers."""

from collections import deque

from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication, QHideEvent, QShowEvent
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QWidget

from app.ui.theme import Theme
from app.ui.widgets import button, column, label, row

_LINES = 2000
_LONGEST_LINE = 2000  # characters
_INTERVAL_MS = 250


class EngineLog(QDialog):
    """The last lines of the engine's log. Shown, it is brought up to date four times a second at most."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("engine_log")
        self.setWindowTitle(self.tr("Engine log"))
        self.resize(800, 480)
        self._lines: deque[str] = deque(maxlen=_LINES)
        self._pending: deque[str] = deque(maxlen=_LINES)  # not yet in the view
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_INTERVAL_MS)
        self._timer.timeout.connect(self._catch_up)
        self._view = QPlainTextEdit()
        self._view.setObjectName("engine_log_view")
        self._view.setAccessibleName(self.tr("Engine log"))
        self._view.setReadOnly(True)
        self._view.setUndoRedoEnabled(False)
        self._view.setMaximumBlockCount(_LINES)
        self._view.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._view.setPlaceholderText(self.tr("The engine has printed nothing yet."))
        self._view.setFont(theme.mono_font(12))
        copy = button(self.tr("Copy all"), "copy_log_button", small=True)
        copy.clicked.connect(self._copy)
        clear = button(self.tr("Clear"), "clear_log_button", small=True)
        clear.clicked.connect(self.clear)
        what = label(
            self.tr("The last {count:,} lines that the engine printed.").format(count=_LINES),
            size="small",
            tone="muted",
        )
        self.setLayout(column(row(what, None, copy, clear), self._view, spacing=12, margins=(16, 16, 16, 16)))

    @property
    def lines(self) -> tuple[str, ...]:
        """What is kept, oldest first."""
        return tuple(self._lines)

    def append(self, lines: tuple[str, ...]) -> None:
        """Takes more lines. While hidden they are only kept."""
        shortened = [_shortened(line) for line in lines]
        self._lines.extend(shortened)
        if self.isVisible():
            self._pending.extend(shortened)
            if not self._timer.isActive():
                self._timer.start()

    def clear(self) -> None:
        """Forgets all lines."""
        self._lines.clear()
        self._pending.clear()
        self._view.clear()

    def showEvent(self, event: QShowEvent) -> None:
        """Fills the view."""
        super().showEvent(event)
        self._pending.clear()
        self._view.setPlainText("\n".join(self._lines))
        bar = self._view.verticalScrollBar()
        bar.setValue(bar.maximum())

    def hideEvent(self, event: QHideEvent) -> None:
        """Costs nothing from now on."""
        super().hideEvent(event)
        self._timer.stop()
        self._pending.clear()
        self._view.clear()

    def _catch_up(self) -> None:
        """Adds what has come. The view follows if it was at the end."""
        if self._pending:
            self._view.appendPlainText("\n".join(self._pending))
            self._pending.clear()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText("\n".join(self._lines))


def _shortened(line: str) -> str:
    return line if len(line) <= _LONGEST_LINE else f"{line[:_LONGEST_LINE]}…"
