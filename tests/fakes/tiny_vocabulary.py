"""A small SentencePiece-style vocabulary that covers every byte, so that any text can be read and written."""

from collections.abc import Iterator, Mapping
from itertools import product

from gguf import TokenType

UNKNOWN, BEGIN, END = "<unk>", "<s>", "</s>"
TURN_START, TURN_END = "<|im_start|>", "<|im_end|>"
SPECIAL = (UNKNOWN, BEGIN, END, TURN_START, TURN_END)

_BYTES = tuple(f"<0x{byte:02X}>" for byte in range(256))
_LETTERS = "etaoinshrdlucmfwypvbgkqjxz"
_COMMON = ("\u2581t", "he", "\u2581the", "in", "er", "an", "\u2581a", "on", "é", "🦙", ".", ",")
_PIECES = ("\u2581", *_LETTERS, *_COMMON)


def byte_vocabulary(size: int = 300, changes: Mapping[int, str] | None = None) -> list[str]:
    """Token texts: five special tokens, the 256 bytes (ids 5 to 260), letters, then pieces up to `size`.

    `size` is at least 300; a longer vocabulary begins with the shorter one. `changes` replaces texts by id.
    """
    tokens = [*SPECIAL, *_BYTES, *_PIECES]
    assert size >= 300, "room for the special tokens, the bytes and the first pieces"
    seen = set(tokens)
    for piece in _more_pieces():
        if len(tokens) == size:
            break
        if piece not in seen:
            tokens.append(piece)
    for token, text in (changes or {}).items():
        tokens[token] = text
    assert len(set(tokens)) == size, "llama.cpp aborts on two tokens with the same text"
    return tokens


def token_types(tokens: list[str]) -> list[int]:
    """The type that each text has in a file."""
    bytes_ = set(_BYTES)
    kinds = []
    for token in tokens:
        if token == UNKNOWN:
            kinds.append(TokenType.UNKNOWN)
        elif token in SPECIAL:
            kinds.append(TokenType.CONTROL)
        else:
            kinds.append(TokenType.BYTE if token in bytes_ else TokenType.NORMAL)
    return [int(kind) for kind in kinds]


def scores(tokens: list[str]) -> list[float]:
    """Merge scores: earlier pieces win."""
    return [-float(position) for position in range(len(tokens))]


def _more_pieces() -> Iterator[str]:
    for length in (2, 3, 4):
        for letters in product(_LETTERS, repeat=length):
            yield "".join(letters)
