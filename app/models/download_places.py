"""Where a downloaded file goes: publisher/repository/file below the models folder, as My Models reads it.

Names on the hub are a stranger's. One that would lead out of the folder, that some system cannot store, or
that would not be seen for what it is, is refused rather than mended: a mended name could be another file's.
"""

import os
import re
import unicodedata
from collections.abc import Sequence
from pathlib import Path

from app.models.download import DownloadRequest
from app.models.hub import RemoteFile
from app.models.hub_problems import HubError, HubProblem
from app.models.model_names import printable

_LONGEST_NAME = 255 - 24  # bytes; file systems take 255, and an unfinished download is called a little longer
_LONGEST_ENDING = len(".part.json.new")  # of the files beside an unfinished download
_LONGEST_PATH = 259 if os.name == "nt" else None  # characters, as Windows counts them
_FORBIDDEN = frozenset(
    '\\<>:"|?*'
)  # by Windows, where they lead to other folders, drives and streams, or fail
_NAME = re.compile(r"(?P<stem>.+?)(?P<ending>(-\d{5}-of-\d{5})?\.[^.]+)", re.DOTALL)
_RESERVED = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³]) *(\..*)?", re.IGNORECASE)


def model_folder(models_folder: Path, repo: str) -> Path:
    """The folder of a repository's files. Raises HubError (BAD_NAME)."""
    parts = _checked_parts(repo)
    if len(parts) > 2:
        raise _refusal(repo, "the name of a repository has at most two parts")
    return models_folder.joinpath(*parts)


def target_of(folder: Path, file: RemoteFile, files: Sequence[RemoteFile]) -> Path:
    """Where `file`, one of the `files` that are wanted together, goes. Raises HubError (BAD_NAME).

    No folders are made for those inside the repository, unless two of the files would then have the same
    name. Their names become part of the file's, where they are not in it already: `Q4/model.gguf` is
    `model-Q4.gguf`, beside `model-Q8.gguf`.
    """
    parts = _checked_parts(file.path)
    name = _flat_name(parts)
    if why := _problem(name):
        raise _refusal(file.path, why)
    names = [_same_on_any_disk(name_here(other)) for other in files]
    return folder.joinpath(*parts) if len(set(names)) < len(names) else folder / name


def name_here(file: RemoteFile) -> str:
    """The name that `target_of` gives a file, not checked: for finding it again."""
    return _flat_name(file.path.split("/"))


def targets_of(request: DownloadRequest, longest_path: int | None = _LONGEST_PATH) -> tuple[Path, ...]:
    """Where all files of a request go, in their order. Raises HubError (BAD_NAME)."""
    targets = tuple(target_of(request.folder, file, request.files) for file in request.files)
    for target in targets:
        length = _units(target) + _LONGEST_ENDING
        if longest_path is not None and length > longest_path:
            raise HubError(
                HubProblem.BAD_NAME,
                f"{printable(target.name, 200)} cannot be saved in {printable(str(target.parent), 300)}: the "
                f"whole path would have {length} characters during the download, and Windows takes at most "
                f"{longest_path}. Choose a models folder with a shorter path, then download it again.",
            )
    return targets


def _flat_name(parts: Sequence[str]) -> str:
    """The name of a file in the folders before it, with what tells it from files of its name in others."""
    *folders, name = parts
    added = "".join(f"-{folder}" for folder in folders if not _has_word(name, folder))
    found = _NAME.fullmatch(name)
    return name + added if found is None else found["stem"] + added + found["ending"]


def _has_word(name: str, word: str) -> bool:
    """Whether it is there as a whole: Q4 is in `m-Q4_K.gguf`, and 4 is not."""
    return re.search(rf"(?<![^\W_]){re.escape(word)}(?![^\W_])", name, re.IGNORECASE) is not None


def is_reserved(name: str) -> bool:
    """Whether Windows keeps a name for itself, and opens a device in place of a file."""
    return _RESERVED.fullmatch(name) is not None


def remove_empty_folders(request: DownloadRequest) -> None:
    """Takes away the folders that `model_folder` gave to a repository, where nothing is in them."""
    folder = request.folder
    if f"{folder.parent.name}/{folder.name}" != request.repo:
        return  # a folder that somebody chose
    for made in (folder, folder.parent):
        try:
            made.rmdir()
        except OSError:  # not empty, or not there
            return


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
    if is_reserved(part):
        return "Windows keeps it for itself"
    if len(part.encode()) > _LONGEST_NAME:
        return "it is too long"
    return ""


def _units(path: Path) -> int:
    """Its length as Windows counts it."""
    return len(str(path).encode("utf-16-le", "surrogatepass")) // 2


def _same_on_any_disk(name: str) -> str:
    """Equal for names that some file system takes for the same."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def _refusal(name: str, why: str) -> HubError:
    return HubError(
        HubProblem.BAD_NAME,
        f"“{printable(name, 200)}” cannot be the name of a file on this computer: {why}. "
        "Download it on the model's page and give it another name.",
    )
