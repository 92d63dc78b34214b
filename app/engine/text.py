"""Bytes of tokens to text while they arrive: UTF-8 across tokens, stop strings, and each piece's origin."""

import codecs
from itertools import groupby
from typing import NamedTuple

import regex  # type: ignore[import-untyped]

from app.core.protocol import TextPiece

_CLUSTER = regex.compile(r"\X")
_LONGEST_TAIL = 64  # code points of a grapheme cluster that are looked back on; no real one is longer


class _Mark(NamedTuple):
    """Where a character came from: the fields of TextPiece without the text."""

    from_draft: bool
    position: int
    probability: float | None


class TextStream:
    """The text of one answer while its tokens arrive.

    A character comes out as soon as its last byte is there, unless it may be the beginning of a stop
    string; then it is held back until that is known. The answer ends before the first stop string in
    it: where two overlap, the one that begins first, and of those that begin together the shortest.

    A character belongs to the token that gave its first byte. Code points that continue a
    user-perceived character (an extended grapheme cluster of Unicode Annex 29) belong to the token of
    the cluster's first code point even where they arrive later, so that a colour never changes inside
    one. The work of one `push` does not depend on how long the answer is.
    """

    def __init__(self, stop_strings: tuple[str, ...] = ()) -> None:
        """Raises ValueError for an empty stop string."""
        if not all(stop_strings):
            raise ValueError("a stop string cannot be empty")
        self._stop_strings = sorted(stop_strings, key=len)
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._unfinished: _Mark | None = None  # of the character whose first bytes wait in the decoder
        self._tail = ""  # the last grapheme cluster, which the next code points may continue
        self._tail_mark = _Mark(False, 0, None)
        self._held = ""  # decoded, not yet given out: may be the beginning of a stop string
        self._held_marks: list[_Mark] = []  # one for each character of it
        self._emitted: list[str] = []
        self._stopped_by: str | None = None
        self._ended = False

    @property
    def stopped_by(self) -> str | None:
        """The stop string that ended the answer, or None."""
        return self._stopped_by

    @property
    def text(self) -> str:
        """All text given out so far."""
        return "".join(self._emitted)

    def push(
        self, token_bytes: bytes, *, from_draft: bool, position: int, probability: float | None
    ) -> tuple[TextPiece, ...]:
        """Takes the bytes of the next token; returns the text that is certain now, often none.

        `position` counts from 1 in the draft and is 0 for a token of the target's own; `probability` is
        the drafter's. After a stop string or `finish` the bytes are ignored.
        """
        if self._ended:
            return ()
        return self._take(token_bytes, _Mark(from_draft, position, probability))

    def finish(self) -> tuple[TextPiece, ...]:
        """Ends the answer: returns the text held back, with U+FFFD for a character that is not whole."""
        if self._ended:
            return ()
        pieces = self._take(b"", self._tail_mark, last=True)
        self._ended = True
        return pieces

    def _take(self, token_bytes: bytes, mark: _Mark, *, last: bool = False) -> tuple[TextPiece, ...]:
        text = self._decoder.decode(token_bytes, last)
        # Waiting bytes are the valid beginning of one character, so they end in exactly one code point:
        # that character, or one U+FFFD if these bytes do not continue it.
        first_mark = self._unfinished or mark
        if text:
            self._held += text
            self._held_marks += self._marks(text, first_mark, mark)
        waiting = bool(self._decoder.getstate()[0])
        self._unfinished = (mark if text else first_mark) if waiting else None
        return self._release(last)

    def _marks(self, text: str, first_mark: _Mark, mark: _Mark) -> list[_Mark]:
        """One mark for each character; those of one grapheme cluster are equal."""
        known = len(self._tail)
        joined = self._tail + text
        marks: list[_Mark] = []
        start = 0
        for cluster in _CLUSTER.finditer(joined):
            start, end = cluster.span()
            if start >= known:
                self._tail_mark = first_mark if start == known else mark
            marks += [self._tail_mark] * (end - max(start, known))
        self._tail = joined[start:][-_LONGEST_TAIL:]
        return marks

    def _release(self, last: bool) -> tuple[TextPiece, ...]:
        """Gives out what is held up to the first place where a stop string is, or may be in the making."""
        held = self._held
        for start in range(len(held)):
            for stop_string in self._stop_strings:
                if held.startswith(stop_string, start):
                    self._stopped_by = stop_string
                    self._ended = True
                    return self._emit(start)
                unknown = len(held) - start < len(stop_string) and not last
                if unknown and stop_string.startswith(held[start:]):
                    return self._emit(start)
        return self._emit(len(held))

    def _emit(self, length: int) -> tuple[TextPiece, ...]:
        """Gives out the first characters held, one piece for each run with the same mark."""
        if not length:
            return ()
        pieces = []
        start = 0
        for mark, run in groupby(self._held_marks[:length]):
            end = start + len(list(run))
            pieces.append(TextPiece(self._held[start:end], *mark))
            start = end
        self._emitted.append(self._held[:length])
        self._held = self._held[length:]
        del self._held_marks[:length]
        return tuple(pieces)
