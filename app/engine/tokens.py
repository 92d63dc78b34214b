"""Token ids and logits as arrays, and what the loop needs to know of a vocabulary."""

from typing import Protocol

import numpy as np
import numpy.typing as npt

Tokens = npt.NDArray[np.int32]
Logits = npt.NDArray[np.float32]


class TokenTable(Protocol):
    """The tokens of a model, as far as generating needs them."""

    size: int

    def piece(self, token: int) -> bytes:
        """The bytes that a token stands for; empty for control tokens."""

    def ends_generation(self, token: int) -> bool:
        """True for end-of-sequence, end-of-turn and their kin."""


class TokenBuffer:
    """A growing list of tokens that can be looked at as an array without copying."""

    def __init__(self, capacity: int) -> None:
        self._tokens: Tokens = np.empty(max(1, capacity), np.int32)
        self._length = 0

    def extend(self, tokens: Tokens | list[int]) -> None:
        """Adds tokens at the end."""
        needed = self._length + len(tokens)
        if needed > len(self._tokens):
            larger = np.empty(2 * needed, np.int32)
            larger[: self._length] = self._tokens[: self._length]
            self._tokens = larger
        self._tokens[self._length : needed] = tokens
        self._length = needed

    @property
    def array(self) -> Tokens:
        """All tokens; a view, valid until the next `extend`."""
        return self._tokens[: self._length]
