"""What the engine tells while it generates: pieces of text, rounds, and how it ended."""

from msgspec import Struct

from app.core.stats import GenerationStats, RoundStats


class TextPiece(Struct, frozen=True):
    """Some text of the answer, all from one source. Never splits a user-perceived character."""

    text: str
    from_draft: bool
    position: int  # in the draft, from 1; 0 where the target gave it
    probability: float | None  # the drafter's own, None where it has none


class Round(Struct, frozen=True):
    """One verification pass: the tokens it emitted, their text as far as it is whole, and its figures."""

    tokens: tuple[int, ...]
    pieces: tuple[TextPiece, ...]
    stats: RoundStats


class Done(Struct, frozen=True):
    """The end of an answer: text that was held back until now, and the totals."""

    pieces: tuple[TextPiece, ...]
    stats: GenerationStats
