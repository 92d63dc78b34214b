"""The files of a repository as rows for people: one for each quantisation, projectors apart."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath

from msgspec import Struct

from app.models.hub import RemoteFile, RemoteModel
from app.models.model_names import quantisation_in
from app.models.parts import set_name, set_position, whole_name
from app.models.projectors import looks_like_projector

_ADAPTER = re.compile(r"(?<![^\W_])(lora|adapter)s?(?![^\W_])", re.IGNORECASE)
_WHOLE_NUMBERS = ("", "F16", "BF16", "F32")  # an adapter is hardly ever quantised, a model made with one is


class SortedFiles(Struct, frozen=True):
    """The rows, each kind from the smallest to the largest. Nothing else of a repository is of use here."""

    models: tuple[RemoteModel, ...]
    projectors: tuple[RemoteModel, ...]
    unjoined: tuple[RemoteFile, ...]  # pieces of files that were cut up


def sort_files(files: Iterable[RemoteFile]) -> SortedFiles:
    """Makes rows of a repository's files. A split set with a part missing is left out."""
    listed = sorted(files, key=lambda file: file.path)
    paths = {file.path for file in listed}
    groups: defaultdict[tuple[str, str], list[RemoteFile]] = defaultdict(list)
    unjoined = []
    for file in listed:
        whole = whole_name(file.name)
        if whole is not None:
            if str(PurePosixPath(file.path).with_name(whole)) not in paths:
                unjoined.append(file)
        elif file.name.lower().endswith(".gguf"):
            folder = str(PurePosixPath(file.path).parent)
            groups[folder, set_name(file.name) or file.name].append(file)
    rows = [_row(group) for group in groups.values() if _is_complete(group)]
    models: list[RemoteModel] = []
    projectors: list[RemoteModel] = []
    for row in rows:
        if looks_like_projector(Path(row.files[0].name)):
            projectors.append(row)
        elif not _is_of_no_use(row):
            models.append(row)
    return SortedFiles(_by_size(models), _by_size(projectors), tuple(unjoined))


def quantisation_of(path: str) -> str:
    """What a file's name tells, else the name of the nearest folder that tells something; else empty."""
    places = (PurePosixPath(path).name, *(folder.name for folder in PurePosixPath(path).parents))
    return next((found for place in places if (found := quantisation_in(place))), "")


def _row(group: Sequence[RemoteFile]) -> RemoteModel:
    return RemoteModel(tuple(group), quantisation_of(group[0].path))


def _is_complete(group: Sequence[RemoteFile]) -> bool:
    """Files of a group are in the order of their names, so those of a set in the order of its parts."""
    positions = [set_position(file.name) for file in group]
    if positions[0] is None:
        return True
    count = positions[0][1]
    return positions == [(number, count) for number in range(1, count + 1)]


def _is_of_no_use(row: RemoteModel) -> bool:
    """Importance matrices, vocabularies without weights, and adapters, where the name tells."""
    name = row.files[0].name.lower()
    own = quantisation_in(name)
    if "imatrix" in name or "ggml-vocab" in name or "vocab-only" in name:
        return not own
    return _ADAPTER.search(name) is not None and "merged" not in name and own in _WHOLE_NUMBERS


def _by_size(rows: Iterable[RemoteModel]) -> tuple[RemoteModel, ...]:
    return tuple(sorted(rows, key=lambda row: (row.total_bytes, row.files[0].path)))
