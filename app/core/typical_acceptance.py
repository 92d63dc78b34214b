"""How often drafts are right, where nothing is known of a pair but its sizes."""

import math
from itertools import pairwise

from msgspec import Struct


class TypicalAcceptance(Struct, frozen=True):
    """The chance that a drafted token is kept, on texts that are hard and easy to foresee."""

    low: float
    high: float
    tried: float = 1.0  # share of the rounds of a hard text in which anything is drafted


# By the draft's share of the target's parameters. Down from a tenth after Leviathan, Kalman and Matias, "Fast
# Inference from Transformers via Speculative Decoding" (2023), table 3; a third as of stories and program
# code with models of 0.5B and 1.5B; a draft as large as its target is mostly the same model in fewer bits.
_BY_SHARE = (
    (0.001, TypicalAcceptance(0.4, 0.6)),
    (0.01, TypicalAcceptance(0.5, 0.75)),
    (0.1, TypicalAcceptance(0.55, 0.85)),
    (0.33, TypicalAcceptance(0.55, 0.92)),
    (1.0, TypicalAcceptance(0.8, 0.98)),
)

# Of prompt lookup: from nothing repeated, though phrases that occur twice are found all the same, to most of
# it.
LOOKUP = TypicalAcceptance(0.0, 0.85, tried=0.4)


def typical_acceptance(target_parameters: int, draft_parameters: int) -> TypicalAcceptance:
    """By size, on straight lines over the logarithm of the share."""
    share = draft_parameters / target_parameters if target_parameters else 1.0
    if share <= _BY_SHARE[0][0]:
        return _BY_SHARE[0][1]
    for (small, below), (large, above) in pairwise(_BY_SHARE):
        if share < large:
            way = math.log(share / small) / math.log(large / small)
            return TypicalAcceptance(
                below.low + way * (above.low - below.low), below.high + way * (above.high - below.high)
            )
    return _BY_SHARE[-1][1]
