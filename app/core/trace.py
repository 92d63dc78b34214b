"""An answer recorded round by round: what was proposed, what the target thought of it, what was kept."""

from msgspec import Struct

from app.core.stats import RoundStats


class TracedToken(Struct, frozen=True):
    """One drafted token, with all that any acceptance rule asks of it.

    Probabilities of the target are those behind its sampler's filters, at a greedy one the plain softmax; as
    if the tokens drafted before it had been kept.
    """

    token: int
    text: str
    draft_probability: float | None  # the drafter's own; None for prompt lookup
    drawn_probability: float | None  # with which it was drawn; None where the likeliest was taken
    target_probability: float
    target_rank: int  # how many tokens the target finds likelier
    luck: float  # between 0 and 1: the random number that rejection sampling compares with
    matches: bool  # it is what the target's own sampler drew here
    target_is_greedy: bool = False  # then rejection sampling keeps what matches, whatever the luck


class TracedRound(Struct, frozen=True):
    """One round. `next_text` is the target's own token after what was kept: bonus, or recovered."""

    tested: tuple[TracedToken, ...]
    accepted: int  # of them; where the answer ends within the draft, more than became part of it
    next_token: int
    next_text: str
    stats: RoundStats


class Trace(Struct, frozen=True):
    """A whole answer. `rounds` begins with the token that reading the prompt gave."""

    variant: str
    prompt: str
    rounds: tuple[TracedRound, ...]
