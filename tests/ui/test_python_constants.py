"""PySide6's missing references."""

import sys

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QApplication


class _Sender(QObject):
    sent = Signal(object)


def test_many_signals_and_calls_do_not_use_up_the_constants(qapp: QApplication) -> None:
    """Without `hold_constants`, which importing the window calls, this aborts Python 3.11."""
    sender, timer = _Sender(), QTimer()
    for _ in range(20_000):
        sender.sent.emit(None)
        timer.stop()

    assert sys.getrefcount(None) > 1000
    assert sys.getrefcount(True) > 1000
