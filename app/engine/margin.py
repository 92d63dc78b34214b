"""How near a draw was: what would have had to be different for another token.

A pass over several tokens rounds otherwise than a pass over one, so a target's logits for one and the same
place differ a little from pass to pass. A seeded draw takes the largest of logit / T + noise among the tokens
that pass the filters, with noise that belongs to the place (noise.py). Times T, and so in the unit in which
rounding disturbs whatever the temperature, that is the largest of logit + T * noise, here called a score.
"""

import numpy as np
import numpy.typing as npt

from app.core.options import SamplingOptions
from app.engine.tokens import Logits

_MOST_MASS = 1.0 - 1e-12


def margin_between(
    logits: Logits, tokens: tuple[int, int], scores: tuple[float, float], options: SamplingOptions
) -> float:
    """By how much the logits must be disturbed for one draw to choose the one token and another the other.

    Either the scores change places, or the token that is ahead falls to the filters; and each has passed them
    where it was chosen. `logits` are those behind penalties and grammar. Infinite where one is forbidden.
    """
    if not np.isfinite(scores).all():
        return float("inf")
    behind, ahead = sorted(range(2), key=lambda place: scores[place])
    gap = scores[ahead] - scores[behind]
    if options.temperature == 0.0:
        return gap
    outside = [_outside(logits.astype(np.float64), token, options) for token in tokens]
    return max(*outside, min(gap, -outside[ahead]))


def _outside(logits: npt.NDArray[np.float64], token: int, options: SamplingOptions) -> float:
    """How far a token is from passing all filters; where it does, how far from falling to one, negated."""
    own = float(logits[token])
    rank = int((logits > own).sum())
    if rank == 0:
        return float("-inf")  # the likeliest passes always
    kept = np.sort(logits)[::-1]
    distances = [float("-inf")]
    if 0 < options.top_k < len(kept):
        distances.append(_from_edge(kept, options.top_k, own))
        kept = kept[: options.top_k]
    if options.top_p < 1.0:
        weights = np.exp(kept - kept[0])
        mass = np.cumsum(weights / weights.sum())
        passing = int(np.searchsorted(mass, options.top_p)) + 1
        # Rounding moves a token over the edge by its own logit, or by all that is before it.
        before = _log_odds(mass[min(rank, len(kept)) - 1]) - _log_odds(options.top_p)
        distances.append(min(_from_edge(kept, passing, own), before, key=abs))
    if options.min_p > 0.0:
        distances.append(float(kept[0] + np.log(options.min_p)) - own)
    return max(distances)


def _from_edge(kept: npt.NDArray[np.float64], passing: int, own: float) -> float:
    """How far a logit is below the last of those that pass; or above the first that does not, negated."""
    last = float(kept[min(passing, len(kept)) - 1])
    if own < last:
        return last - own
    return float(kept[passing]) - own if passing < len(kept) else float("-inf")


def _log_odds(share: float) -> float:
    share = min(share, _MOST_MASS)
    return float(np.log(share / (1.0 - share)))
