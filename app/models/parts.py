"""The files of a model that comes in several: split sets, and files that were merely cut in pieces."""

import re
from pathlib import Path
from typing import NoReturn

from app.core.errors import FileProblem, ModelFileError
from app.models.window import unreadable

_PART = re.compile(r"(?P<stem>.+)-(?P<number>\d{5})-of-(?P<count>\d{5})\.gguf")
_PIECE = re.compile(r"(?P<whole>.+\.gguf)([.-]part-?\d+(-?of-?\d+)?|-split-[a-z]+|\.\d{2,5})")


def parts_of(path: Path) -> tuple[Path, ...]:
    """All files of the set that `path` belongs to, the first (the one to load) in front.

    A file whose name does not speak of a set (`name-00002-of-00003.gguf`) is a set of its own, whether it
    exists or not. Raises ModelFileError (INCOMPLETE_SET) for missing parts, which it names, and for pieces
    that have to be joined before use.
    """
    _refuse_piece(path)
    part = _PART.fullmatch(path.name)
    if part is None:
        return (path,)
    count = int(part["count"])
    if not 1 <= int(part["number"]) <= count:
        _incomplete(path, f"{path.name} cannot be one of {count} parts. Give it its original name.")
    names = [f"{part['stem']}-{number:05d}-of-{part['count']}.gguf" for number in range(1, count + 1)]
    try:
        present = {entry.name for entry in path.parent.iterdir()}
    except OSError as error:
        unreadable(path, error)
    missing = [name for name in names if name not in present]
    if missing:
        more = f" and {len(missing) - 3} more" if len(missing) > 3 else ""
        _incomplete(
            path,
            f"{part['stem']} comes in {count} parts. Missing: {', '.join(missing[:3])}{more}. "
            "Put all parts into one folder.",
        )
    return tuple(path.with_name(name) for name in names)


def set_name(name: str) -> str | None:
    """What the names of all parts of a split set have in common; None for a file that is none of them."""
    part = _PART.fullmatch(name)
    return None if part is None else f"{part['stem']} of {part['count']}"


def set_position(name: str) -> tuple[int, int] | None:
    """Which of how many parts of a split set a file is, from 1; None for a file that is none."""
    part = _PART.fullmatch(name)
    return None if part is None else (int(part["number"]), int(part["count"]))


def whole_name(name: str) -> str | None:
    """The name of the file that was cut into pieces like this one; None for a file that is no piece."""
    piece = _PIECE.fullmatch(name)
    return None if piece is None else piece["whole"]


def _refuse_piece(path: Path) -> None:
    """Such files are cut at any byte, unlike a split set, and have to become one file again."""
    piece = _PIECE.fullmatch(path.name)
    if piece is None:
        return
    whole = piece["whole"]
    _incomplete(
        path,
        f"{path.name} is one piece of {whole}, which was cut up. Join all its pieces, in their "
        f"order, into one file: cat PIECE1 PIECE2 > {whole} (on Windows: copy /b PIECE1+PIECE2 {whole}).",
    )


def _incomplete(path: Path, sentence: str) -> NoReturn:
    raise ModelFileError(path, FileProblem.INCOMPLETE_SET, sentence)
