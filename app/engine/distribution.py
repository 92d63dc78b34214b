"""Probabilities of tokens, and drawing one of them."""

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from app.engine.noise import Noise, Purpose
from app.engine.tokens import Logits

BLOCK = 64  # logits whose largest stands for all of them when the likeliest are looked for


class Distribution(Struct, frozen=True):
    """What a token is drawn from: the ids that passed the filters and their probabilities (sum 1)."""

    ids: npt.NDArray[np.int32]
    probabilities: npt.NDArray[np.float64]

    def probability(self, token: int) -> float:
        """The probability of one token; 0 for one that was filtered out."""
        found = np.flatnonzero(self.ids == token)
        return float(self.probabilities[found[0]]) if found.size else 0.0

    def rank(self, probability: float) -> int:
        """How many tokens have a higher probability."""
        return int((self.probabilities > probability).sum())


def probability_of(row: Logits, token: int) -> float:
    """The probability of a token under a row of logits, at temperature 1 and without filters."""
    return float(1.0 / np.exp(row - row[token]).sum())


def draw(distribution: Distribution, noise: Noise, purpose: Purpose, step: int) -> int:
    """One token from a distribution, by the Gumbel-max trick."""
    if len(distribution.ids) == 1:
        return int(distribution.ids[0])
    return int(distribution.ids[noisy(distribution, noise, purpose, step).argmax()])


def noisy(distribution: Distribution, noise: Noise, purpose: Purpose, step: int) -> npt.NDArray[np.float64]:
    """The log-probability of each token with its noise: the largest one is drawn."""
    with np.errstate(divide="ignore"):
        scores = np.log(distribution.probabilities)
    return scores + noise.gumbel(purpose, step, distribution.ids)


def likeliest(row: Logits, count: int) -> npt.NDArray[np.intp]:
    """Ids, in order, among which are the `count` largest logits: those and few others.

    The `count`-th largest of the blocks' maxima is no larger than the `count`-th largest logit, so
    everything below it can go. Two passes over the row at memory speed, where a partial sort of a
    vocabulary takes ten times as long.
    """
    whole = len(row) - len(row) % BLOCK
    maxima = row[:whole].reshape(-1, BLOCK).max(axis=1)
    bound = np.partition(maxima, len(maxima) - count)[len(maxima) - count]
    return np.flatnonzero(row >= bound)
