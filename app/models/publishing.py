"""Giving finished files their names, and clearing away what nobody wants to finish."""

import logging
import os
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import structs

from app.models.digest import sha256_of
from app.models.disk_trouble import disk_error
from app.models.hub import RemoteFile
from app.models.hub_problems import HubError, HubProblem
from app.models.model_names import printable
from app.models.part_file import is_verified, part_path, read_notes, remove_notes
from app.models.transfer_events import TransferStopped

_log = logging.getLogger(__name__)


def publish(files: Sequence[tuple[Path, RemoteFile]]) -> None:
    """Gives the verified parts of a download their names, the first one's last: it is the one that is loaded.

    Files that have their names already are left, so that this can be called again after it failed. Raises
    HubError: NAME_CLASH, or CHECKSUM for a part that is not as it was when it was verified, before anything
    is renamed; UNWRITABLE for the file that could not be, or NAME_CLASH where its name was taken meanwhile.
    """
    waiting = [(destination, file) for destination, file in files if _is_waiting(destination, file)]
    for destination, file in waiting:
        notes = read_notes(destination)
        is_it = notes is not None and (notes.head.size, notes.head.sha256) == (file.size, file.sha256)
        if not is_it or not is_verified(destination, notes):
            raise HubError(
                HubProblem.CHECKSUM,
                f"{printable(destination.name, 200)} is not as it was when it was checked. Try again: it is "
                "checked anew, and what is missing is fetched.",
            )
    for destination, _ in reversed(waiting):
        try:
            _rename(part_path(destination), destination)
        except FileExistsError as error:
            raise _name_clash(destination) from error
        except OSError as error:
            raise disk_error(error, destination, 0) from error
    for folder in {destination.parent for destination, _ in waiting}:
        _make_lasting(folder)
    for destination, _ in files:
        discard(destination)


def discard(destination: Path) -> None:
    """Deletes the unfinished file and what is noted about it. Raises HubError UNWRITABLE."""
    try:
        part_path(destination).unlink(missing_ok=True)
        remove_notes(destination)
    except OSError as error:
        reason = printable(error.strerror or type(error).__name__, 200)
        raise HubError(
            HubProblem.UNWRITABLE,
            f"{printable(str(part_path(destination)))} could not be deleted: {reason}. Delete it by hand.",
        ) from error


def held_bytes(destination: Path) -> int:
    """How many bytes of an unfinished file an earlier run left."""
    notes = read_notes(destination)
    return 0 if notes is None else sum(claim.length for claim in notes.claims)


def is_in_place(destination: Path, file: RemoteFile, has_ended: Callable[[], bool] = lambda: False) -> bool:
    """Whether the file has its name already; reads all of it, where its digest is known.

    Raises HubError NAME_CLASH where something else has the name, and TransferStopped once `has_ended`.
    """
    try:
        if not destination.is_file() or destination.stat().st_size != file.size:
            if destination.exists():
                raise _name_clash(destination)
            return False
        if file.sha256 is None:
            return True
        digest = sha256_of(destination, has_ended)
    except OSError as error:
        raise _name_clash(destination) from error
    if digest is None:
        raise TransferStopped
    if digest != file.sha256:
        raise _name_clash(destination)
    return True


def _is_waiting(destination: Path, file: RemoteFile) -> bool:
    """Whether a file has yet to get its name. One that has it and no part was compared when found."""
    known = file if part_path(destination).exists() else structs.replace(file, sha256=None)
    return not is_in_place(destination, known)


def _rename(part: Path, destination: Path) -> None:
    """Nothing is overwritten, even what has the name since a moment ago, where the disk can do that."""
    if os.name == "nt":
        part.rename(destination)  # refuses by itself
        return
    try:
        destination.hardlink_to(part)
    except FileExistsError:
        raise
    except OSError:  # a disk without links, such as a USB stick's; if anything else is wrong, it comes again
        part.replace(destination)
    else:
        part.unlink()


def _name_clash(destination: Path) -> HubError:
    return HubError(
        HubProblem.NAME_CLASH,
        f"{printable(str(destination.parent))} already has another {printable(destination.name, 200)}. "
        "Rename or move that one, or choose another folder, then try again.",
    )


def _make_lasting(folder: Path) -> None:
    """A power cut must not take the new names away."""
    if os.name == "nt":
        return  # a folder cannot be opened there; NTFS keeps a journal of names
    try:
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError as error:  # some network drives cannot; the names are there all the same
        _log.info("%s could not be flushed: %s", printable(str(folder)), error.strerror)
