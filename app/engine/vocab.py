"""Whether a draft model's vocabulary fits a target's, from the headers of the two files alone.

The rules, and their order, are those of llama.cpp's `common_speculative_are_compatible`
(common/speculative.cpp): the same type; the same token added at the beginning and at the end of a text;
sizes at most 128 tokens apart; the same text for every token from 5 up. The answer names the rule that
failed, and where.
"""

import logging
import os
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct

from app.core.compatibility import LARGEST_DIFFERENCE, Compatibility, Compatible, Incompatible, Rule
from app.models.cache_file import CacheFile
from app.models.parts import parts_of
from app.models.vocabulary import (
    NO_TOKEN,
    SpecialTokens,
    TextDifference,
    VocabularyKind,
    VocabularyProfile,
    first_difference,
    read_profile,
)
from app.models.window import unreadable

_VERSION = "2"
_MOST_FILES = 1000
_MOST_DIFFERENCES = 4000
_LONGEST_TEXT = 40  # characters of a token shown

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")

_log = logging.getLogger(__name__)


class _File(Struct, frozen=True):
    size: int
    mtime_ns: int
    profile: VocabularyProfile


class _Stored(Struct):
    files: dict[bytes, _File] = msgspec.field(default_factory=dict)
    differences: dict[bytes, TextDifference | None] = msgspec.field(default_factory=dict)


class VocabularyCache:
    """Remembers vocabularies by path, size and time of change, and where pairs of them differ.

    With a path it is kept on disk; a file that is missing, damaged or of another version is an empty cache.
    Not for several threads at once.
    """

    def __init__(self, path: Path | None) -> None:
        self._file = CacheFile(path, "vocabulary", _VERSION)
        self._stored = _decode(self._file.read())
        self._changed = False

    def profile(self, path: Path) -> VocabularyProfile:
        """The vocabulary of a model file. Raises ModelFileError."""
        first = parts_of(path)[0]
        try:
            status = first.stat()
        except (OSError, ValueError) as error:
            unreadable(first, error)
        key = os.fsencode(first.absolute())  # a name need not be valid text
        known = self._stored.files.get(key)
        if known is not None and (known.size, known.mtime_ns) == (status.st_size, status.st_mtime_ns):
            return known.profile
        profile = read_profile(first)
        self._stored.files.pop(key, None)
        self._stored.files[key] = _File(status.st_size, status.st_mtime_ns, profile)
        self._changed = True
        return profile

    def difference(self, target: Path, draft: Path) -> TextDifference | None:
        """The first token of those in both vocabularies whose texts differ. Raises ModelFileError."""
        ours, theirs = self.profile(target), self.profile(draft)
        shared = min(ours.size, theirs.size)
        digests = ours.digest(shared), theirs.digest(shared)
        if digests[0] == digests[1]:
            return None
        key = b"".join(digests)
        if key not in self._stored.differences:
            self._stored.differences[key] = first_difference(target, draft, shared)
            self._changed = True
        return self._stored.differences[key]

    def save(self) -> None:
        """Writes what is new to disk, all or nothing. A disk that cannot be written is only logged."""
        if not self._changed:
            return
        _shorten(self._stored.files, _MOST_FILES)
        _shorten(self._stored.differences, _MOST_DIFFERENCES)
        self._file.write(msgspec.msgpack.encode(self._stored))
        self._changed = False


def check_compatibility(target: Path, draft: Path, cache: VocabularyCache) -> Compatibility:
    """Whether `draft` can draft for `target`; loads no weights, and saves the cache if it learnt anything.

    Raises ModelFileError for a file whose header cannot be read, or that has no tokenizer.
    """
    answer = _compare(target, draft, cache)
    cache.save()
    return answer


def _compare(target: Path, draft: Path, cache: VocabularyCache) -> Compatibility:
    ours, theirs = cache.profile(target), cache.profile(draft)

    def fails(rule: Rule, left: str, right: str, token: int | None = None) -> Incompatible:
        return Incompatible(rule, ours.size, theirs.size, left, right, token)

    if ours.kind is not theirs.kind:
        return fails(Rule.TYPE, ours.kind.value, theirs.kind.value)
    if ours.kind is VocabularyKind.NONE:
        return fails(Rule.NO_TOKENS, ours.kind.value, theirs.kind.value)
    if _begin(ours.special) != _begin(theirs.special):
        return fails(Rule.BEGIN, _token_name(_begin(ours.special)), _token_name(_begin(theirs.special)))
    if _end(ours.special) != _end(theirs.special):
        return fails(Rule.END, _token_name(_end(ours.special)), _token_name(_end(theirs.special)))
    if abs(ours.size - theirs.size) > LARGEST_DIFFERENCE:
        return fails(Rule.SIZE, str(ours.size), str(theirs.size))
    difference = cache.difference(target, draft)
    if difference is not None:
        left, right = _printable(difference.target), _printable(difference.draft)
        return fails(Rule.TEXT, left, right, difference.token)
    return Compatible(ours.size, theirs.size)


def _begin(special: SpecialTokens) -> int | None:
    return special.begin if special.adds_begin else None


def _end(special: SpecialTokens) -> int | None:
    return special.end if special.adds_end else None


def _token_name(token: int | None) -> str:
    if token is None:
        return "none"
    return "an undefined one" if token == NO_TOKEN else str(token)


def _printable(text: bytes) -> str:
    """A token's text as it is stored, with everything invisible written out, and shortened."""
    decoded = text.decode("utf-8", "backslashreplace")
    shown = "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in decoded
    )
    return shown if len(shown) <= _LONGEST_TEXT else shown[: _LONGEST_TEXT - 1] + "…"


def _decode(content: bytes | None) -> _Stored:
    if content is None:
        return _Stored()
    try:
        return msgspec.msgpack.decode(content, type=_Stored)
    except msgspec.MsgspecError as error:
        _log.warning("The vocabulary cache does not make sense: %s", error)
        return _Stored()


def _shorten(remembered: dict[_Key, _Value], most: int) -> None:
    """Forgets what was learnt longest ago."""
    for key in list(remembered)[: max(len(remembered) - most, 0)]:
        del remembered[key]
