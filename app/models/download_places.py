"""Where a downloaded file goes: publisher/repository/file below the models folder, as My Models reads it.

Names on the hub are a stranger's. One that would lead out of the folder, that some system cannot store, or
that would not be seen for what it is, is refused rather than mended: a mended name could be another file's.
"""

import re
import unicodedata
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from app.models.download import DownloadRequest
from app.models.hub import RemoteFile
from app.models.hub_problems import HubError, HubProblem
from app.models.model_names import printable

_LONGEST_NAME = 255 - 24  # bytes; file systems take 255, and an unfinished download is called a little longer
_FORBIDDEN = frozenset(
    '\\<>:"|?*'
)  # by Windows, where they lead to other folders, drives and streams, or fail
_RESERVED = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³]) *(\..*)?", re.IGNORECASE)


def model_folder(models_folder: Path, repo: str) -> Path:
    """The folder of a repository's files. Raises HubError (BAD_NAME)."""
    parts = _checked_parts(repo)
    if len(parts) > 2:
        raise _refusal(repo, "the name of a repository has at most two parts")
    return models_folder.joinpath(*parts)


def target_of(folder: Path, file: RemoteFile, files: Sequence[RemoteFile]) -> Path:
    """Where `file`, one of the `files` that are wanted together, goes. Raises HubError (BAD_NAME).

    Folders inside the repository are left out, unless two of the files would then have the same name.
    """
    parts = _checked_parts(file.path)
    names = [_same_on_any_disk(PurePosixPath(other.path).name) for other in files]
    return folder.joinpath(*parts) if len(set(names)) < len(names) else folder / parts[-1]


def targets_of(request: DownloadRequest) -> tuple[Path, ...]:
    """Where all files of a request go, in their order. Raises HubError (BAD_NAME)."""
    return tuple(target_of(request.folder, file, request.files) for file in request.files)


def _checked_parts(name: str) -> list[str]:
    parts = name.split("/")
    for part in parts:
        if why := _problem(part):
            raise _refusal(name, why)
    return parts


def _problem(part: str) -> str:
    """Why a part of a path is refused; empty where it is not."""
    if part in ("", ".", ".."):
        return "it leads somewhere else"
    if part.startswith("."):
        return "names that begin with a full stop are hidden"
    if part.endswith((".", " ")):
        return "it ends with a full stop or a blank"
    if found := sorted(_FORBIDDEN.intersection(part)):
        return f"it has {found[0]} in it"
    if printable(part, len(part)) != part:
        return "it has invisible signs in it"
    if _RESERVED.fullmatch(part):
        return "Windows keeps it for itself"
    if len(part.encode()) > _LONGEST_NAME:
        return "it is too long"
    return ""


def _same_on_any_disk(name: str) -> str:
    """Equal for names that some file system takes for the same."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def _refusal(name: str, why: str) -> HubError:
    return HubError(
        HubProblem.BAD_NAME,
        f"“{printable(name, 200)}” cannot be the name of a file on this computer: {why}. "
        "Download it on the model's page and give it another name.",
    )
