"""Whether an answer brings the bytes that were asked for."""

from collections.abc import Mapping
from enum import Enum, auto
from pathlib import PurePosixPath

from app.models.hub_answers import not_the_answer
from app.models.stated import content_range

GGUF_MAGIC = b"GGUF"


class Answer(Enum):
    """What an answer brings."""

    RANGE = auto()  # from the byte that was asked for; perhaps not so far
    WHOLE = auto()  # the file from its beginning
    OTHER = auto()  # bytes of something else: the file may have changed


def judge(status: int, headers: Mapping[str, str], start: int, stop: int, size: int) -> Answer:
    """What the answer to a request for these bytes of a file of this size brings.

    `headers` takes names in any case. Raises HubError for what cannot be the file.
    """
    if status == 416:
        return Answer.OTHER
    if headers.get("Content-Type", "").lower().startswith("text/html"):
        raise not_the_answer()
    if headers.get("Content-Encoding", "identity").lower() != "identity":
        raise not_the_answer()  # it was asked for as it is
    length = headers.get("Content-Length")
    if status == 206:
        found = content_range(headers)
        if found is None:
            return Answer.OTHER
        first, last, total = found
        fits = first == start and start <= last < stop and total == size
        return Answer.RANGE if fits and length in (None, str(last + 1 - first)) else Answer.OTHER
    if status == 200:
        return Answer.WHOLE if length in (None, str(size)) else Answer.OTHER
    raise not_the_answer()


def check_first_bytes(path: str, position: int, piece: bytes | memoryview) -> None:
    """Raises HubError where what comes at the beginning of a GGUF file cannot be one."""
    if position >= len(GGUF_MAGIC) or PurePosixPath(path).suffix.lower() != ".gguf":
        return
    expected = GGUF_MAGIC[position : position + len(piece)]
    if bytes(piece[: len(expected)]) != expected:
        raise not_the_answer()


def names_other_bytes(known: str | None, etag: str | None) -> bool:
    """Whether an answer's ETag is another one than what was known, however strongly each vouches."""
    return None not in (known, etag) and (known or "").removeprefix("W/") != (etag or "").removeprefix("W/")


def strong(etag: str | None) -> str | None:
    """The ETag, where it vouches for every byte."""
    return etag if etag is not None and etag.startswith('"') else None
