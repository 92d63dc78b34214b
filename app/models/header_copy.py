"""Copies of model files' headers: what GGUF headers are read for can be known before a file is downloaded."""

from collections.abc import Iterable
from pathlib import Path

from app.core.errors import FileProblem, ModelFileError
from app.models.window import copy_mark, open_file, size_in_mark, unreadable


def write_header_copy(path: Path, header: bytes, whole_bytes: int) -> None:
    """Writes the beginning of a file of `whole_bytes` in such a way that its header is read as the file's.

    Raises OSError.
    """
    path.write_bytes(header + copy_mark(whole_bytes))


def is_header_copy(path: Path) -> bool:
    """Whether a file is such a copy, which cannot be loaded. Raises ModelFileError (MISSING)."""
    with open_file(path) as file:
        try:
            return size_in_mark(file) is not None
        except OSError as error:
            unreadable(path, error)


def refuse_header_copies(paths: Iterable[Path]) -> None:
    """Raises ModelFileError (TRUNCATED) if one of the files is a copy."""
    for path in paths:
        if is_header_copy(path):
            sentence = f"{path.name} is only the header of a model. Download the model itself."
            raise ModelFileError(path, FileProblem.TRUNCATED, sentence)
