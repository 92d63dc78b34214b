"""A model card taken apart: its text in Markdown, and its pictures, each behind its paragraph."""

import re
from collections.abc import Iterator

from msgspec import Struct

from app.ui.card_fences import stretches
from app.ui.card_html import without_html

_LONGEST = 400_000  # characters; a card is not a book
_MOST_PICTURES = 200
_PICTURE = re.compile(
    r"!\[(?P<words>[^\[\]]*)\]\(\s*<?(?P<address>[^\s()<>]+)>?(?:\s+[\"'][^\"']*[\"'])?\s*\)"
)
_EMPTY_LINK = re.compile(r"(?<!!)\[\s*\]\([^()\s]*\)")
_OTHER_LINK = re.compile(
    r"(?<!!)\[(?P<words>[^\[\]]+)\]\((?!https?:|mailto:)[^()\s]*(?:\s+\"[^\"]*\")?\)", re.IGNORECASE
)
_DEFINITION = re.compile(
    r"^ {0,3}\[(?P<name>[^\[\]]+)\]:\s*<?(?P<address>[^\s<>]+)>?(?:\s+[\"'(].*)?$", re.MULTILINE
)
_BY_NAME = re.compile(r"(?P<mark>!?)\[(?P<words>[^\[\]]+)\](?:\[(?P<name>[^\[\]]*)\])?(?![(:])")
_CODE = re.compile(r"(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`)")


class CardText(Struct, frozen=True):
    """Markdown without HTML and without pictures."""

    text: str


class CardPicture(Struct, frozen=True):
    """A picture that the card shows: its words, which may be none, and its address as the card gives it."""

    words: str
    address: str


CardPiece = CardText | CardPicture


def read_card(card: str) -> tuple[CardPiece, ...]:
    """What a card shows, from the top. Takes long for long cards: not for the window's own thread."""
    whole = card.replace("\r\n", "\n").replace("\r", "\n")
    cut = whole[:_LONGEST]
    if len(whole) > _LONGEST:
        cut = cut[: cut.rfind("\n") + 1] + "\n\n…\n"
    plain = without_html(cut)
    definitions = {found["name"].casefold(): found["address"] for found in _DEFINITION.finditer(plain)}
    pieces: list[CardPiece] = []
    text: list[str] = []
    waiting: list[CardPicture] = []  # until a paragraph begins that is no part of a list
    count = 0
    for is_code, paragraph in _paragraphs(plain):
        words = paragraph
        if not is_code:
            if waiting and not paragraph[:1].isspace():
                pieces += [*_text_piece(text), *waiting]
                text, waiting = [], []
            words, pictures = _without_pictures(paragraph, definitions)
            room = max(0, _MOST_PICTURES - count)
            waiting += pictures[:room]
            count += len(pictures)
        if words.strip():
            text.append(words)
    return (*pieces, *_text_piece(text), *waiting)


def picture_count(pieces: tuple[CardPiece, ...]) -> int:
    """How many different pictures there are."""
    return len({piece.address for piece in pieces if isinstance(piece, CardPicture)})


def _text_piece(paragraphs: list[str]) -> list[CardText]:
    return [CardText("\n\n".join(paragraphs))] if paragraphs else []


def _paragraphs(text: str) -> Iterator[tuple[bool, str]]:
    """What blank lines separate, and whether it is code; a fenced block is one, with all that is in it."""
    for is_code, stretch in stretches(text):
        if is_code:
            yield True, stretch.removesuffix("\n")
            continue
        lines: list[str] = []
        for line in (*stretch.split("\n"), ""):
            if line.strip():
                lines.append(line)
            elif lines:
                yield False, "\n".join(lines)
                lines = []


def _without_pictures(paragraph: str, definitions: dict[str, str]) -> tuple[str, list[CardPicture]]:
    if "[" not in paragraph:
        return paragraph, []
    codes: list[str] = []

    def keep(found: re.Match[str]) -> str:
        codes.append(found[0])
        return f"\ue000{len(codes) - 1}\ue001"

    text = _CODE.sub(keep, paragraph.replace("\ue000", "").replace("\ue001", ""))
    text = _DEFINITION.sub("", text)
    if definitions:
        text = _BY_NAME.sub(lambda found: _resolved(found, definitions), text)
    pictures = [
        CardPicture(found["words"].strip(), found["address"])
        for found in _PICTURE.finditer(text)
        if not found["address"].lower().startswith("data:")
    ]
    bare = _EMPTY_LINK.sub("", _PICTURE.sub("", text))
    if pictures and not any(sign.isalnum() for sign in bare):
        text = ""
    else:
        text = _EMPTY_LINK.sub("", _PICTURE.sub(lambda found: found["words"], text))
        text = _OTHER_LINK.sub(lambda found: found["words"], text)
    return re.sub("\ue000(\\d+)\ue001", lambda found: codes[int(found[1])], text), pictures


def _resolved(found: re.Match[str], definitions: dict[str, str]) -> str:
    address = definitions.get((found["name"] or found["words"]).casefold())
    return found[0] if address is None else f"{found['mark']}[{found['words']}]({address})"
