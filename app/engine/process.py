"""The engine as a process of its own: its descriptors, its signals, its priority, its end."""

import faulthandler
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from typing import BinaryIO, NoReturn

from app.engine.event_writer import WindowGoneError
from app.engine.worker import Engine, serve

_IN, _OUT, _ERROR = 0, 1, 2
_NICENESS = 3  # a small step: the window comes first, the rest of the system hardly

_FAILED = 1


def run(open_engine: Callable[[], Engine]) -> NoReturn:
    """Serves the window on standard input and output until the input ends.

    `open_engine` loads the native library. It is called late, so that whatever that prints on standard
    output goes to standard error. The end is abrupt, since native code under way cannot be waited for.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C in the window's terminal is the window's
    os.environ.setdefault("GGML_NO_BACKTRACE", "1")  # else an abort waits for a debugger to attach
    commands, events = _private_pipes()
    faulthandler.enable(_ERROR)
    threading.excepthook = _end_for_a_fault  # an engine without its thread would seem to think for ever
    _lower_priority()
    try:
        serve(commands, events, open_engine)
    except WindowGoneError:
        pass  # which is one way for the input to end
    except Exception:  # noqa: BLE001 - told on standard error, in the crash report
        traceback.print_exc()
        os._exit(_FAILED)
    os._exit(0)


def echo(text: bytes) -> None:
    """Passes what the native library logs on to standard error, for the window's crash report."""
    with suppress(OSError):  # when the window is gone; so is this process in a moment
        os.write(_ERROR, text)


def _private_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Copies of standard input and output that nobody else knows; the standard ones lead elsewhere."""
    commands, events = os.dup(_IN), os.dup(_OUT)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, _IN)
    os.close(nothing)
    os.dup2(_ERROR, _OUT)
    return os.fdopen(commands, "rb", buffering=0), os.fdopen(events, "wb", buffering=0)


def _end_for_a_fault(fault: threading.ExceptHookArgs) -> None:
    traceback.print_exception(fault.exc_type, fault.exc_value, fault.exc_traceback)
    os._exit(_FAILED)


def _lower_priority() -> None:
    if sys.platform == "win32":
        import psutil  # needed there alone

        psutil.Process().nice(psutil.BELOW_NORMAL_PRIORITY_CLASS)
    else:
        os.nice(_NICENESS)
