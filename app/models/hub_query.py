"""What a person typed or pasted in order to find a model: words, a repository's name, or an address."""

import os
import re
from collections.abc import Iterable
from typing import NoReturn
from urllib.parse import parse_qs, unquote, urlsplit

from msgspec import Struct

from app.models.hub_problems import HubError, HubProblem
from app.models.model_names import printable

_HOSTS = ("huggingface.co", "www.huggingface.co", "hf.co", "www.hf.co")
_AROUND = " \t\r\n\v\f\u00a0\u200b\ufeff<>\"'`“”‘’«»,;"
_NAME = r"[A-Za-z0-9](?:[\w.-]{0,94}[A-Za-z0-9_])?"
_REPOSITORY = re.compile(rf"(?P<repo>{_NAME}/{_NAME})(?::(?P<tag>[\w.-]+))?", re.ASCII)
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_VIEWS = ("blob", "resolve", "raw")  # pages of a file, each followed by a revision and the file's path
_OTHER_KINDS = ("datasets", "spaces", "kernels", "buckets")
_OTHER_PAGES = frozenset(
    (
        *("api", "blog", "chat", "collections", "docs", "enterprise", "inference", "join", "learn"),
        *("login", "new", "organizations", "papers", "posts", "pricing", "settings", "tasks"),
    )
)


class Words(Struct, frozen=True):
    """Words to search by; empty for all models."""

    text: str


class Repository(Struct, frozen=True):
    """One repository, perhaps with what is wanted of it."""

    repo: str  # publisher/name
    file: str | None = None  # a path in it
    quantisation: str | None = None  # as it was typed


Query = Words | Repository


def hub_endpoint() -> str | None:
    """The address of the hub that the hub library is told to ask, where that is not Hugging Face itself."""
    return os.environ.get("HF_ENDPOINT", "").rstrip("/") or None


def parse_query(text: str, endpoint: str | None = None) -> Query:
    """Makes out what is meant. Raises HubError (NOT_FOUND) for an address where no model can be.

    `endpoint` is the address of the hub that is asked, where that is not Hugging Face itself.
    """
    stripped = text.strip(_AROUND)
    for word in stripped.split():
        path = _path_on_hub(word.strip(_AROUND), endpoint)
        if path is not None:
            return _from_path(path, word)
    if _SCHEME.match(stripped):
        host = printable(urlsplit(stripped).hostname or stripped, 80) if _is_address(stripped) else stripped
        _refuse(f"{printable(host, 80)} is not Hugging Face, where Slipstream looks for models.")
    named = _REPOSITORY.fullmatch(stripped)
    if named is not None:
        return Repository(named["repo"], quantisation=named["tag"])
    return Words(" ".join(stripped.split()))


def _path_on_hub(word: str, endpoint: str | None) -> str | None:
    """The path and query of an address on the hub; None for other words."""
    if word.lower().startswith("hf://"):
        return "/" + word[5:].lstrip("/")
    if not _is_address(word):
        return None
    with_scheme = word if _SCHEME.match(word) else f"https://{word}"
    parts = urlsplit(with_scheme)
    path = f"{parts.path}?{parts.query}" if parts.query else parts.path
    own = urlsplit(endpoint or "")
    if own.netloc and parts.netloc.lower() == own.netloc.lower() and path.startswith(own.path):
        return path.removeprefix(own.path.rstrip("/")) or "/"
    if parts.scheme.lower() in ("http", "https") and parts.hostname in _HOSTS:
        return path or "/"
    return None


def _is_address(word: str) -> bool:
    """Whether the standard library can take it apart."""
    try:
        urlsplit(word if _SCHEME.match(word) else f"https://{word}").port  # noqa: B018 - it checks
    except ValueError:
        return False
    return True


def _from_path(path: str, address: str) -> Query:
    address_path, _, query = path.partition("?")
    segments = [unquote(segment) for segment in address_path.split("/") if segment]
    if segments[:2] == ["api", "models"] or (segments[:1] == ["models"] and len(segments) > 1):
        segments = segments[segments.index("models") + 1 :]
    if not segments or segments == ["models"]:
        words = parse_qs(query)
        return Words(" ".join(words.get("search", words.get("other", [""]))[0].split()))
    first = segments[0].lower()
    if first in _OTHER_KINDS:
        _refuse(f"This is the address of one of Hugging Face's {first}, not of a model.")
    if first in _OTHER_PAGES:
        _refuse(f"{printable(address, 120)} is not the page of a model.")
    if len(segments) == 1:
        return Words(segments[0])  # a publisher, whose name is part of its models' names
    named = _REPOSITORY.fullmatch("/".join(segments[:2]))
    if named is None:
        _refuse(f"{printable(address, 120)} is not the page of a model.")
    return Repository(named["repo"].removesuffix(".git"), _file(segments[2:]), named["tag"])


def _file(segments: Iterable[str]) -> str | None:
    """What a page of a file shows: kind, revision (which may be of two or three parts), path."""
    kind, *rest = (*segments, "")
    if kind not in _VIEWS:
        return None
    after = rest[3:] if rest[0] == "refs" else rest[1:]
    return "/".join(segment for segment in after if segment) or None


def _refuse(sentence: str) -> NoReturn:
    raise HubError(
        HubProblem.NOT_FOUND,
        f"{sentence} Type words, a name such as bartowski/Llama-3.2-1B-Instruct-GGUF, or the address of a "
        "model's page.",
    )
