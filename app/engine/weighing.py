"""The place where two answers part: how the target stood to both ways on."""

import codecs
from collections.abc import Sequence
from typing import Protocol

import numpy as np

from app.core.errors import PromptTooLongError
from app.core.weighing import Weighing
from app.engine.cache import CachedModel
from app.engine.sampling import Sampler
from app.engine.tokens import Tokens, TokenTable


class WholeTable(TokenTable, Protocol):
    """A vocabulary, as far as weighing needs it."""

    def special_text(self, token: int) -> str:
        """A token as templates write it, control tokens included."""

    @property
    def end_tokens(self) -> tuple[int, ...]:
        """Those for which `ends_generation` is true."""


def weigh(
    target: CachedModel,
    table: WholeTable,
    sampler: Sampler,
    prompt: Tokens,
    answer: Sequence[int],
    candidates: Sequence[int | None],
) -> Weighing:
    """Reads a prompt with the beginning of an answer, and looks at what may come next.

    `sampler` is that of the answer, at its beginning; it is taken to the place. Of the one or two
    `candidates` None stands for the end of the answer: the token that would be the first to end it.
    Raises PromptTooLongError, and InterruptedPassError where it is stopped.
    """
    text = np.concatenate((prompt, np.array(answer, np.int32)))
    if len(text) > target.context_length:
        raise PromptTooLongError(len(text), target.context_length)
    row = target.sync(text)
    for token in answer:
        sampler.accept(token)
    tokens = [sampler.foremost(row, table.end_tokens) if each is None else each for each in candidates]
    return Weighing(
        logits=tuple(float(row[token]) for token in tokens),
        texts=tuple(map(table.special_text, tokens)),
        text_length=text_length(table, answer),
        margin=sampler.margin(row, tokens[0], tokens[1]) if len(tokens) == 2 else None,
    )


def text_length(table: TokenTable, answer: Sequence[int]) -> int:
    """How many whole characters the tokens of an answer give, as the answer's text counts them."""
    decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
    return len(decoder.decode(b"".join(table.piece(token) for token in answer)))
