"""HTML in a model card turned into Markdown, as far as it has words or pictures; all else is dropped.

Nothing of it is ever run or drawn as HTML: what is not known here stays what it is, text.
"""

import html
import re
from collections.abc import Callable

from app.ui.card_fences import stretches

_TOKEN = re.compile(
    r"(?P<code>(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`))"
    r"|<(?P<end>/?)(?P<tag>[a-zA-Z][a-zA-Z0-9]*)(?P<attributes>(?:\s(?:\"[^\"]*\"|'[^']*'|[^<>\"'])*)?)/?>",
    re.DOTALL,
)
_ATTRIBUTE = re.compile(
    r"(?P<name>[\w-]+)\s*=\s*(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'|(?P<bare>[^\s>]+))"
)
_NEVER = ("script", "style", "svg", "iframe", "object", "video", "audio", "template", "noscript", "head")
_BLOCKS = frozenset(
    (
        *("p", "div", "center", "section", "article", "header", "footer", "main", "nav", "details", "figure"),
        *("figcaption", "blockquote", "ul", "ol", "dl", "dt", "dd", "tbody", "thead", "tfoot", "form"),
        *("fieldset", "address", "aside", "html", "body"),
    )
)
_NOTHING = frozenset(
    (
        *("span", "font", "u", "small", "sup", "sub", "picture", "source", "nobr", "mark", "abbr", "wbr"),
        *("input", "label", "button", "col", "colgroup", "big", "meta", "link", "caption"),
    )
)
_AROUND = {
    "b": "**",
    "strong": "**",
    "i": "*",
    "em": "*",
    "code": "`",
    "kbd": "`",
    "tt": "`",
    "s": "~~",
    "del": "~~",
}
_IDLE_BREAK = re.compile(r"\\\n(?=[ \t]*(?:\n|$))|(?<=\n)[ \t]*\\(?=\n)|^[ \t]*\\(?=\n)")
_MOST_BLANKS = re.compile(r"\n[ \t]*\n(?:[ \t]*\n)+")


def without_html(card: str) -> str:
    """A card's text as Markdown. Code stays as it is."""
    found: list[str] = []
    for is_code, text in stretches(_without_hidden(card)):
        found.append(text if is_code else _Converter().convert(text))
    return "".join(found)


def _without_hidden(card: str) -> str:
    """Without comments, scripts, and what else nobody is meant to read as words."""
    found = []
    for is_code, text in stretches(card):
        if not is_code:
            text = _cut(text, re.compile("<!--"), lambda _: "-->")
            opening = re.compile(rf"<(?P<tag>{'|'.join(_NEVER)})(?=[\s>/])", re.IGNORECASE)
            text = _cut(text, opening, lambda found: rf"</{found['tag'].lower()}\s*>")
        found.append(text)
    return "".join(found)


def _cut(text: str, opening: re.Pattern[str], closing: Callable[[re.Match[str]], str]) -> str:
    """Without the stretches from an opening to its closing; one without an end reaches to its line's."""
    kept = []
    missing: set[str] = set()  # closings that do not come any more, and are not looked for again
    at = 0
    while (start := opening.search(text, at)) is not None:
        kept.append(text[at : start.start()])
        wanted = closing(start)
        end = None
        if wanted not in missing:
            end = re.compile(wanted, re.IGNORECASE).search(text, start.end())
        if end is None:
            missing.add(wanted)
            line_end = text.find("\n", start.end())
            at = len(text) if line_end < 0 else line_end
        else:
            at = end.end()
    return "".join(kept) + text[at:]


class _Converter:
    """One way through a stretch without fences."""

    def __init__(self) -> None:
        self._out: list[str] = []
        self._links: list[str] = []
        self._depth = 0  # of tags that make blocks
        self._strong = 0  # marks of strong text that are open: more than one would cancel each other
        self._joins = False  # the next word follows on what is there without a blank
        self._opened = -1  # where marks stand that the next word follows on: a blank goes before them
        self._blank = False  # one is due before what comes next in the line
        self._in_table = False
        self._cells = 0  # of the row; of the first one of the table it makes the head
        self._rows = 0

    def convert(self, text: str) -> str:
        if "<" not in text:
            return text
        for paragraph in re.split(r"(\n[ \t]*\n)", text):
            at = 0
            for token in _TOKEN.finditer(paragraph):
                self._add(paragraph[at : token.start()])
                at = token.end()
                if token["code"] is not None:
                    self._add(token["code"])
                elif not self._take(token["tag"].lower(), bool(token["end"]), token["attributes"]):
                    self._add(token[0])
            self._add(paragraph[at:])
        while self._links:
            self._close_link()
        whole = _IDLE_BREAK.sub("", "".join(self._out))
        return _MOST_BLANKS.sub("\n\n", whole)

    def _take(self, tag: str, ends: bool, attributes: str) -> bool:
        """Follows a tag; False for one that is none of HTML's."""
        if tag == "table":
            self._in_table = not ends
            self._rows = 0
            self._break("\n\n")
        elif tag == "tr":
            self._take_row(ends)
        elif tag in ("td", "th"):
            if ends:
                self._put(" |")
                self._cells += 1
        elif tag in _BLOCKS:
            self._depth = max(0, self._depth + (-1 if ends else 1))
            self._break("\n\n")
        elif re.fullmatch("h[1-6]", tag):
            self._trim() if ends else None
            self._break("\n\n" if ends else f"\n\n{'#' * int(tag[1])} ")
            self._joins = not ends
        elif tag == "summary":
            self._take_around("**", ends, outside="\n\n")
        elif tag in _AROUND:
            self._take_around(_AROUND[tag], ends)
        elif tag == "li":
            self._break("\n" if ends else "\n- ")
            self._joins = not ends
        elif tag == "br":
            self._put(" " if self._in_line_with_cells else "\\\n")
            self._joins = True
        elif tag == "hr":
            self._break("\n\n---\n\n")
        elif tag == "pre":
            self._break("\n\n")
        elif tag == "img":
            self._add_picture(attributes)
        elif tag == "a":
            self._take_link(ends, attributes)
        else:
            return tag in _NOTHING
        return True

    def _take_row(self, ends: bool) -> None:
        if not ends:
            self._cells = 0
            self._break("\n| ")
            return
        self._rows += 1
        if self._rows == 1:
            self._break("\n|" + "---|" * self._cells)

    def _take_around(self, mark: str, ends: bool, outside: str = "") -> None:
        """Marks stand close to what is between them."""
        if mark == "**":
            self._strong = max(0, self._strong + (-1 if ends else 1))
            if self._strong > (0 if ends else 1):
                return
        if ends:
            self._close(mark + outside)
        else:
            self._open(outside + mark)

    def _take_link(self, ends: bool, attributes: str) -> None:
        if ends:
            if self._links:
                self._close_link()
            return
        address = _attributes(attributes).get("href", "")
        self._links.append(address)
        if address:
            self._open("[")

    def _close_link(self) -> None:
        address = self._links.pop()
        if address:
            self._close(f"]({_as_target(address)})")

    def _add_picture(self, attributes: str) -> None:
        known = _attributes(attributes)
        if known.get("src"):
            words = re.sub(r"[\[\]\s]+", " ", known.get("alt", "")).strip()
            self._put(f"![{words}]({_as_target(known['src'])})")

    @property
    def _in_line_with_cells(self) -> bool:
        return self._in_table or "|" in "".join(self._out[-8:]).rpartition("\n")[2]

    def _add(self, text: str) -> None:
        """Text between tags. Inside of blocks indentation means nothing, and in tables line ends do not."""
        if self._in_table:
            text = re.sub(r"\s+", " ", text)
        elif self._depth:
            text = re.sub(r"\n[ \t]+", "\n", text)
        if self._joins:
            joined = text.lstrip()
            if joined != text and self._opened > 0 and not self._out[self._opened - 1][-1:].isspace():
                self._out.insert(self._opened, " ")
            text = joined
            self._joins = not text
        if text:
            self._opened = -1
            self._give_blank(text)
            self._out.append(text)

    def _put(self, text: str) -> None:
        """Marks of ours. A line that began with a tag has no indentation."""
        self._opened = -1
        self._give_blank(text)
        if self._out and re.search(r"(^|\n)[ \t]+$", self._out[-1]) and self._begins_line:
            self._out[-1] = self._out[-1].rstrip(" \t")
        self._out.append(text)

    def _give_blank(self, following: str) -> None:
        if self._blank and not following[0].isspace():
            self._out.append(" ")
        self._blank = False

    @property
    def _begins_line(self) -> bool:
        """Whether only blanks stand on the last line, so far."""
        line = "".join(self._out[-8:]).rpartition("\n")[2]
        return not line.strip()

    def _open(self, mark: str) -> None:
        """A mark that stands close to the next word."""
        opened = self._opened
        self._put(mark)
        self._opened = len(self._out) - 1 if opened < 0 else opened
        self._joins = True

    def _close(self, mark: str) -> None:
        """A mark that stands close to the last word; what blank was between them follows it."""
        blank = self._blank or (bool(self._out) and self._out[-1][-1:].isspace())
        self._blank = False
        self._trim()
        self._put(mark)
        self._blank = blank and not mark.endswith("\n")

    def _break(self, text: str) -> None:
        self._put(text)
        self._joins = False

    def _trim(self) -> None:
        if self._out:
            self._out[-1] = self._out[-1].rstrip()


def _attributes(text: str) -> dict[str, str]:
    found = {}
    for one in _ATTRIBUTE.finditer(text):
        value = one["double"] or one["single"] or one["bare"] or ""
        found[one["name"].lower()] = html.unescape(value).strip()
    return found


def _as_target(address: str) -> str:
    """An address as Markdown takes it between round brackets."""
    return re.sub(r"[\s()<>]", lambda sign: f"%{ord(sign[0]):02X}", address)
