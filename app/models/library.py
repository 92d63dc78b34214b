"""The models on this computer: rows for the list, and files that cannot be used, with the reason."""

from pathlib import Path

from msgspec import Struct

from app.core.errors import FileProblem
from app.models.info import ModelInfo


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


class Listing(Struct, frozen=True):
    """What a look at the folders found."""

    models: tuple[LocalModel, ...] = ()
    unusable: tuple[UnusableFile, ...] = ()

    @property
    def total_bytes(self) -> int:
        """The size of all usable models."""
        return sum(model.info.total_bytes for model in self.models)
