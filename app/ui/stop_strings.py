"""Stop strings as lines of text, one a line, with line breaks and everything invisible written out."""

import re

_NAMED = {"\n": "\\n", "\t": "\\t", "\r": "\\r", "\\": "\\\\"}
_ESCAPE = re.compile(r"\\(n|t|r|\\|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})")
_LAST_CHARACTER = 0x10FFFF


def stop_lines(strings: tuple[str, ...]) -> str:
    """Text for an editor."""
    return "\n".join("".join(map(_shown, text)) for text in strings)


def stop_strings(lines: str) -> tuple[str, ...]:
    """What was typed. Empty lines count for nothing; spaces at the ends of a line are part of it."""
    return tuple(_ESCAPE.sub(_meant, line) for line in lines.split("\n") if line)


def _shown(character: str) -> str:
    if character in _NAMED:
        return _NAMED[character]
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def _meant(match: re.Match[str]) -> str:
    escape = match[1]
    if escape[0] in "uU":
        code = int(escape[1:], 16)
        return chr(code) if code <= _LAST_CHARACTER else match[0]
    return next(character for character, shown in _NAMED.items() if shown == match[0])
