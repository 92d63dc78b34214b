"""Keeps Python's constants alive where PySide6 takes more references to them than it gives back."""

import ctypes
import sys

_MANY = sys.maxsize // 2


def hold_constants() -> None:
    """Makes `None`, `True` and their like outlive the process. Importing `app.ui` calls it.

    PySide6 6.12 is built for Pythons whose constants are immortal, from 3.12 on: it returns `None` from a
    method, and `True` from `emit`, without taking a reference. On Python 3.11 each such call brings the
    constant's end one step nearer, and after some thousand of them the interpreter aborts.
    """
    if sys.version_info >= (3, 12):
        return
    for constant in (None, True, False, NotImplemented, Ellipsis):
        count = ctypes.c_ssize_t.from_address(id(constant))  # comes first in every object
        count.value = max(count.value, _MANY)
