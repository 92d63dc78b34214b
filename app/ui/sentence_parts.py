"""Sentences of which some words are to be seen first."""

from collections.abc import Iterable
from enum import Enum, auto

from msgspec import Struct

_MARK = "**"


class Emphasis(Enum):
    """How a part of a sentence is to be read."""

    NONE = auto()
    STRONG = auto()
    WARNING = auto()


class Part(Struct, frozen=True):
    """Some words of a sentence."""

    text: str
    emphasis: Emphasis = Emphasis.NONE


def parts_of(template: str, emphasis: Emphasis, **values: object) -> tuple[Part, ...]:
    """A sentence with what stands between double asterisks emphasised; the values may hold anything."""
    pieces = template.split(_MARK)
    return tuple(
        Part(piece.format(**values), emphasis if number % 2 else Emphasis.NONE)
        for number, piece in enumerate(pieces)
        if piece
    )


def joined(sentences: Iterable[tuple[Part, ...]]) -> tuple[Part, ...]:
    """One sentence after the other; empty ones are left out."""
    parts: list[Part] = []
    for sentence in sentences:
        if sentence and parts:
            parts.append(Part(" "))
        parts += sentence
    return tuple(parts)


def plain(parts: Iterable[Part]) -> str:
    """The words alone."""
    return "".join(part.text for part in parts)
