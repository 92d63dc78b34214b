"""Deleting a model: all of its files, and the folders that are empty afterwards."""

import os
import shutil
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path

from msgspec import Struct

from app.core.errors import SlipstreamError
from app.models.library import Listing, LocalModel, UnusableFile
from app.models.model_names import hub_root, printable
from app.models.projectors import looks_like_projector

_LEFT_BY_SYSTEMS = frozenset((".DS_Store", "Thumbs.db", "desktop.ini"))
_NOTES = frozenset(("refs", ".no_exist"))  # what the Hugging Face cache keeps besides files


class DeletionError(SlipstreamError):
    """A file could not be deleted. Those before it are gone."""


class Deletion(Struct, frozen=True):
    """What deleting a model will delete. `freed_bytes` leaves out what only a link points to."""

    files: tuple[Path, ...]
    freed_bytes: int


def deletion_of(entry: LocalModel | UnusableFile, listing: Listing) -> Deletion:
    """All parts, and projectors that no other model of the folder needs.

    In the Hugging Face cache, where names are links, what they point to as well, and all links to that.
    """
    if isinstance(entry, LocalModel):
        named = (*entry.info.parts, *_projectors_left_over(entry, listing))
    else:
        named = entry.files or (entry.path,)
    files = tuple(dict.fromkeys(file for name in named for file in (name, *_in_hub(name))))
    return Deletion(files, sum(_size(file) for file in files))


def delete(deletion: Deletion, roots: Sequence[Path]) -> None:
    """Deletes the files, then their folders as far as these are empty, but never one of `roots`.

    Raises DeletionError. A file that is gone already is as good as deleted.
    """
    for file in deletion.files:
        try:
            file.unlink(missing_ok=True)
        except OSError as error:
            reason = error.strerror or str(error)
            raise DeletionError(f"{printable(str(file))} could not be deleted: {reason}.") from error
    kept = {os.path.realpath(root) for root in roots}
    for folder in dict.fromkeys(file.parent for file in deletion.files):
        _remove_empty(folder, kept)
    for repository in dict.fromkeys(hub_root(file) for file in deletion.files):
        if repository is not None and _holds_nothing(repository):
            shutil.rmtree(repository, ignore_errors=True)
            _remove_empty(repository.parent, kept)


def _projectors_left_over(model: LocalModel, listing: Listing) -> Iterator[Path]:
    others = [other for other in listing.models if other.path != model.path]
    needed = {other.projector for other in others}
    if model.projector is not None and model.projector not in needed:
        yield model.projector
    folder = model.path.parent
    beside = {*(other.path.parent for other in others), *(file.path.parent for file in listing.unusable)}
    if folder in beside:
        return
    try:
        left = sorted(folder.iterdir())
    except OSError:  # gone meanwhile: nothing is left over
        return
    yield from (file for file in left if looks_like_projector(file) and file not in needed)


def _in_hub(link: Path) -> Iterator[Path]:
    """The other names of a file in the Hugging Face cache, the one that holds the bytes last."""
    root = hub_root(link)
    if root is None or not link.is_symlink():
        return
    target = Path(os.path.realpath(link))
    if target.parent != Path(os.path.realpath(root / "blobs")):
        return
    yield from (
        other
        for other in sorted((root / "snapshots").rglob("*"))
        if other != link and other.is_symlink() and Path(os.path.realpath(other)) == target
    )
    yield target


def _holds_nothing(repository: Path) -> bool:
    """Whether all that is left of a cached repository are notes about revisions that are gone."""
    try:
        return {entry.name for entry in repository.iterdir()} <= _NOTES
    except OSError:
        return False


def _size(file: Path) -> int:
    try:
        return file.lstat().st_size if not file.is_symlink() else 0
    except OSError:  # gone meanwhile
        return 0


def _remove_empty(folder: Path, kept: AbstractSet[str]) -> None:
    for upper in (folder, *folder.parents):
        inside = any(Path(os.path.realpath(upper)).is_relative_to(root) for root in kept)
        if not inside or os.path.realpath(upper) in kept:
            return
        try:
            names = [entry.name for entry in upper.iterdir()]
            if not _LEFT_BY_SYSTEMS.issuperset(names):
                return
            for name in names:
                (upper / name).unlink()
            upper.rmdir()
        except FileNotFoundError:  # removed with another file's folder
            continue
        except OSError:  # not ours to remove; it does no harm
            return
