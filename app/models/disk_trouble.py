"""What goes wrong with the disk that a download is written to, and whether there is room."""

import errno
import os
import shutil
from pathlib import Path

from app.figures import bytes_text
from app.models.hub_problems import HubError, HubProblem
from app.models.model_names import printable

MARGIN_BYTES = 256_000_000  # what a download leaves free

_FULL = (errno.ENOSPC, errno.EDQUOT)
_NO_RIGHT = (errno.EACCES, errno.EPERM, errno.EROFS)


def free_bytes(folder: Path) -> int:
    """What can still be written to the folder's disk. Raises OSError."""
    return shutil.disk_usage(folder).free


def no_room(destination: Path, missing: int, free: int) -> HubError:
    """The file does not fit, with the margin."""
    return HubError(
        HubProblem.DISK_FULL,
        f"The disk {disk_of(destination.parent)} is too full: {_shown(destination.name)} needs "
        f"{bytes_text(missing)} more there, with {bytes_text(MARGIN_BYTES)} to spare, and {bytes_text(free)} "
        "are free. Make room or choose another folder, then try again.",
    )


def disk_error(error: OSError, destination: Path, missing: int) -> HubError:
    """The HubError for what the system says about the disk. `missing` bytes are still to be written."""
    folder = destination.parent
    disk, name = disk_of(folder), _shown(destination.name)
    if error.errno in _FULL:
        return HubError(
            HubProblem.DISK_FULL,
            f"The disk {disk} became full while {name} was being written{_left(folder)}; "
            f"{bytes_text(missing)} are missing. What has come is kept. Make room, then try again.",
        )
    if error.errno == errno.EFBIG:
        return HubError(
            HubProblem.UNWRITABLE,
            f"The disk {disk} does not take files as large as {name}. Choose a folder on another disk.",
        )
    remedy = "Allow it there, or choose" if error.errno in _NO_RIGHT else "Check the disk, or choose"
    reason = printable(error.strerror or type(error).__name__, 200)
    return HubError(
        HubProblem.UNWRITABLE,
        f"{name} cannot be written to {_shown(str(folder))}: {reason}. {remedy} another folder, then try "
        "again.",
    )


def disk_of(folder: Path) -> str:
    """Where a folder's disk begins: its drive letter, or the place where it is mounted."""
    if folder.drive:
        return folder.drive
    place = Path(os.path.realpath(folder))
    return _shown(str(next((each for each in (place, *place.parents) if os.path.ismount(each)), place)))


def _left(folder: Path) -> str:
    try:
        return f" ({bytes_text(free_bytes(folder))} are free)"
    except OSError:  # the disk may be gone
        return ""


def _shown(text: str) -> str:
    return printable(text, 300)
