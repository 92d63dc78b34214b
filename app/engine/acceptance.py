"""Which drafted tokens are kept: one function of the sampler, the target's logits and the draft.

*Sample and match* keeps drafted tokens while they equal what the target's own sampler draws, so a seeded
answer is token for token the one without a draft. *Rejection sampling* (Leviathan, Kalman and Matias,
"Fast Inference from Transformers via Speculative Decoding", 2023) is lossless in distribution. The other
three keep what seems good enough, and change the output.
"""

from contextlib import AbstractContextManager
from typing import Protocol

import numpy as np
from msgspec import Struct

from app.core.acceptance_rules import drafted_probability, seems_good, survives
from app.core.options import AcceptanceRule, SpeculationOptions
from app.core.stats import DraftSource
from app.engine.distribution import Distribution, draw
from app.engine.noise import Noise, Purpose
from app.engine.tokens import Logits


class Draft(Struct, frozen=True):
    """Proposed tokens, likely first.

    `probabilities` are the drafter's own for each token, fewer than there are tokens where the last ones have
    none. `distributions` are what the tokens were drawn from; None stands for "the likeliest was taken".
    """

    source: DraftSource
    tokens: tuple[int, ...] = ()
    probabilities: tuple[float, ...] = ()
    distributions: tuple[Distribution | None, ...] = ()

    def drawn_probability(self, position: int) -> float | None:
        """The probability with which a token was drawn; None where the likeliest was taken."""
        source = self.distributions[position] if position < len(self.distributions) else None
        return None if source is None else source.probability(self.tokens[position])

    def own_probability(self, position: int) -> float | None:
        """The drafter's own probability of a token; None where it has none."""
        return self.probabilities[position] if position < len(self.probabilities) else None

    @property
    def looked_up(self) -> int:
        """How many of the tokens, the last ones, a lookup found: a model has probabilities of its own."""
        return len(self.tokens) - len(self.probabilities)

    def shortened(self, length: int) -> "Draft":
        """Its first so many tokens."""
        return Draft(
            self.source if length else DraftSource.NONE,
            self.tokens[:length],
            self.probabilities[:length],
            self.distributions[:length],
        )


class Verdict(Struct, frozen=True):
    """How many drafted tokens were kept, and the target's own token after them.

    `next_token` is the *bonus* where all were kept, else the one *recovered* in place of the first that
    was not.
    """

    accepted: int
    next_token: int


class TargetSampler(Protocol):
    """What a rule needs of the target's sampler."""

    @property
    def step(self) -> int:
        """How many tokens of the answer were accepted."""

    @property
    def noise(self) -> Noise:
        """The random numbers of this answer."""

    @property
    def is_greedy(self) -> bool:
        """True where the likeliest token is taken."""

    def choose(self, row: Logits) -> int:
        """The token drawn after these logits."""

    def distribution(self, row: Logits) -> Distribution:
        """What `choose` draws from."""

    def likelihood(self, row: Logits) -> Distribution:
        """`distribution`, but not all on one token where the sampler is greedy."""

    def accept(self, token: int) -> None:
        """The token is part of the answer from now on."""

    def allows(self, token: int) -> bool:
        """False where a grammar forbids the token here."""

    def ahead(self) -> "AbstractContextManager[TargetSampler]":
        """A copy, for as long as the block lasts, that may accept tokens which are not certain yet."""


def verify(sampler: TargetSampler, rows: Logits, draft: Draft, options: SpeculationOptions) -> Verdict:
    """Judges a draft by the target's logits, and advances the sampler over what is emitted.

    `rows` has one row for each drafted token, the logits it is judged by, and one more for the token
    after the last: shape (drafted + 1, vocabulary).
    """
    for position, token in enumerate(draft.tokens):
        row = rows[position]
        if options.acceptance is AcceptanceRule.MATCH:
            own = sampler.choose(row)
            kept = own == token
        elif options.acceptance is AcceptanceRule.REJECTION:
            target = sampler.distribution(row)
            kept = _survives(sampler, target, draft, position)
            own = token if kept else _recovered(sampler, target, draft, position)
        else:
            kept = _seems_good(sampler.likelihood(row), draft, position, options)
            own = token if kept else sampler.choose(row)
        sampler.accept(own)
        if not kept:
            return Verdict(position, own)
    bonus = sampler.choose(rows[len(draft.tokens)])
    sampler.accept(bonus)
    return Verdict(len(draft.tokens), bonus)


def _survives(sampler: TargetSampler, target: Distribution, draft: Draft, position: int) -> bool:
    """Rejection sampling."""
    q = draft.drawn_probability(position)
    p = target.probability(draft.tokens[position])
    return survives(p, 1.0 if q is None else q, sampler.noise.uniform(Purpose.ACCEPTANCE, sampler.step))


def _recovered(sampler: TargetSampler, target: Distribution, draft: Draft, position: int) -> int:
    """The token in place of one that did not survive rejection sampling."""
    return draw(_residual(target, draft, position), sampler.noise, Purpose.RESIDUAL, sampler.step)


def _seems_good(target: Distribution, draft: Draft, position: int, options: SpeculationOptions) -> bool:
    """Whether one of the rules that change the output keeps the drafted token."""
    p = target.probability(draft.tokens[position])
    q = drafted_probability(draft.drawn_probability(position), draft.own_probability(position))
    return seems_good(options, p, q, target.rank(p))


def _residual(target: Distribution, draft: Draft, position: int) -> Distribution:
    """The positive part of p - q, normalised; p itself where rounding leaves nothing of it."""
    source = draft.distributions[position] if draft.distributions else None
    left = target.probabilities.copy()
    if source is None:
        left[target.ids == draft.tokens[position]] = 0.0
    else:
        order = np.argsort(source.ids)
        found = np.searchsorted(source.ids, target.ids, sorter=order)
        places = order[np.minimum(found, len(order) - 1)]
        shared = source.ids[places] == target.ids
        left -= np.where(shared, source.probabilities[places], 0.0)
    left = np.maximum(left, 0.0)
    total = left.sum()
    return Distribution(target.ids, left / total) if total > 0.0 else target
