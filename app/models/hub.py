"""Models on the Hugging Face hub, as this program sees them."""

from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path, PurePosixPath
from typing import Protocol

from msgspec import Struct

LONGEST_TOKEN = 500  # characters


class SortOrder(StrEnum):
    """How found models are sorted."""

    BEST_MATCH = "best_match"
    DOWNLOADS = "downloads"
    LIKES = "likes"
    UPDATED = "updated"


class Gate(StrEnum):
    """Whether a licence has to be accepted before files can be had."""

    OPEN = "open"
    AUTOMATIC = "automatic"  # accepting it is enough
    MANUAL = "manual"  # the publisher decides on each request


class FoundModel(Struct, frozen=True):
    """One result of a search. Figures are None where the hub gives none."""

    repo: str  # publisher/name
    downloads: int | None = None  # in the last 30 days
    likes: int | None = None
    updated: float | None = None  # seconds since 1970
    gate: Gate = Gate.OPEN
    architecture: str | None = None
    parameters: int | None = None
    context_length: int | None = None  # tokens

    @property
    def publisher(self) -> str:
        """The user or organisation."""
        return self.repo.partition("/")[0] if "/" in self.repo else ""

    @property
    def name(self) -> str:
        """The repository's name without its publisher."""
        return self.repo.rpartition("/")[2]


class RemoteFile(Struct, frozen=True):
    """A file in a repository. Size in bytes."""

    path: str  # below the repository's root, with "/"
    size: int
    sha256: str | None  # hexadecimal; None for small files that are not in large-file storage

    @property
    def name(self) -> str:
        """The last part of its path."""
        return PurePosixPath(self.path).name


class RemoteModel(Struct, frozen=True):
    """What is one row for people: one file, or all parts of a split set in their order."""

    files: tuple[RemoteFile, ...]
    quantisation: str  # such as Q4_K_M; empty where the name does not tell

    @property
    def total_bytes(self) -> int:
        """The size of all parts."""
        return sum(file.size for file in self.files)


class HubModel(Struct, frozen=True):
    """Everything that is shown of one repository, at one commit."""

    found: FoundModel
    commit: str
    licence: str | None
    base_models: tuple[str, ...]  # repositories that it was made from
    models: tuple[RemoteModel, ...]  # from the smallest to the largest
    projectors: tuple[RemoteModel, ...]  # image and audio halves
    unjoined: tuple[RemoteFile, ...] = ()  # pieces of cut-up files, which cannot be used as they are

    @property
    def repo(self) -> str:
        """Its name now: a renamed repository answers under the new one."""
        return self.found.repo


class Hub(Protocol):
    """The hub. Every call may take long and may be made from any thread; all raise HubError."""

    def search(self, words: str, order: SortOrder) -> Iterator[tuple[FoundModel, ...]]:
        """Repositories with GGUF files, page by page; a page is asked for when it is taken.

        `words` may be words, `publisher/name`, or the address of a page on the hub. The iterator is used by
        one thread at a time.
        """

    def describe(self, repo: str) -> HubModel:
        """A repository with its files."""

    def card(self, model: HubModel) -> str:
        """The model card in Markdown, without its front matter; empty where there is none."""

    def picture(self, model: HubModel, address: str) -> bytes:
        """A picture of a model card, at most 10 MB. Without the token, unless it lies in the repository."""

    def header(self, model: HubModel, row: RemoteModel) -> Path:
        """A local copy of the headers of a row's files (the first one's path), fetched at most once.

        What reads GGUF headers reads the copy as if it were the whole file. Raises ModelFileError for a
        file that is no GGUF.
        """


class Account(Protocol):
    """Who this computer is for the hub. The token stays where the hub's own library keeps it."""

    def token_source(self) -> "TokenSource":
        """Where the token comes from. Asks no network."""

    def check(self, token: str) -> str:
        """The name of the user that a token belongs to. Raises HubError."""

    def keep(self, token: str) -> str:
        """Checks a token and stores it; gives the user's name. Raises HubError."""

    def user(self) -> str:
        """Asks the hub for the user of the token in force. Raises HubError."""

    def forget(self) -> None:
        """Removes the stored token from this computer. Raises HubError where it cannot."""


class TokenSource(StrEnum):
    """Where a token was found."""

    NONE = "none"
    STORED = "stored"  # the hub library's file
    ENVIRONMENT = "environment"  # HF_TOKEN, which goes before the file
