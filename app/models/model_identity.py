"""Which model something was measured with: said without a path, so that it can be shared."""

import hashlib
from pathlib import PurePath
from typing import BinaryIO

from app.core.experiment import ModelIdentity
from app.models.gguf import read_header
from app.models.info import ModelInfo
from app.models.model_names import name_of, printable
from app.models.window import open_file, truncated, unreadable

_PIECE = 1 << 20  # bytes


def model_identity(info: ModelInfo) -> ModelIdentity:
    """A model's name, file and size, with the SHA-256 of its header: of a set, that of the first part.

    The header ends where the weights begin; no more is read. Raises ModelFileError if the file has changed or
    gone since it was looked at.
    """
    end = read_header(info.path).data_offset
    with open_file(info.path) as file:
        try:
            digest = _digest_of_start(file, end)
        except OSError as error:
            unreadable(info.path, error)
    if digest is None:
        truncated(info.path, "became shorter while it was read")
    return ModelIdentity(
        name=name_of(info, PurePath(info.path.name)),  # a folder's name may be a person's
        quantisation=printable(info.quantisation),
        file=printable(info.path.name),
        size_bytes=info.total_bytes,
        header_digest=digest,
    )


def _digest_of_start(file: BinaryIO, length: int) -> str | None:
    """The hexadecimal digest of a file's first bytes; None where it has fewer. Raises OSError."""
    digest = hashlib.sha256()
    left = length
    while left:
        piece = file.read(min(left, _PIECE))
        if not piece:
            return None
        digest.update(piece)
        left -= len(piece)
    return digest.hexdigest()
