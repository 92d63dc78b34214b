"""A guard against losing None: PySide6 6.12 under Python 3.11."""

import ctypes
import sys

_SPARE = sys.maxsize // 4


def keep_none() -> None:
    """Gives None so many references that it cannot run out of them.

    PySide6 6.12 forgets to count the None that each of its methods returns. From Python 3.12 on that does
    not matter, since None is never freed; before, the interpreter aborts after a few thousand calls.
    """
    if sys.version_info < (3, 12) and sys.getrefcount(None) < _SPARE // 2:
        ctypes.c_ssize_t.from_address(id(None)).value += _SPARE
