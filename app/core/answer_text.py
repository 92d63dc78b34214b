"""The text of an answer as it grows, where it came from, and names for conversations."""

from collections.abc import Iterable

import regex  # type: ignore[import-untyped]

from app.core.chat import DraftSpan
from app.core.protocol import TextPiece

LONGEST_TITLE = 48  # characters as people count them

_THOUGHTS = regex.compile(
    r"<(think|thinking|thought|reasoning)>.*?(</\1>|\Z)", regex.DOTALL | regex.IGNORECASE
)
_FENCE = regex.compile(r"\s*(```|~~~)")
_LINE_START = regex.compile(r"^\s*(#{1,6}|>|[-*+•]|\d{1,3}[.)])\s+")
_LINK = regex.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_TAG = regex.compile(r"</?[a-z][^<>]*>", regex.IGNORECASE)
_EMPHASIS = regex.compile(r"\*\*|`|~~")
_UNSEEN = regex.compile(r"[\p{Cc}\p{Cs}\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+")


class AnswerText:
    """Gathers the pieces of rounds. A draft's pieces each get a span, for their position and probability."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._spans: list[DraftSpan] = []

    @property
    def text(self) -> str:
        """All of it so far."""
        if len(self._parts) > 1:
            self._parts = ["".join(self._parts)]
        return self._parts[0] if self._parts else ""

    @property
    def spans(self) -> tuple[DraftSpan, ...]:
        """The stretches that a draft supplied, in order."""
        return tuple(self._spans)

    def add(self, pieces: Iterable[TextPiece], round_number: int) -> None:
        """Appends the text of a round; `round_number` counts the answer's rounds from 1."""
        for piece in pieces:
            if piece.from_draft and piece.text:
                self._spans.append(
                    DraftSpan(self._length, len(piece.text), round_number, piece.position, piece.probability)
                )
            self._parts.append(piece.text)
            self._length += len(piece.text)


def title_from(text: str) -> str:
    """A name for a conversation from its first prompt: its first line, without thoughts and markup.

    At most `LONGEST_TITLE` characters, cut between words where there are any; empty where nothing is seen.
    """
    for line in _THOUGHTS.sub("\n", text).splitlines():
        title = _plain(line)
        if title:
            return _shortened(title)
    return ""


def _plain(line: str) -> str:
    if _FENCE.match(line):
        return ""
    without_start = _LINE_START.sub("", line, count=1)
    without_markup = _EMPHASIS.sub("", _TAG.sub("", _LINK.sub(r"\1", without_start)))
    return " ".join(_UNSEEN.sub(" ", without_markup).split())


def _shortened(title: str) -> str:
    characters = regex.findall(r"\X", title)
    if len(characters) <= LONGEST_TITLE:
        return title
    cut = "".join(characters[: LONGEST_TITLE - 1])
    if characters[LONGEST_TITLE - 1] != " ":
        words, _, rest = cut.rpartition(" ")
        if len(words) > len(rest):  # else one long word, or a script without spaces
            cut = words
    return cut.rstrip(" ,;:.–-") + "…"
