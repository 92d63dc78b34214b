"""Folders where other programs keep models, so that nobody has to download them twice."""

import logging
import os
from collections.abc import Iterator, Mapping
from enum import StrEnum
from pathlib import Path

import msgspec
from msgspec import Struct

from app.models.folder_walk import walk
from app.models.parts import set_name, whole_name
from app.models.projectors import looks_like_projector

_log = logging.getLogger(__name__)


class Keeper(StrEnum):
    """The program that a folder belongs to."""

    LM_STUDIO = "lm_studio"
    HUGGING_FACE = "hugging_face"


class OfferedFolder(Struct, frozen=True):
    """A folder that exists, and whose it is."""

    keeper: Keeper
    path: Path


class _LmStudioSettings(Struct):
    folder: str | None = msgspec.field(name="downloadsFolder", default=None)


def offered_folders(home: Path, environment: Mapping[str, str]) -> tuple[OfferedFolder, ...]:
    """The folders of other programs that exist on this computer, each once."""
    found: dict[str, OfferedFolder] = {}
    for keeper, paths in (
        (Keeper.LM_STUDIO, _lm_studio(home)),
        (Keeper.HUGGING_FACE, _hugging_face(home, environment)),
    ):
        for path in paths:
            if os.path.isdir(path):  # noqa: PTH112 - Path.is_dir raises for paths that no system accepts
                found.setdefault(os.path.realpath(path), OfferedFolder(keeper, path))
    return tuple(found.values())


def count_models(folder: Path) -> int:
    """About how many models a folder holds, by names alone: a set counts once, and projectors do not."""
    found = walk(folder, lambda: True).files
    return len(
        {
            (file.path.parent, set_name(file.path.name) or file.path.name)
            for file in found
            if whole_name(file.path.name) is None and not looks_like_projector(file.path)
        }
    )


def _lm_studio(home: Path) -> Iterator[Path]:
    """Its home has a pointer to it if it was moved, and its settings name the folder if that was changed."""
    homes = [home / ".lmstudio", home / ".cache" / "lm-studio"]
    pointer = _text(home / ".lmstudio-home-pointer").strip()
    if pointer and "\0" not in pointer:
        homes.insert(0, Path(pointer))
    for place in homes:
        chosen = _chosen_folder(place / "settings.json")
        if chosen is not None:
            yield chosen
        yield place / "models"


def _chosen_folder(settings: Path) -> Path | None:
    try:
        folder = msgspec.json.decode(_text(settings) or "{}", type=_LmStudioSettings).folder
    except msgspec.MsgspecError as error:
        _log.info("LM Studio's settings do not make sense: %s", error)
        return None
    return Path(folder) if folder and Path(folder).is_absolute() else None


def _hugging_face(home: Path, environment: Mapping[str, str]) -> Iterator[Path]:
    """The first that is set, by the rules of huggingface_hub.constants."""
    for variable, below in (
        ("HF_HUB_CACHE", ""),
        ("HUGGINGFACE_HUB_CACHE", ""),
        ("HF_HOME", "hub"),
        ("XDG_CACHE_HOME", "huggingface/hub"),
    ):
        value = environment.get(variable)
        if value:
            yield Path(os.path.expanduser(value)) / below  # noqa: PTH111 - never raises
            return
    yield home / ".cache" / "huggingface" / "hub"


def _text(path: Path) -> str:
    """A small file's text; empty where it cannot be read."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return ""
    except OSError as error:
        _log.info("%s cannot be read: %s", path, error)
        return ""
