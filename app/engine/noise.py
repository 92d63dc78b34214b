"""Randomness that belongs to a position, not to a moment.

Every random number is a function of the seed, the step (how many tokens of the answer came before), a
purpose and a token id. So there is no state to rewind when a draft is rejected, the draws of a seeded
answer do not depend on how it was drafted, and the draft can be drawn with the target's own noise: the
two then agree far more often than two independent draws would (Daliri, Musco and Suresh, "Coupling
without Communication and Drafter-Invariant Speculative Decoding", 2024).
"""

from enum import IntEnum

import numpy as np
import numpy.typing as npt

_STRIDE = 0x9E3779B97F4A7C15  # splitmix64 (Steele, Lea and Flood 2014): its stride and two multipliers
_FIRST = 0xBF58476D1CE4E5B9
_SECOND = 0x94D049BB133111EB
_MASK = (1 << 64) - 1
_UNIT = 2.0**-53


class Purpose(IntEnum):
    """What a random number is for; numbers for different purposes are independent."""

    CHOICE = 1  # which token is drawn, by the target and in step with it by the draft
    DRAFT = 2  # which token the draft draws where it must not know the target's noise
    ACCEPTANCE = 3  # whether a drafted token is kept
    RESIDUAL = 4  # which token takes the place of a rejected one


class Noise:
    """Random numbers from a seed."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def uniform(self, purpose: Purpose, step: int) -> float:
        """One number, uniform in (0, 1)."""
        return ((_mixed(self._key(purpose, step)) >> 11) + 0.5) * _UNIT

    def gumbel(self, purpose: Purpose, step: int, tokens: npt.NDArray[np.int32]) -> npt.NDArray[np.float64]:
        """A standard Gumbel variate for each token id.

        Adding them to log-probabilities and taking the largest draws from those probabilities.
        """
        key = np.uint64(self._key(purpose, step))
        bits = _mixed_array(key + (tokens.astype(np.uint64) + np.uint64(1)) * np.uint64(_STRIDE))
        uniform = ((bits >> np.uint64(11)).astype(np.float64) + 0.5) * _UNIT
        return -np.log(-np.log(uniform))

    def _key(self, purpose: Purpose, step: int) -> int:
        key = _mixed((self._seed * _STRIDE + purpose) & _MASK)
        return _mixed((key + step * _STRIDE) & _MASK)


def _mixed(value: int) -> int:
    value = ((value ^ (value >> 30)) * _FIRST) & _MASK
    value = ((value ^ (value >> 27)) * _SECOND) & _MASK
    return value ^ (value >> 31)


def _mixed_array(values: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    values = (values ^ (values >> np.uint64(30))) * np.uint64(_FIRST)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(_SECOND)
    return values ^ (values >> np.uint64(31))
