"""The repositories of the loopback hub, and how the real hub words them in JSON."""

import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Literal

from msgspec import Struct, field

from tests.fakes.hub_content import Content, content_etag

Json = dict[str, Any]
Gated = Literal["auto", "manual", False]

LARGE = (".gguf", ".safetensors", ".bin", ".png", ".jpg")  # in large-file storage, as .gitattributes says
_EARLIEST = 1_709_286_400.0  # seconds since 1970
_LISTED = ("_id", "id", "modelId", "likes", "private", "downloads", "tags", "pipeline_tag", "createdAt")
_FULL = (*_LISTED, "author", "gated", "lastModified", "sha", "siblings")
_ON_REQUEST = ("baseModels", "childrenModelCount", "trendingScore", "downloadsAllTime")
# fmt: off
EXPANDABLE = frozenset((
    "author", "baseModels", "cardData", "childrenModelCount", "config", "createdAt", "disabled",
    "downloads", "downloadsAllTime", "evalResults", "gated", "gguf", "inference",
    "inferenceProviderMapping", "lastModified", "library_name", "likes", "mask_token", "model-index",
    "pipeline_tag", "private", "resourceGroup", "safetensors", "sha", "siblings", "spaces", "tags",
    "transformersInfo", "trendingScore", "usedStorage", "widgetData",
))
# fmt: on


class Repository(Struct):
    """A model repository. Every commit keeps its files; the last one is `main`."""

    name: str
    commits: dict[str, dict[str, Content]] = field(default_factory=dict)
    downloads: int = 0
    likes: int = 0
    trending: int = 0
    updated: float = _EARLIEST  # seconds since 1970
    gated: Gated = False
    private: bool = False
    members: frozenset[str] = frozenset()  # users who may have what is gated or private
    licence: str | None = None
    base_models: tuple[str, ...] = ()
    architecture: str | None = None
    parameters: int | None = None
    context_length: int | None = None
    tags: tuple[str, ...] = ()

    @property
    def head(self) -> str:
        """The last commit."""
        return next(reversed(self.commits))

    def commit(self, files: Mapping[str, Content]) -> str:
        """Makes a commit with these files alone; returns its name."""
        words = f"{self.name} {len(self.commits)} " + " ".join(sorted(files))
        name = hashlib.sha1(words.encode(), usedforsecurity=False).hexdigest()
        self.commits[name] = dict(files)
        return name

    def revision(self, name: str) -> str | None:
        """The commit that a revision means."""
        if name in ("main", "HEAD", "refs/heads/main"):
            return self.head
        return name if name in self.commits else None

    def may_read(self, user: str | None) -> bool:
        """Whether a user sees that it exists."""
        return not self.private or user in self.members

    def may_download(self, user: str | None) -> bool:
        """Whether a user gets its files."""
        return self.gated is False or user in self.members


def is_large(path: str) -> bool:
    """Whether a file lies in large-file storage."""
    return path.endswith(LARGE)


def blob_name(content: Content) -> str:
    """The name that git would give a file; of a large one, its pointer's."""
    return hashlib.sha1(b"blob " + content.sha256.encode(), usedforsecurity=False).hexdigest()


def listed(repository: Repository, expand: list[str], full: bool, with_card: bool) -> Json:
    """A repository in a search's answer."""
    whole = _whole(repository, repository.head)
    if expand:
        return _picked(whole, ("_id", "id", *expand))
    names = _FULL if full else _LISTED
    return _picked(whole, (*names, "cardData") if with_card else names)


def described(repository: Repository, commit: str, expand: list[str], blobs: bool) -> Json:
    """A repository that was asked for by name."""
    whole = _whole(repository, commit)
    if expand:
        return _picked(whole, ("_id", "id", *expand))
    if blobs:
        whole["siblings"] = [
            _sibling(path, content) for path, content in sorted(repository.commits[commit].items())
        ]
    return {name: value for name, value in whole.items() if name not in _ON_REQUEST}


def tree(repository: Repository, commit: str, below: str, recursive: bool) -> list[Json]:
    """A folder's entries: folders, and files with their large-file data."""
    entries: dict[str, Json] = {}
    inside = below + "/" if below else ""
    for path, content in sorted(repository.commits[commit].items()):
        if not path.startswith(inside):
            continue
        folders = path.removeprefix(inside).split("/")[:-1]
        for depth in range(1, len(folders) + 1 if recursive else min(len(folders), 1) + 1):
            folder = inside + "/".join(folders[:depth])
            oid = hashlib.sha1(folder.encode(), usedforsecurity=False).hexdigest()
            entries.setdefault(folder, {"type": "directory", "oid": oid, "size": 0, "path": folder})
        if recursive or not folders:
            entries[path] = file_entry(path, content)
    return list(entries.values())


def file_entry(path: str, content: Content) -> Json:
    """A file as the tree lists it."""
    entry: Json = {"type": "file", "oid": blob_name(content), "size": content.size, "path": path}
    if is_large(path):
        entry["lfs"] = {"oid": content.sha256, "size": content.size, "pointerSize": 135}
        entry["xetHash"] = content_etag(content).strip('"')
    return entry


def _whole(repository: Repository, commit: str) -> Json:
    """All that the hub knows of a repository; what is not known is left out, as the hub does."""
    files = repository.commits[commit]
    when = datetime.fromtimestamp(repository.updated, UTC).strftime("%Y-%m-%dT%H:%M:%S.000Z")
    first = datetime.fromtimestamp(_EARLIEST, UTC).strftime("%Y-%m-%dT%H:%M:%S.000Z")
    whole: Json = {
        "_id": hashlib.sha1(repository.name.encode(), usedforsecurity=False).hexdigest()[:24],
        "id": repository.name,
        "modelId": repository.name,
        "author": repository.name.partition("/")[0],
        "sha": commit,
        "private": repository.private,
        "gated": repository.gated,
        "disabled": False,
        "downloads": repository.downloads,
        "downloadsAllTime": repository.downloads * 3,
        "likes": repository.likes,
        "trendingScore": repository.trending,
        "lastModified": when,
        "createdAt": first,
        "pipeline_tag": "text-generation",
        "tags": _tags(repository, files),
        "cardData": _card_data(repository),
        "siblings": [{"rfilename": path} for path in sorted(files)],
        "spaces": [],
        "usedStorage": sum(content.size for content in files.values()),
        "childrenModelCount": 0,
    }
    if repository.architecture is not None:
        gguf: Json = {"architecture": repository.architecture, "total": repository.parameters}
        if repository.context_length is not None:
            gguf["context_length"] = repository.context_length
        whole["gguf"] = gguf
    if repository.base_models:
        models = [{"_id": "0" * 24, "id": name} for name in repository.base_models]
        whole["baseModels"] = {"relation": "quantized", "models": models}
    return whole


def _tags(repository: Repository, files: Mapping[str, Content]) -> list[str]:
    tags = ["gguf"] if any(path.endswith(".gguf") for path in files) else ["safetensors"]
    for name in repository.base_models:
        tags += [f"base_model:{name}", f"base_model:quantized:{name}"]
    if repository.licence is not None:
        tags.append(f"license:{repository.licence}")
    return [*tags, *repository.tags, "endpoints_compatible", "region:us"]


def _card_data(repository: Repository) -> Json:
    data: Json = {}
    if repository.licence is not None:
        data["license"] = repository.licence
    if repository.base_models:
        one = len(repository.base_models) == 1
        data["base_model"] = repository.base_models[0] if one else list(repository.base_models)
    return data


def _sibling(path: str, content: Content) -> Json:
    sibling: Json = {"rfilename": path, "size": content.size, "blobId": blob_name(content)}
    if is_large(path):
        sibling["lfs"] = {"sha256": content.sha256, "size": content.size, "pointerSize": 135}
    return sibling


def _picked(whole: Json, names: tuple[str, ...]) -> Json:
    return {name: whole[name] for name in names if name in whole}
