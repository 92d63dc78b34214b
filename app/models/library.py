"""The models on this computer: rows for the list, and files that cannot be used, with the reason."""

import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path, PurePath

from msgspec import Struct
from msgspec.structs import replace

from app.core.errors import FileProblem, ModelFileError
from app.models.folder_walk import FolderTree, FoundFile, walk
from app.models.header_copy import refuse_header_copies
from app.models.header_index import HeaderIndex
from app.models.info import ModelInfo
from app.models.model_names import file_title, hub_root, name_of, printable, publisher_of
from app.models.parts import set_name, whole_name
from app.models.projectors import projector_for


class LocalModel(Struct, frozen=True):
    """A model that can be loaded: one file, or a split set."""

    info: ModelInfo
    publisher: str  # empty where neither folder nor header tells
    name: str  # for people
    modified: float  # seconds since 1970, of the newest file
    managed: bool  # lies in the chosen models folder, so that deleting means deleting
    projector: Path | None  # the image or audio half that belongs to it

    @property
    def path(self) -> Path:
        """The file to load."""
        return self.info.path

    @property
    def files(self) -> tuple[Path, ...]:
        """All files, the projector's included."""
        return (*self.info.parts, self.projector) if self.projector else self.info.parts


class UnusableFile(Struct, frozen=True):
    """A file that looks like a model and cannot be used."""

    path: Path
    problem: FileProblem
    sentence: str
    size_bytes: int
    managed: bool
    files: tuple[Path, ...] = ()  # all of them, where it is what is left of a set


class Listing(Struct, frozen=True):
    """What a look at the folders found."""

    models: tuple[LocalModel, ...] = ()
    unusable: tuple[UnusableFile, ...] = ()
    folders: tuple[Path, ...] = ()  # all that were looked into, to be watched
    unreadable_folders: tuple[Path, ...] = ()  # those asked for that are missing or closed to us

    @property
    def total_bytes(self) -> int:
        """The size of all usable models."""
        return sum(model.info.total_bytes for model in self.models)

    @property
    def paths(self) -> frozenset[Path]:
        """The files that can be loaded."""
        return frozenset(model.path for model in self.models)


class _Candidate(Struct, frozen=True):
    """The files that make one row: one, the parts of a set, or the pieces of a file that was cut up."""

    files: tuple[FoundFile, ...]  # the first is the one to load
    below: PurePath  # its path inside the folder
    managed: bool

    @property
    def path(self) -> Path:
        return self.files[0].path

    @property
    def identity(self) -> tuple[int, int] | Path:
        return self.files[0].identity or self.path

    @property
    def group(self) -> Path:
        """The folder whose projectors are this one's: the whole repository's in the Hugging Face cache."""
        return hub_root(self.path) or self.path.parent


class LocalLibrary:
    """Lists the models in folders. Slow for files that it sees for the first time (0.1 s each)."""

    def __init__(self, index: HeaderIndex) -> None:
        self._index = index

    def scan(
        self,
        folders: Sequence[Path],
        managed: Path,
        *,
        going_on: Callable[[], bool] = lambda: True,
        on_progress: Callable[[int, int], None] = lambda done, total: None,
    ) -> Listing:
        """Looks into the managed folder and then into the others.

        A file that is seen twice, through links or nested folders, is one row. `on_progress` is told how many
        of how many files have been looked at. What is found is incomplete once `going_on` has said no.
        """
        trees = [walk(folder, going_on) for folder in (managed, *folders)]
        candidates = _without_doubles(_candidates(trees))
        models: list[tuple[_Candidate, ModelInfo]] = []
        refused: list[tuple[_Candidate, ModelFileError]] = []
        for number, candidate in enumerate(candidates):
            if not going_on():
                break
            on_progress(number, len(candidates))
            try:
                info = self._index.read(candidate.path)
                if info.total_bytes != sum(file.size for file in candidate.files):
                    refuse_header_copies(info.parts)
                models.append((candidate, info))
            except ModelFileError as error:
                refused.append((candidate, error))
        self._index.save()
        projectors = [candidate for candidate, error in refused if error.problem is FileProblem.PROJECTOR]
        with_models = {candidate.group for candidate, _ in models}
        return Listing(
            models=_rows(models, projectors),
            unusable=tuple(
                _unusable(candidate, error)
                for candidate, error in refused
                if error.problem is not FileProblem.PROJECTOR or candidate.group not in with_models
            ),
            folders=tuple(folder for tree in trees for folder in tree.folders),
            unreadable_folders=tuple(tree.root for tree in trees[1:] if not tree.is_readable),
        )


def _candidates(trees: Sequence[FolderTree]) -> list[_Candidate]:
    found = []
    real_roots: dict[Path, bool] = {}
    managed_root = os.path.realpath(trees[0].root)
    for number, tree in enumerate(trees):
        groups: defaultdict[tuple[Path, str], list[FoundFile]] = defaultdict(list)
        names = {file.path for file in tree.files}
        for file in tree.files:
            whole = whole_name(file.path.name)
            if whole is not None and file.path.with_name(whole) in names:
                continue  # its pieces have been joined
            groups[file.path.parent, set_name(file.path.name) or whole or file.path.name].append(file)
        for (folder, _), files in groups.items():
            ordered = tuple(sorted(files, key=lambda file: file.path.name))
            if folder not in real_roots:
                real_roots[folder] = PurePath(os.path.realpath(folder)).is_relative_to(managed_root)
            below = ordered[0].path.relative_to(tree.root.absolute())
            found.append(_Candidate(ordered, below, number == 0 and real_roots[folder]))
    return found


def _without_doubles(candidates: Iterable[_Candidate]) -> list[_Candidate]:
    """Of several names for one file, keeps the managed one, and a file rather than a link to it."""
    kept: dict[tuple[int, int] | Path, _Candidate] = {}
    in_order = sorted(
        candidates,
        key=lambda candidate: (not candidate.managed, candidate.files[0].is_link, candidate.path),
    )
    for candidate in in_order:
        kept.setdefault(candidate.identity, candidate)
    return sorted(kept.values(), key=lambda candidate: candidate.path)


def _rows(
    found: Sequence[tuple[_Candidate, ModelInfo]], projectors: Sequence[_Candidate]
) -> tuple[LocalModel, ...]:
    models_beside = _paths_by_group(candidate for candidate, _ in found)
    projectors_beside = _paths_by_group(projectors)
    rows = [
        LocalModel(
            info=info,
            publisher=publisher_of(info, candidate.below),
            name=name_of(info, candidate.below),
            modified=max(file.modified for file in candidate.files),
            managed=candidate.managed,
            projector=projector_for(
                candidate.path,
                models_beside[candidate.group],
                projectors_beside.get(candidate.group, ()),
            ),
        )
        for candidate, info in found
    ]
    rows = _told_apart(rows)
    return tuple(sorted(rows, key=lambda row: (row.name.casefold(), row.info.total_bytes, row.path)))


def _told_apart(rows: Sequence[LocalModel]) -> list[LocalModel]:
    """Models that would look the same in the list are called by their files' names, where these differ."""
    alike: defaultdict[tuple[str, str, str], list[LocalModel]] = defaultdict(list)
    for row in rows:
        alike[row.publisher, row.name, row.info.quantisation].append(row)
    named = []
    for group in alike.values():
        titles = {file_title(row.path) for row in group}
        distinct = len(group) > 1 and len(titles) == len(group)
        named += [replace(row, name=file_title(row.path)) for row in group] if distinct else group
    return named


def _paths_by_group(candidates: Iterable[_Candidate]) -> Mapping[Path, list[Path]]:
    found: defaultdict[Path, list[Path]] = defaultdict(list)
    for candidate in candidates:
        found[candidate.group].append(candidate.path)
    return found


def _unusable(candidate: _Candidate, error: ModelFileError) -> UnusableFile:
    first = candidate.files[0]
    sentence = str(error)
    if first.is_link and first.identity is None:
        sentence = f"{first.path.name} is a link to a file that does not exist."
    return UnusableFile(
        path=candidate.path,
        problem=error.problem,
        sentence=printable(sentence),
        size_bytes=sum(file.size for file in candidate.files),
        managed=candidate.managed,
        files=tuple(file.path for file in candidate.files),
    )
