"""Markdown within a line of text: what is bold, code or a link, and where each piece is in the source."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token
from msgspec import Struct

from app.ui.markdown_parts import Run, Style

_SCHEMES = ("http", "https", "mailto")
_MOST_BRACKETS = 200  # more of them make the parser slow, and no text
_MOST_KNOWN = 400  # texts
_TARGET = re.compile(r"\]\(\s*")
_STYLES = {"strong": Style.BOLD, "em": Style.ITALIC, "s": Style.STRUCK}
_SPACES = " \t"


def markdown() -> MarkdownIt:
    """The parser in force: CommonMark with tables and strikethrough.

    Without references, so that what is read once never changes by what comes later; and without joining of
    text, so that each piece is found in the source as it is.
    """
    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    return parser.disable(["reference", "html_block", "html_inline", "text_join", "fragments_join"], True)


class Content(Struct, frozen=True):
    """The text of a block, and the places of its lines in the answer; None for a line not found there."""

    text: str
    line_places: Sequence[int | None]


class InlineReader:
    """Turns the text of a block into runs. What it read lately it knows, since the live end is read often."""

    def __init__(self) -> None:
        self._parser = markdown()
        self._plain_parser = markdown().disable(["link", "image"])
        self._known: dict[tuple[str, tuple[int | None, ...]], tuple[Run, ...]] = {}

    def runs(self, content: Content) -> tuple[Run, ...]:
        """What the text says."""
        key = (content.text, tuple(content.line_places))
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            found = self._known[key] = self._read(content)
        return found

    def _read(self, content: Content) -> tuple[Run, ...]:
        brackets = content.text.count("[")
        parser = self._parser if brackets <= _MOST_BRACKETS else self._plain_parser
        tokens: list[Token] = []
        parser.inline.parse(content.text, parser, {}, tokens)
        return _Walk(content, parser).runs(tokens)


class _Walk:
    """Follows the tokens through the source: all that is between texts is known, so none is mistaken."""

    def __init__(self, content: Content, parser: MarkdownIt) -> None:
        self._text = content.text
        self._places = content.line_places
        self._parser = parser
        self._at = 0
        self._style = Style.NONE
        self._links: list[str] = []
        self._runs: list[Run] = []
        self._line_starts = [0]
        for found in re.finditer("\n", content.text):
            self._line_starts.append(found.end())

    def runs(self, tokens: Sequence[Token]) -> tuple[Run, ...]:
        for token in tokens:
            self._take(token)
        return tuple(self._runs)

    def _take(self, token: Token) -> None:
        kind = token.type
        if kind == "text":
            self._add_found(token.content)
        elif kind == "text_special":
            self._add(token.content, self._skip(token.markup), len(token.markup))
        elif kind == "code_inline":
            self._add_code(token)
        elif kind in ("softbreak", "hardbreak"):
            self._add_break(hard=kind == "hardbreak")
        elif kind == "link_open":
            self._skip("<" if token.markup == "autolink" else "[")
            self._links.append(str(token.attrs.get("href", "")))
        elif kind == "link_close":
            self._close_link(token)
        elif kind == "image":
            self._add_image(token)
        else:
            self._skip(token.markup)
            style = _STYLES.get(token.tag, Style.NONE)
            self._style = self._style | style if token.nesting > 0 else self._style & ~style

    def _add_found(self, text: str) -> None:
        if text:
            self._add(text, self._skip(text), len(text))

    def _skip(self, text: str) -> int | None:
        """Goes past the next occurrence; returns where it was."""
        found = self._text.find(text, self._at)
        if found < 0:
            return None
        self._at = found + len(text)
        return found

    def _add_code(self, token: Token) -> None:
        """Line ends within code are spaces; a space at both ends is not part of it."""
        self._skip(token.markup)
        inner = self._text.replace("\n", " ")
        found = inner.find(token.content, self._at)
        text, at = token.content, self._at
        if 0 <= found <= self._at + 1:
            at = found
        self._style |= Style.CODE
        start = 0
        while start < len(text):  # line by line: their places need not follow on each other
            end = self._text.find("\n", at + start)
            end = len(text) if end < 0 or end >= at + len(text) else end - at + 1
            self._add(text[start:end], at + start, end - start)
            start = end
        self._style &= ~Style.CODE
        self._at = at + len(text)
        self._skip(token.markup)

    def _add_break(self, *, hard: bool) -> None:
        at = self._skip("\n")
        while self._at < len(self._text) and self._text[self._at] in _SPACES:
            self._at += 1
        self._add("\n" if hard else " ", at, 1)

    def _close_link(self, token: Token) -> None:
        link = self._links.pop()
        if token.markup == "autolink":
            self._skip(">")
            return
        self._skip_target()
        if not _may_open(link):
            self._add(f" ({link})", None, 0)

    def _add_image(self, token: Token) -> None:
        """Nothing is loaded: the words for it, and its address."""
        self._skip("![")
        alternative = token.content
        if alternative:
            self._add_found(alternative.replace("\n", " ") if "\n" in alternative else alternative)
        self._skip_target()
        self._add(f" ({token.attrs.get('src', '')})".removeprefix("" if alternative else " "), None, 0)

    def _skip_target(self) -> None:
        """Goes past the address of a link: `](address "title")`."""
        opening = _TARGET.search(self._text, self._at)
        if opening is None:
            return
        end = len(self._text)
        address = self._parser.helpers.parseLinkDestination(self._text, opening.end(), end)
        at = address.pos if address.ok else opening.end()
        blank = re.compile(r"\s*")
        title = blank.match(self._text, at)
        if title is not None and title.end() > at:
            words = self._parser.helpers.parseLinkTitle(self._text, title.end(), end)
            at = words.pos if words.ok else at
        self._at = at
        self._skip(")")

    def _add(self, text: str, at: int | None, length: int) -> None:
        link = self._links[-1] if self._links else ""
        source = None if at is None else self._place(at)
        style = self._style
        self._runs.append(Run(text, source, length, style, link if _may_open(link) else ""))

    def _place(self, at: int) -> int | None:
        line = bisect_right(self._line_starts, at) - 1
        place = self._places[line] if line < len(self._places) else None
        return None if place is None else place + at - self._line_starts[line]


def _may_open(link: str) -> bool:
    """Whether a click may hand this address to the system."""
    try:
        return urlsplit(link).scheme.lower() in _SCHEMES
    except ValueError:
        return False
