"""What passes cost on this machine."""

from bisect import bisect_left
from itertools import accumulate

from msgspec import Struct
from msgspec.structs import replace

_MOST_SPREAD = 0.3  # a pass that took this much longer when it was made again was disturbed
_MOST_BELOW_ONE = 0.2  # by which a longer pass may seem shorter than that of one token


class PassCosts(Struct, frozen=True):
    """Times in seconds, each of several passes, of which those that took long say little.

    A spread tells by which share the pass that came nearest to the least took longer, so how far the least
    is to be believed.
    """

    lengths: tuple[int, ...]  # tokens of the target passes that were timed, from 1 upwards
    target_s: tuple[float, ...]  # of a target pass of each length
    draft_s: float | None  # of drafting one token; None without a draft model
    context_tokens: int  # that were in the caches meanwhile
    target_spreads: tuple[float, ...] = ()  # of each length
    draft_spread: float = 0.0
    feed_lengths: tuple[int, ...] = ()  # tokens of the draft model's passes that were timed
    feed_times_s: tuple[float, ...] = ()  # of such passes: what it costs that a draft reads what it missed
    growth_s: float = 0.0  # that each token of a pass takes longer for each token more in the context
    read_s: float | None = None  # of each further token of a long text that the draft model reads

    @property
    def step_s(self) -> float:
        """Of a plain step: a target pass over one token."""
        return self.rising_s[0]

    @property
    def longest(self) -> int:
        """The most tokens of a pass that was timed."""
        return self.lengths[-1]

    @property
    def longest_feed(self) -> int:
        """The most tokens of a draft model's pass that was timed; drafting is one over a single token."""
        return self.feed_lengths[-1] if self.feed_lengths else 1

    @property
    def rising_s(self) -> tuple[float, ...]:
        """The times of the target passes, none above that of a longer one.

        A longer pass that took less shows that the shorter one was disturbed, or that it could have been
        filled up to the longer one.
        """
        return _rising(self.target_s)

    def pass_s(self, tokens: int) -> float:
        """The time of a target pass over so many tokens: on straight lines through those that were timed.

        Beyond them the last line goes on.
        """
        return _on_lines(self.lengths, self.rising_s, tokens)

    def feed_s(self, tokens: int) -> float | None:
        """The time in which the draft model reads so many tokens, as `pass_s` has it for the target.

        0.0 for no tokens, None without a draft model. Where its longer passes were not timed, they grow with
        their tokens as the target's do.
        """
        if self.draft_s is None:
            return None
        if tokens <= 0:
            return 0.0
        if len(self.feed_lengths) < 2:
            steps = self.pass_s(tokens) / self.step_s if len(self.lengths) > 1 else tokens
            return self.draft_s * steps
        return _on_lines(self.feed_lengths, _rising(self.feed_times_s), tokens)

    def without_draft(self) -> "PassCosts":
        """The target's alone."""
        return replace(self, draft_s=None, draft_spread=0.0, feed_lengths=(), feed_times_s=(), read_s=None)

    @property
    def is_steady(self) -> bool:
        """Whether the times agree with each other; False where something else kept the machine busy.

        Each must have come out nearly the same twice, and none far below that of a single token.
        """
        spreads = (*self.target_spreads, self.draft_spread)
        if max(spreads) > _MOST_SPREAD:
            return False
        return min(self.target_s) >= (1 - _MOST_BELOW_ONE) * self.target_s[0]


def _rising(times: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(accumulate(reversed(times), min))[::-1]


def _on_lines(lengths: tuple[int, ...], times: tuple[float, ...], tokens: int) -> float:
    """The time for so many tokens on the straight lines through the points; the outer ones go on."""
    if len(times) == 1:
        return times[0]
    after = min(max(bisect_left(lengths, tokens), 1), len(times) - 1)
    low, high = lengths[after - 1], lengths[after]
    share = (tokens - low) / (high - low)
    return times[after - 1] + share * (times[after] - times[after - 1])
