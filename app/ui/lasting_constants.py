"""A guard against losing None and its like: PySide6 6.12 under Python 3.11."""

import ctypes
import sys

_SPARE = sys.maxsize // 4
_CONSTANTS = (None, True, False, NotImplemented, Ellipsis)


def keep_constants() -> None:
    """Gives the constants so many references that they cannot run out of them.

    PySide6 6.12 forgets to count the None, True or False that its methods return. From Python 3.12 on that
    does not matter, since these are never freed; before, the interpreter aborts after some thousand calls.
    """
    if sys.version_info >= (3, 12):
        return
    for constant in _CONSTANTS:
        if sys.getrefcount(constant) < _SPARE // 2:
            ctypes.c_ssize_t.from_address(id(constant)).value += _SPARE
