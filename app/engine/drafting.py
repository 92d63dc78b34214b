"""Drafters: where guesses come from. A draft model, or text that was seen before.

A drafter has two verbs: `propose` a continuation of the context, `observe` what became of it. It is
told the whole context each time, so nothing that happened in between can be forgotten.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from msgspec import Struct

from app.core.options import SpeculationOptions
from app.core.stats import DraftSource
from app.engine.acceptance import Draft, Verdict
from app.engine.cache import CachedModel
from app.engine.distribution import Distribution
from app.engine.draft_chooser import DraftChooser
from app.engine.tokens import Tokens, TokenTable

_FARTHEST_LOOK_BACK = 32  # tokens; places that agree this far are the same text

GoesOn = Callable[[float], bool]


class Drafter(Protocol):
    """Proposes tokens and hears which were kept."""

    def propose(self, context: Tokens, limit: int) -> Draft:
        """At most `limit` tokens that may follow `context`, never one that ends generation.

        A limit of 0 only reads the context, so that a later call need not.
        """

    def observe(self, draft: Draft, verdict: Verdict) -> None:
        """What the target made of a draft."""


class ModelDrafter:
    """Drafts with a small model whose cache follows the context."""

    def __init__(
        self,
        model: CachedModel,
        table: TokenTable,
        chooser: Callable[[], DraftChooser],
        lowest_probability: float = 0.0,
    ) -> None:
        """`table` is the target's, whose vocabulary may be a few tokens larger or smaller than the draft's.

        `chooser` gives the draws for a draft from here; drafting ends below `lowest_probability`.
        """
        self._model = model
        self._table = table
        self._chooser = chooser
        self._lowest_probability = lowest_probability

    def can_read(self, context: Tokens) -> bool:
        """Whether the context fits the draft model's window and holds no token that it does not know."""
        fits = len(context) <= self._model.context_length
        return fits and int(context.max()) < self._model.vocabulary_size

    def missed(self, context: Tokens) -> int:
        """How many tokens of the context the draft model would have to read before it can draft."""
        return self._model.unread(context)

    def room(self, context: Tokens) -> int:
        """How many tokens it can draft after the context, by its own window."""
        return self._model.context_length - len(context)

    def propose(self, context: Tokens, limit: int, goes_on: GoesOn | None = None) -> Draft:
        """Reads what of the context is new and draws up to `limit` tokens after it.

        After each token `goes_on` is told its confidence, and says whether another one is wanted. Proposes
        nothing, at no cost, where the context cannot be read.
        """
        limit = min(limit, self.room(context))
        if limit < 0 or not self.can_read(context):
            return Draft(DraftSource.DRAFT_MODEL)
        row = self._model.sync(context, checkpoint=limit == 0)
        if limit == 0:
            return Draft(DraftSource.DRAFT_MODEL)
        chooser = self._chooser()
        tokens: list[int] = []
        probabilities: list[float] = []
        distributions: list[Distribution | None] = []
        while True:
            drawn = chooser.choose(row[: self._table.size])
            token = drawn.token
            if drawn.probability < self._lowest_probability or self._table.ends_generation(token):
                break
            tokens.append(token)
            probabilities.append(drawn.probability)
            distributions.append(drawn.distribution)
            wanted = goes_on is None or goes_on(drawn.confidence)
            if len(tokens) == limit or not wanted:
                break
            row = self._model.forward(np.array([token], np.int32))[0]
        return Draft(DraftSource.DRAFT_MODEL, tuple(tokens), tuple(probabilities), tuple(distributions))

    def observe(self, draft: Draft, verdict: Verdict) -> None:
        """Nothing to do: the next `propose` syncs the cache."""


class Found(Struct, frozen=True):
    """What a lookup found: tokens, and how many before them agree at both places."""

    draft: Draft
    agreement: int

    @property
    def confidences(self) -> tuple[float, ...]:
        """Of each token: that of the first, since phrases end, however many of their tokens were right."""
        return (lookup_confidence(self.agreement),) * len(self.draft.tokens)


def lookup_confidence(agreement: int) -> float:
    """How sure a token is that was found behind so many that agree: one in two for two, then more."""
    agreement = min(agreement, _FARTHEST_LOOK_BACK)
    return agreement * agreement / (agreement * agreement + 4.0)


class LookupDrafter:
    """Prompt lookup: what followed when the last few tokens occurred before.

    The longest n-gram that occurred wins, and of its occurrences the most recent (Saxena, "Prompt Lookup
    Decoding", 2023). An index from n-grams to the position after them grows with the context, so that a
    lookup costs the same at any length.
    """

    def __init__(self, options: SpeculationOptions, table: TokenTable) -> None:
        self._sizes = range(options.lookup_longest, options.lookup_shortest - 1, -1)
        self._table = table
        self._followers: dict[tuple[int, ...], int] = {}
        self._indexed: list[int] = []  # the tokens whose n-grams are in the index

    def propose(self, context: Tokens, limit: int) -> Draft:
        """Up to `limit` tokens that followed the longest earlier match."""
        self._index(context)
        return self.find((), limit).draft

    def find(self, drafted: Sequence[int], limit: int) -> Found:
        """The same behind the last context and tokens drafted after it, and how far the two places agree.

        Those that were drafted are not looked at as a place to copy from.
        """
        nothing = Found(Draft(DraftSource.PROMPT_LOOKUP), 0)
        if limit <= 0:
            return nothing
        text = [*self._indexed[-_FARTHEST_LOOK_BACK:], *drafted]
        for size in self._sizes:
            position = self._followers.get(tuple(text[-size:]))
            if position is not None and len(self._indexed) + len(drafted) > size:
                tokens = self._copied(position, limit)
                return Found(Draft(DraftSource.PROMPT_LOOKUP, tokens), self._agreement(text, position))
        return nothing

    def observe(self, draft: Draft, verdict: Verdict) -> None:
        """Nothing to learn with a fixed policy."""

    def _agreement(self, text: Sequence[int], position: int) -> int:
        """How many tokens before `position` are those at the end of the text."""
        length = 0
        before = self._indexed[max(0, position - len(text)) : position]
        for own, other in zip(reversed(text), reversed(before), strict=False):
            if own != other:
                break
            length += 1
        return length

    def _index(self, context: Tokens) -> None:
        known = len(self._indexed)
        if len(context) < known or self._indexed[-16:] != context[max(0, known - 16) : known].tolist():
            self._followers.clear()
            self._indexed.clear()
        for token in context[len(self._indexed) :].tolist():
            position = len(self._indexed)
            for size in self._sizes:
                if size <= position:
                    self._followers[tuple(self._indexed[position - size :])] = position
            self._indexed.append(token)

    def _copied(self, position: int, limit: int) -> tuple[int, ...]:
        """The tokens from `position`; past the end they go on with the draft's own beginning."""
        tokens: list[int] = []
        while len(tokens) < limit:
            at = position + len(tokens)
            token = self._indexed[at] if at < len(self._indexed) else tokens[at - len(self._indexed)]
            if self._table.ends_generation(token):
                break
            tokens.append(token)
        return tuple(tokens)
