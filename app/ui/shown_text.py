"""What of a text can be shown: characters that Qt's documents give a meaning of their own are replaced."""

import regex  # type: ignore[import-untyped]

_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_CLUSTER = regex.compile(r"\X")
LONGEST_CLUSTER = 64  # code points that are looked at around a place

_TABLE: dict[int, str] = {
    **dict.fromkeys([*range(0x20), 0x7F], _REPLACEMENT),
    ord("\n"): "\n",
    ord("\t"): "\t",
    **dict.fromkeys([ord("\r"), 0x0B, 0x0C, 0x1C, 0x1D, 0x1E, 0x85, 0x2028, 0x2029], " "),  # line ends
    **dict.fromkeys([0xFDD0, 0xFDD1, 0xFFFC, 0xFFFE, 0xFFFF], _REPLACEMENT),  # Qt's frames and objects
    **dict.fromkeys(range(0xD800, 0xE000), _REPLACEMENT),  # lone halves of surrogate pairs
}


def shown(text: str) -> str:
    """The text as it can be shown, character for character: places in it stay what they are."""
    return text.translate(_TABLE)


def utf16_length(text: str) -> int:
    """How many positions of a QTextDocument a text takes."""
    return len(text) if text.isascii() else len(text) + sum(character > "\uffff" for character in text)


def cluster_end(text: str, place: int) -> int:
    """The end of the user-perceived character that `place` is inside of; `place` if it is inside none."""
    if not 0 < place < len(text) or text[place - 1 : place + 1].isascii():
        return place
    begin = max(0, place - LONGEST_CLUSTER)
    for cluster in _CLUSTER.finditer(text, begin, min(len(text), place + LONGEST_CLUSTER)):
        if cluster.end() >= place:
            return int(cluster.end())
    return place
