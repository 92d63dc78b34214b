"""The application around the window: its name, the signals that end it, and what happens to faults."""

import logging
import signal
import socket
import sys
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import FrameType, TracebackType

from PySide6.QtCore import QLockFile, QObject, QSocketNotifier, Qt, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication, QMessageBox

from app import __version__
from app.paths import resource
from app.ui.theme import Theme

_log = logging.getLogger(__name__)

_ICON = 48  # pixels, in a message


def screen_problem(platform: str, variables: Mapping[str, str]) -> str:
    """A sentence where no window can be shown, which Qt would end the process over; empty where one can."""
    if platform in ("win32", "darwin") or variables.get("QT_QPA_PLATFORM"):
        return ""
    if variables.get("DISPLAY") or variables.get("WAYLAND_DISPLAY"):
        return ""
    return "There is no screen to open a window on. The command line works without one: slipstream --help"


def make_application(arguments: Sequence[str]) -> QApplication:
    """The one QApplication, with the names that the desktop shows."""
    application = QApplication(list(arguments))
    application.setApplicationName("slipstream")
    application.setApplicationDisplayName("Slipstream")
    application.setApplicationVersion(__version__)
    application.setDesktopFileName("slipstream")
    application.setWindowIcon(QIcon(str(resource("icons/slipstream.svg"))))
    return application


def one_window_lock(folder: Path) -> QLockFile | None:
    """The right to be the only window that uses a folder; None where another one has it.

    Two windows would overwrite each other's settings. The lock of a program that crashed does not count.
    Raises OSError where the folder cannot be made.
    """
    folder.mkdir(parents=True, exist_ok=True)
    lock = QLockFile(str(folder / "window.lock"))
    lock.setStaleLockTime(0)
    if lock.tryLock(100) or lock.error() is not QLockFile.LockError.LockFailedError:
        return lock
    return None


def say_already_open() -> None:
    """Waits until it is read."""
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    theme = Theme(application)
    already_open_box().exec()
    theme.deleteLater()


def already_open_box() -> QMessageBox:
    """What says so."""
    box = QMessageBox()
    box.setObjectName("already_open_box")
    box.setWindowTitle("Slipstream")
    box.setIconPixmap(QApplication.windowIcon().pixmap(_ICON))
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(QApplication.translate("Application", "Slipstream is already open."))
    return box


class EndSignals(QObject):
    """Turns Ctrl+C in the terminal, and a request to terminate, into `received`, once the event loop runs.

    Python's handlers only run between instructions of Python, and an idle event loop executes none; so the
    interpreter is told to write to a socket, which wakes the loop.
    """

    received = Signal(int)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._awake, self._wake = socket.socketpair()
        self._awake.setblocking(False)
        self._wake.setblocking(False)
        self._notifier = QSocketNotifier(self._awake.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._drain)
        self._before = signal.set_wakeup_fd(self._wake.fileno(), warn_on_full_buffer=False)
        names = ("SIGINT", "SIGTERM", "SIGHUP")
        numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
        self._handlers = {number: signal.signal(number, self._handle) for number in numbers}

    def close(self) -> None:
        """Gives everything back."""
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        self._handlers.clear()
        signal.set_wakeup_fd(self._before)
        self._notifier.setEnabled(False)
        self._awake.close()
        self._wake.close()

    def _handle(self, number: int, _frame: FrameType | None) -> None:
        self.received.emit(number)

    def _drain(self) -> None:
        try:
            self._awake.recv(64)
        except BlockingIOError:
            return


class Faults(QObject):
    """Takes exceptions that nobody caught: to the log, and to the window as lines for "Details"."""

    occurred = Signal(object)  # tuple[str, ...]

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._before = sys.excepthook
        sys.excepthook = self._take

    def close(self) -> None:
        """Lets Python do as before."""
        sys.excepthook = self._before

    def _take(self, kind: type[BaseException], error: BaseException, where: TracebackType | None) -> None:
        if not issubclass(kind, Exception):
            self._before(kind, error, where)
            return
        lines = "".join(traceback.format_exception(kind, error, where)).splitlines()
        _log.error("A fault in the program:\n%s", "\n".join(lines))
        self.occurred.emit(tuple(lines))
