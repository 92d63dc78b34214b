"""A single token, to be read."""

from app.models.model_names import printable

_SIGNS = str.maketrans({" ": "·", "\n": "⏎", "\t": "⇥", "\r": "⏎"})
_LONGEST = 24  # characters of a token in a sentence


def token_text(text: str) -> str:
    """A token on one line, with its blanks to be seen: "·sort", "⏎"; of nothing "∅"."""
    return printable(text.translate(_SIGNS)) if text else "∅"


def quoted(text: str) -> str:
    """A token in a sentence."""
    return f"“{printable(token_text(text), _LONGEST)}”"
