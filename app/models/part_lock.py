"""Keeps two processes from writing one unfinished file. Nothing stays behind, even where one is killed."""

import errno
import logging
import os
import sys
from pathlib import Path
from typing import BinaryIO

from app.models.hub_problems import HubError, HubProblem
from app.models.model_names import printable

_WITHOUT_LOCKS = (errno.ENOLCK, errno.ENOTSUP, errno.ENOSYS, errno.EINVAL)  # some network drives

_log = logging.getLogger(__name__)


def open_locked(path: Path) -> BinaryIO:
    """The file, made where there is none; what is returned holds the lock until it is closed.

    Raises HubError IN_USE where somebody else holds it, and OSError.
    """
    while True:
        held = _open_locked(path)
        try:
            if sys.platform == "win32" or os.path.samestat(os.fstat(held.fileno()), path.stat()):
                return held
        except FileNotFoundError:
            pass  # deleted between being opened and being locked: begin again
        held.close()


if sys.platform == "win32":
    import msvcrt

    def _open_locked(path: Path) -> BinaryIO:
        """Windows would keep everybody from a locked file's bytes: a file beside it, gone when closed."""
        path.open("ab").close()
        beside = path.with_name(path.name + ".lock")
        held = open(os.open(beside, os.O_RDWR | os.O_CREAT | os.O_TEMPORARY), "r+b", buffering=0)  # noqa: PTH123, SIM115
        try:
            msvcrt.locking(held.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError as error:
            held.close()
            raise _in_use(path) from error
        return held

else:
    import fcntl

    def _open_locked(path: Path) -> BinaryIO:
        held = path.open("ab", buffering=0)
        try:
            fcntl.flock(held.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            held.close()
            raise _in_use(path) from error
        except OSError as error:
            if error.errno not in _WITHOUT_LOCKS:
                held.close()
                raise
            _log.info("%s cannot be locked: %s", printable(str(path)), error.strerror)
        return held


def _in_use(path: Path) -> HubError:
    return HubError(
        HubProblem.IN_USE,
        f"{printable(path.name.removesuffix('.part'))} is being downloaded to the same folder by another "
        "Slipstream. Wait for it, or stop it there, then try again.",
    )
