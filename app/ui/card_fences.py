"""Where a model card has code between fences, which nothing else in it may change."""

import re
from collections.abc import Iterator

_OPENING = re.compile(r"[ \t]*(?:[-*+] +|> *)*(?P<mark>`{3,}(?=[^`]*$)|~{3,})")
_CLOSING = re.compile(r"[ \t>]*(?P<mark>`{3,}|~{3,})[ \t]*$")


def stretches(text: str) -> Iterator[tuple[bool, str]]:
    """The text in pieces, all of it: those that are code, fences included, and the rest between them.

    Fences in lists are found wherever their list stands; one that is never closed reaches to the end.
    """
    lines: list[str] = []
    mark = ""
    for line in re.findall(r"[^\n]*\n|[^\n]+", text):
        if mark:
            lines.append(line)
            found = _CLOSING.match(line)
            if found is not None and found["mark"].startswith(mark):
                yield True, "".join(lines)
                lines, mark = [], ""
        elif (found := _OPENING.match(line)) is not None:
            if lines:
                yield False, "".join(lines)
            lines, mark = [line], found["mark"]
        else:
            lines.append(line)
    if lines:
        yield bool(mark), "".join(lines)
