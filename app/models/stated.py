"""What the hub states in a fixed form, read strictly."""

import re
from collections.abc import Mapping

_SHA256 = re.compile(r"[0-9a-f]{64}")
_CONTENT_RANGE = re.compile(r"bytes (\d{1,18})-(\d{1,18})/(\d{1,18})", re.ASCII)


def is_sha256(word: str) -> bool:
    """Whether it can be a digest, in small letters."""
    return _SHA256.fullmatch(word) is not None


def content_range(headers: Mapping[str, str]) -> tuple[int, int, int] | None:
    """The first and the last byte that an answer brings, and the size of the whole file.

    None where it does not say so. `headers` takes names in any case.
    """
    found = _CONTENT_RANGE.fullmatch(headers.get("Content-Range", "").strip())
    return None if found is None else (int(found[1]), int(found[2]), int(found[3]))
