"""Enter in a dialog: it presses what has the focus, or confirms what was typed."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QDialog, QLineEdit

_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


def press_by_enter(dialog: QDialog, event: QKeyEvent, confirm: QAbstractButton) -> bool:
    """Enter presses the button that has the focus, and from a field `confirm`; False for any other key."""
    if event.key() not in _ENTER:
        return False
    focus = dialog.focusWidget()
    if isinstance(focus, QAbstractButton):
        focus.click()
    elif isinstance(focus, QLineEdit):
        confirm.click()
    event.accept()
    return True
