"""The files in a folder that may be models, however deep they lie, and whatever else is in it."""

import os
import stat
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from app.models.parts import whole_name

_DEEPEST = 16  # folders below the first


class FoundFile(Struct, frozen=True):
    """A file that looks like a model by its name. `identity` is the same for all names of one file."""

    path: Path
    identity: tuple[int, int] | None  # None: a link to nothing, or a file that cannot be asked
    size: int  # bytes
    modified: float  # seconds since 1970
    is_link: bool


class FolderTree(Struct, frozen=True):
    """What a walk found. `folders` are all that were entered; none if the first cannot be read."""

    root: Path
    files: tuple[FoundFile, ...]
    folders: tuple[Path, ...]

    @property
    def is_readable(self) -> bool:
        """False where the folder is missing or closed to us."""
        return bool(self.folders)


def walk(root: Path, going_on: Callable[[], bool]) -> FolderTree:
    """Looks through a folder, by name; opens no file. Stops early when `going_on` says no.

    Hidden files and folders are left out, and so are unfinished downloads, which do not end in ".gguf".
    Links to folders are followed, into each folder once.
    """
    files: list[FoundFile] = []
    folders: list[Path] = []
    seen: set[tuple[int, int]] = set()
    pending = [(root.absolute(), 0)]
    while pending and going_on():
        folder, depth = pending.pop()
        try:
            status = folder.stat()
            if (status.st_dev, status.st_ino) in seen:
                continue
            seen.add((status.st_dev, status.st_ino))
            with os.scandir(folder) as entries:
                listed = sorted(entries, key=lambda entry: entry.name, reverse=True)
        except (OSError, ValueError):  # closed to us, gone meanwhile, too long a path, or not a folder
            continue
        folders.append(folder)
        for entry in listed:
            if entry.name.startswith("."):
                continue
            if _is_folder(entry):
                if depth < _DEEPEST:
                    pending.append((Path(entry.path), depth + 1))
            elif entry.name.lower().endswith(".gguf") or whole_name(entry.name) is not None:
                files.append(_found(entry))
    return FolderTree(root, tuple(files), tuple(folders))


def _is_folder(entry: "os.DirEntry[str]") -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link that leads round in a circle
        return False


def _found(entry: "os.DirEntry[str]") -> FoundFile:
    path = Path(entry.path)
    try:
        status = path.stat()  # not the entry's own, which lacks the identity on Windows
    except OSError:  # a link to nothing; whoever opens the file says so
        return FoundFile(path, None, 0, 0.0, entry.is_symlink())
    identity = (status.st_dev, status.st_ino)
    size = status.st_size if stat.S_ISREG(status.st_mode) else 0
    return FoundFile(path, identity, size, status.st_mtime, entry.is_symlink())
