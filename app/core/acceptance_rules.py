"""The acceptance rules as formulas of probabilities: for the engine, and for looking at a recorded answer.

*p* is the target's probability of a drafted token, *q* the drafter's.
"""

from collections.abc import Sequence

from app.core.options import AcceptanceRule, SpeculationOptions
from app.core.trace import TracedToken


def survives(p: float, q: float, luck: float) -> bool:
    """Rejection sampling: true with probability min(1, p / q), for a `luck` uniform between 0 and 1."""
    return luck * q < p


def seems_good(options: SpeculationOptions, p: float, q: float, rank: int) -> bool:
    """Whether one of the rules that change the output keeps a token; `rank` tokens are likelier.

    Raises ValueError for the two rules that do not change it.
    """
    if p == 0.0:
        return False  # filtered out, or forbidden by the grammar: no rule may let it through
    match options.acceptance:
        case AcceptanceRule.DIFFERENCE:
            return abs(p - q) < options.difference_limit
        case AcceptanceRule.RATIO:
            return p > q * options.ratio_limit
        case AcceptanceRule.TOP_K:
            return rank < options.top_k_limit
        case _:
            raise ValueError(f"{options.acceptance} is not one of the rules that change the output")


def drafted_probability(drawn: float | None, own: float | None) -> float:
    """The drafter's probability of a token, for those who compare it.

    `drawn` is the probability with which the token was drawn, `own` the drafter's own; a drafter that has
    neither counts as certain.
    """
    if drawn is not None:
        return drawn
    return 1.0 if own is None else own


def used_target_probability(options: SpeculationOptions, token: TracedToken) -> float:
    """What the rule of `options` takes for p: a greedy target's distribution is all on one token."""
    if options.acceptance is AcceptanceRule.REJECTION and token.target_is_greedy:
        return float(token.matches)
    return token.target_probability


def used_draft_probability(options: SpeculationOptions, token: TracedToken) -> float:
    """What the rule of `options` takes for q, if it asks for it.

    To rejection sampling a token that was not drawn is a certain one, whatever the drafter thinks of it.
    """
    if options.acceptance is AcceptanceRule.REJECTION:
        return drafted_probability(token.drawn_probability, None)
    return drafted_probability(token.drawn_probability, token.draft_probability)


def kept_by(options: SpeculationOptions, tested: Sequence[TracedToken]) -> int:
    """How many of these drafted tokens the rule of `options` keeps, from the first on."""
    for position, token in enumerate(tested):
        if not _keeps(options, token):
            return position
    return len(tested)


def _keeps(options: SpeculationOptions, token: TracedToken) -> bool:
    if options.acceptance is AcceptanceRule.MATCH:
        return token.matches
    p, q = used_target_probability(options, token), used_draft_probability(options, token)
    if options.acceptance is AcceptanceRule.REJECTION:
        return survives(p, q, token.luck)
    return seems_good(options, p, q, token.target_rank)
