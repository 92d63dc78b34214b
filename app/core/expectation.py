"""What drafting can be expected to gain, by two models of it.

The simple model takes a draft as right or wrong as a whole. The standard one (Leviathan, Kalman and Matias,
"Fast Inference from Transformers via Speculative Decoding", 2023) takes each drafted token as right with one
probability, whatever came before it, and counts the tokens up to the first wrong one.
"""

import math

from msgspec import Struct

_HALVINGS = 60  # more than a float can tell apart


class StepCosts(Struct, frozen=True):
    """What steps take, all in one unit of time.

    The check of a draft of `known_length` tokens costs `check_factor` plain steps. What those of other
    lengths cost is told by `checks`, target passes over 1, 2, 3 … tokens, as far as they are there; else each
    drafted token is taken to add the same to a plain step.
    """

    target: float  # one plain step: a target pass over one token
    draft: float  # drafting one token
    check_factor: float = 1.0
    known_length: int = 1
    checks: tuple[float, ...] = ()

    def check(self, drafted: int) -> float:
        """The time of the target pass that checks so many drafted tokens and gives one of its own."""
        if drafted < len(self.checks):
            return self.checks[drafted]
        return self.target * (1 + (self.check_factor - 1) * drafted / self.known_length)

    def round(self, drafted: int) -> float:
        """The time of a whole round: the drafts, one after the other, and the check."""
        return drafted * self.draft + self.check(drafted)

    def plain(self, tokens: float) -> float:
        """The time of so many plain steps."""
        return tokens * self.target


def simple_speedup(costs: StepCosts, drafted: int, all_right: float) -> float:
    """By the simple model, where a draft is wholly right with probability `all_right`, else worth nothing.

    A right draft gives its tokens for the time of a round, a wrong one costs as many plain steps: the time
    lost with it is left out, as is the token that the check adds. 1 for an empty draft.
    """
    plain = costs.plain(drafted)
    time = all_right * costs.round(drafted) + (1 - all_right) * plain
    return plain / time if drafted else 1.0


def expected_tokens(acceptance: float, drafted: int) -> float:
    """Tokens that a round gives on average: (1 - a^(n+1)) / (1 - a), and n + 1 at a = 1.

    Added up term by term, which is the same and needs no exception: the i-th drafted token is kept with
    probability a^i, and the target's own token always.
    """
    return math.fsum(acceptance**kept for kept in range(drafted + 1))


def accepted_share(acceptance: float, drafted: int) -> float:
    """The share of tested tokens that is accepted in drafts of so many: what follows a wrong one is lost."""
    return (expected_tokens(acceptance, drafted) - 1) / drafted if drafted else 0.0


def speedup(costs: StepCosts, drafted: int, acceptance: float) -> float:
    """By the standard model: tokens of a round by the time of a round, against plain steps."""
    return costs.plain(expected_tokens(acceptance, drafted)) / costs.round(drafted)


def best_length(costs: StepCosts, acceptance: float, longest: int) -> int:
    """The draft length from 0 to `longest` with the highest speed-up, the shortest of equals; 0: do not."""
    return max(range(longest + 1), key=lambda drafted: (speedup(costs, drafted, acceptance), -drafted))


def break_even(costs: StepCosts, drafted: int) -> float | None:
    """The acceptance above which drafting so many tokens gains; None where not even 1 gains anything.

    0 where drafting gains at any acceptance above it. `drafted` is at least 1.
    """
    if speedup(costs, drafted, 1.0) <= 1.0:
        return None
    low, high = 0.0, 1.0
    if speedup(costs, drafted, low) >= 1.0:
        return low
    for _ in range(_HALVINGS):  # more acceptance is always more speed
        middle = (low + high) / 2
        if speedup(costs, drafted, middle) > 1.0:
            high = middle
        else:
            low = middle
    return high


def acceptance_from(tested: tuple[int, ...], accepted: tuple[int, ...]) -> float | None:
    """The chance that a drafted token is kept where those before it were, from counts by position.

    The standard model's probability. It is above the share of all tested tokens that were accepted, which
    counts those behind a wrong one, too. Of drafts that were right so far, as many are taken to have ended
    as of all drafts; at least as many went on as were accepted. None where nothing was tested.
    """
    reached = list[float](tested[:1])
    for place in range(1, len(tested)):
        went_on = tested[place] / tested[place - 1] if tested[place - 1] else 0.0
        reached.append(max(accepted[place], accepted[place - 1] * went_on))
    return sum(accepted) / sum(reached) if sum(reached) else None
