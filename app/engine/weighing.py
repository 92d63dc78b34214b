"""The place where two answers part: the target's logits for both ways on."""

import codecs
from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from app.core.errors import PromptTooLongError
from app.engine.cache import CachedModel
from app.engine.tokens import Tokens, TokenTable


class Weighing(Struct, frozen=True):
    """What the target makes of some tokens after one text."""

    logits: tuple[float, ...]
    text_length: int  # characters of the answer before them


def weigh(
    target: CachedModel, table: TokenTable, prompt: Tokens, answer: Sequence[int], candidates: Sequence[int]
) -> Weighing:
    """Reads a prompt with the beginning of an answer, and looks at the logits of what may come next.

    Raises PromptTooLongError, and InterruptedPassError where it is stopped.
    """
    text = np.concatenate((prompt, np.array(answer, np.int32)))
    if len(text) > target.context_length:
        raise PromptTooLongError(len(text), target.context_length)
    row = target.sync(text)
    return Weighing(tuple(float(row[token]) for token in candidates), text_length(table, answer))


def text_length(table: TokenTable, answer: Sequence[int]) -> int:
    """How many whole characters the tokens of an answer give, as the answer's text counts them."""
    decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
    return len(decoder.decode(b"".join(table.piece(token) for token in answer)))
