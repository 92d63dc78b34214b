"""From a drafter's confidence to the chance that the target keeps the token, learnt while drafting."""

import math
from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_KNOWN = 3.0  # times as much as what is so of most pairs, counts what was learnt of this one
_CHANGE = 0.001  # how likely the right curve is another one from one token to the next
_OFFSETS = (-4.0, -2.5, -1.5, -0.75, 0.0, 0.75, 1.5, 2.5, 3.5, 4.5)
_SLOPES = (0.1, 0.4, 0.7, 1.0, 1.3)
_FARTHEST = 9.0  # logit; one farther out says no more
_KNOTS_PER_LOGIT = 2
# The logits at which the curves are worked out; between them they are straight lines.
_KNOTS = np.linspace(-_FARTHEST, _FARTHEST, int(2 * _FARTHEST) * _KNOTS_PER_LOGIT + 1)


class Leaning(Struct, frozen=True):
    """What may well be so before anything was seen: a curve, how far off it may be, how likely it is."""

    offset: float
    slope: float
    offset_spread: float
    slope_spread: float
    share: float


class Calibration:
    """Logistic curves, sigmoid(offset + slope x logit(confidence)), weighed by how well they foretold.

    All confidences learn together, so that what is learnt of likely tokens serves unlikely ones, and a few
    verdicts suffice. A small share of the weight always goes back to the beginning, since a story is not code
    (Platt scaling; Herbster and Warmuth, "Tracking the Best Expert", 1998).
    """

    def __init__(self, leanings: Sequence[Leaning], known: Sequence[float] = ()) -> None:
        """`known` are weights of an earlier calibration; they count for most of the beginning."""
        offsets, slopes = (grid.ravel() for grid in np.meshgrid(_OFFSETS, _SLOPES, indexing="ij"))
        self._curves: Floats = 1.0 / (1.0 + np.exp(-(offsets + _KNOTS[:, None] * slopes)))  # (knots, curves)
        self._beginning = _leaning(leanings, offsets, slopes)
        if len(known) == len(self._beginning):
            self._beginning = _normal(self._beginning + _KNOWN * _normal(np.array(known)))
        self._weigh(self._beginning)

    def probability(self, confidence: float) -> float:
        """The chance that a token of this confidence is kept."""
        at = (logit(confidence) + _FARTHEST) * _KNOTS_PER_LOGIT
        knot = min(int(at), len(self._table) - 2)
        low, high = self._table[knot : knot + 2]
        return low + (at - knot) * (high - low)

    def probabilities(self, confidences: Sequence[float]) -> Floats:
        """The same for many at once."""
        return self.at_logits([logit(each) for each in confidences])

    def at_logits(self, logits: Sequence[float]) -> Floats:
        """The same for confidences whose logits are known."""
        found: Floats = np.interp(logits, _KNOTS, self._table)
        return found

    def observe(self, confidences: Sequence[float], right: int) -> None:
        """Learns that the first `right` of these tokens were kept, and the one after them, if any, not."""
        if not confidences:
            return
        at = (np.array([logit(each) for each in confidences[: right + 1]]) + _FARTHEST) * _KNOTS_PER_LOGIT
        knots = np.minimum(at.astype(np.intp), len(_KNOTS) - 2)
        share = (at - knots)[:, None]
        chances = (1.0 - share) * self._curves[knots] + share * self._curves[knots + 1]
        if right < len(chances):
            chances[right] = 1.0 - chances[right]
        kept = (1.0 - _CHANGE) ** len(chances)
        self._weigh(kept * _normal(self.weights * chances.prod(axis=0)) + (1.0 - kept) * self._beginning)

    def renew(self) -> None:
        """Goes back half-way to the beginning."""
        self._weigh((self.weights + self._beginning) / 2)

    def _weigh(self, weights: Floats) -> None:
        self.weights = weights  # of each curve; together 1
        self._table: list[float] = (self._curves @ weights).tolist()


def logit(probability: float) -> float:
    """The logarithm of the odds, no farther out than the knots."""
    if not 0.0 < probability < 1.0:
        return math.copysign(_FARTHEST, probability - 0.5)
    return min(max(math.log(probability / (1.0 - probability)), -_FARTHEST), _FARTHEST)


def _leaning(leanings: Sequence[Leaning], offsets: Floats, slopes: Floats) -> Floats:
    weights = np.zeros_like(offsets)
    for each in leanings:
        off = ((offsets - each.offset) / each.offset_spread) ** 2
        off += ((slopes - each.slope) / each.slope_spread) ** 2
        weights += each.share * _normal(np.exp(-off / 2))
    return _normal(weights)


def _normal(weights: Floats) -> Floats:
    normal: Floats = weights / weights.sum()
    return normal
