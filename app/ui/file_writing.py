"""Files that people choose, written whole or not at all, and what the disk says in plain words."""

import contextlib
import errno
import os
import secrets
import shutil
from pathlib import Path

from PySide6.QtCore import QCoreApplication

translate = QCoreApplication.translate


def replace_file(path: Path, content: bytes) -> None:
    """Puts `content` in place of what is there, whose rights it gets. Raises OSError: then nothing changed.

    QSaveFile takes a file that a full disk cut off for a whole one.
    """
    target = Path(os.path.realpath(path))  # a link stays one
    if target.exists():
        if not target.is_file():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
        if not os.access(target, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    new = target.with_name(f"slipstream-{secrets.token_hex(8)}.new")
    try:
        with new.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            with contextlib.suppress(OSError):  # some disks have no rights
                shutil.copymode(target, new)
        new.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):  # the first failure is the one to tell
            new.unlink()
        raise


def disk_reason(error: OSError) -> str:
    """What the system says, as the end of a sentence: "the disk is full"."""
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT:
            return translate("Files", "the disk is full")
        case errno.EFBIG:
            return translate("Files", "the file is too large for the disk")
        case errno.EACCES | errno.EPERM:
            return translate("Files", "it is not allowed there")
        case errno.EROFS:
            return translate("Files", "the disk can only be read")
        case errno.ENOENT | errno.ENOTDIR:
            return translate("Files", "the folder is not there")
        case errno.EEXIST:
            return translate("Files", "something else has this name")
        case _:
            return error.strerror or str(error)
