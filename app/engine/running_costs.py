"""What passes take, begun with what was measured at load and corrected by every pass that is made.

A pass over n tokens with c tokens in the cache takes base(n) + growth x n x c: attention looks at all that
came before, once for each token of the pass (measured on a CPU: linear in both). All times share one
factor, how busy the machine is just now, which passes over single tokens tell; the others are seen in
relation to it. A pass tells something of those that are a little longer or shorter as well: if only what is
in use were corrected, the other lengths would stay at what a busy moment at load made of them. And what a
length took a moment ago it goes on to take, when single tokens tell only now that the machine has changed.
"""

import math
from collections.abc import Callable

import numpy as np
from msgspec.structs import replace

from app.core.pass_costs import PassCosts
from app.engine.reading_costs import ReadingCosts
from app.engine.round_costs import RoundCosts

_FACTOR_GAIN = 0.1  # by which share the factor follows a pass
_MOST_FACTOR = 8.0  # times as long as expected: beyond, something stopped the machine
_STEP_GAIN = 0.1  # by which share the time of drafting follows a draft; the first ones more
_EVEN = 3.0  # tokens of a draft whose surprise says as much of its beginning as of all its tokens
_MOST_DRAFTING = 2.0  # times as long, or as short, as expected: a draft says no more than that
_LEAST_DRAFTING = 0.1  # of what was measured or guessed: drafting a token never takes less, nor grows less
_LENGTH_GAIN = 0.15  # by which share the time of a length follows a pass; the first ones more
_REACH = 2.0  # tokens; lengths that far apart share a third of what is learnt
_MOST_AT_ONCE = (
    0.3  # in logarithms: a pass that was disturbed says no more than one that took a little longer
)
_TELLING = 6  # passes
_STILL_SO = 0.8  # by which share each single token leaves it to be so, what a longer pass took before it
_GROWTH_GAIN = 0.5
_GROWN = 0.15  # share of a pass from which it tells how times grow
_MOST_GROWTH = 4.0  # times what was expected
_DISAGREES = 0.35  # in logarithms: some 40 % more, or 30 % less, than was measured


class RunningCosts:
    """Times in seconds of a target and, if there is one, its draft model, for as long as they are loaded."""

    def __init__(
        self, measured: PassCosts, longest: int, growth_s: float, draft_growth_s: float = 0.0
    ) -> None:
        """Passes of up to `longest` + 1 tokens. The growths are per token of a pass and token of context.

        They are guesses; what was learnt of the target's earlier is in `measured`.
        """
        self._measured = measured
        self._reference = measured.context_tokens
        self._factor = 1.0
        begun_growth_s = measured.growth_s or growth_s
        self._targets = _Times(measured.pass_s, longest + 1, begun_growth_s, _MOST_GROWTH * growth_s)
        self._base_step_s = measured.draft_s or 0.0
        self._begin_s = 0.0
        self._drafts = 1  # one measured
        self._reading = ReadingCosts(measured, draft_growth_s)
        self._draft_growth_s = self._guessed_draft_growth_s = draft_growth_s

    def round(self, context: int, longest: int, missed: int) -> RoundCosts:
        """Those of a round with drafts of at most so many tokens.

        `context` tokens are in the target's cache; the draft model has missed so many of the text, the last
        one included, which it reads in any case.
        """
        depth = self._depth(context)
        checks = tuple(self._factor * each for each in self._targets.rising(depth)[: longest + 1])
        step = self._factor * self._step_s(depth)
        catching_up, again = self._reading.seconds(missed, depth), self._reading.seconds(2, depth)
        catching_up, again, begin = (self._factor * each for each in (catching_up, again, self._begin_s))
        return RoundCosts(checks, step, catching_up, again, begin)

    def steps(self, tokens: int, context: int) -> float:
        """How many plain steps a target pass over so many tokens takes, at least one."""
        times = self._targets.rising(self._depth(context))
        return times[tokens - 1] / times[0]

    def observe_check(self, tokens: int, context: int, seconds: float) -> None:
        """A target pass was made."""
        depth = self._depth(context)
        if tokens == 1:
            before = self._factor
            self._follow(seconds / self._targets.begun(1, depth))
            self._targets.single_observed(self._factor / before)
        self._targets.observe(tokens, depth, seconds / self._factor)

    def observe_reading(self, missed: int, context: int, seconds: float) -> None:
        """The draft model has read so many tokens, after which it has as many as `context`."""
        if self._reading.is_telling(missed):
            depth = self._depth(context)
            self._reading.observe(missed, depth, seconds / self._factor - self._step_s(depth))

    def observe_drafting(self, drafted: int, missed: int, context: int, seconds: float) -> None:
        """So many tokens were drafted one after the other, those that were missed being read first.

        What a draft takes longer than expected lies in its beginning, in its tokens, the more in these the
        more there are, or in the context that they look back on: a step of normalised least mean squares.
        After a long text it says only how long that took to read.
        """
        depth = self._depth(context)
        taken_s = seconds / self._factor
        expected_s = self._begin_s + drafted * self._step_s(depth)
        if self._reading.is_telling(missed):
            self._reading.observe(missed, depth, taken_s - expected_s)
            return
        taken_s -= self._reading.seconds(missed, depth)
        taken_s = min(max(taken_s, expected_s / _MOST_DRAFTING), expected_s * _MOST_DRAFTING)
        self._drafts += 1
        surprise_s = max(_STEP_GAIN, 1.0 / self._drafts) * (taken_s - expected_s)
        grown = drafted * self._draft_growth_s * depth / self._base_step_s
        weights = np.array([_EVEN, drafted, grown]) ** 2
        begin_s, steps_s, grown_s = (surprise_s * weights / weights.sum()).tolist()
        kept_s = max(begin_s, -self._begin_s)
        self._begin_s += kept_s
        self._base_step_s += (steps_s + begin_s - kept_s) / drafted
        self._base_step_s = max(self._base_step_s, _LEAST_DRAFTING * (self._measured.draft_s or 0.0))
        if grown:
            growth_s = self._draft_growth_s + grown_s / (drafted * depth)
            low, high = (share * self._guessed_draft_growth_s for share in (_LEAST_DRAFTING, _MOST_GROWTH))
            self._draft_growth_s = min(max(growth_s, low), high)

    def learnt(self, measured: PassCosts) -> PassCosts:
        """The costs with what was learnt of how the target's passes grow and the draft model reads."""
        return replace(measured, growth_s=self._targets.growth_s, read_s=self._reading.token_s)

    def began_with(self, measured: PassCosts) -> bool:
        """Whether these are the times that it began with, whatever was learnt since."""
        return self.learnt(measured) == self.learnt(self._measured)

    @property
    def disagrees(self) -> bool:
        """Whether passes take quite another time than was measured, alone or all together."""
        return abs(math.log(self._factor)) > _DISAGREES or self._targets.is_off

    def _step_s(self, depth: int) -> float:
        """Drafting one token, without what a draft's first one takes more."""
        return self._base_step_s + self._draft_growth_s * depth

    def _follow(self, ratio: float) -> None:
        """Lets the common factor follow a time in relation to what was measured."""
        if 0.0 < ratio < _MOST_FACTOR:
            self._factor *= (ratio / self._factor) ** _FACTOR_GAIN

    def _depth(self, context: int) -> int:
        return max(0, context - self._reference)


class _Times:
    """Of one model's passes, by their lengths in tokens."""

    def __init__(
        self, measured_s: Callable[[int], float], longest: int, growth_s: float, most_growth_s: float
    ) -> None:
        self._begun = np.array([measured_s(tokens) for tokens in range(1, longest + 1)])
        self._drift = np.zeros(longest)  # how far they are from that by now, in logarithms
        self._told = np.zeros(longest)  # passes that have told of each length
        lengths = np.arange(longest)
        self._near = np.exp(-np.abs(lengths[:, None] - lengths) / _REACH)  # what a pass tells of each length
        # of one token the common factor is made: on average it takes what was measured
        self._near[:, 0] = 0.0
        self._still = np.zeros(longest)  # how far the last time of each length stands, whatever the factor
        self._lengths = np.arange(1, longest + 1)
        self._most_growth_s = most_growth_s
        self.growth_s = growth_s

    def rising(self, depth: int) -> list[float]:
        """Of passes over 1, 2, 3 ... tokens, none below that of a shorter one.

        Nor above that of a longer one that was often made, which could serve for it.
        """
        times = self._begun * np.exp(self._drift) + self.growth_s * depth * self._lengths
        often = np.where(self._told >= _TELLING, times, np.inf)
        times = np.minimum(times, np.minimum.accumulate(often[::-1])[::-1])
        rising: list[float] = np.maximum.accumulate(times).tolist()
        return rising

    def time(self, tokens: int, depth: int) -> float:
        """With so many tokens in the cache beyond those at the measurement."""
        base_s = self._begun[tokens - 1] * math.exp(self._drift[tokens - 1])
        return float(base_s) + self.growth_s * tokens * depth

    def begun(self, tokens: int, depth: int) -> float:
        """The same with the base that was measured."""
        return float(self._begun[tokens - 1]) + self.growth_s * tokens * depth

    def observe(self, tokens: int, depth: int, seconds: float) -> None:
        """Takes in a pass, whose time is free of the common factor."""
        if not 1 <= tokens <= len(self._begun):
            return
        expected_s, reach = self.time(tokens, depth), tokens * depth
        grown = self.growth_s * reach / expected_s
        surprise = math.log(max(seconds, 0.1 * expected_s) / expected_s)
        surprise = min(max(surprise, -_MOST_AT_ONCE), _MOST_AT_ONCE)
        if grown > _GROWN:
            self.growth_s += _GROWTH_GAIN * grown * surprise * expected_s / reach
            self.growth_s = min(self.growth_s, self._most_growth_s)
            surprise *= 1.0 - grown
        if tokens > 1:
            near = self._near[tokens - 1]
            self._still = np.maximum(self._still, near)
            self._told += near
            self._drift += near * np.maximum(_LENGTH_GAIN, 1.0 / (1.0 + self._told)) * surprise

    def single_observed(self, change: float) -> None:
        """A pass over one token has changed the factor; what longer ones have taken lately stays."""
        self._drift -= self._still * math.log(change)
        self._still *= _STILL_SO

    @property
    def is_off(self) -> bool:
        """Whether a length that was often passed has come to another time than was measured."""
        return bool(np.any((self._told >= _TELLING) & (np.abs(self._drift) > _DISAGREES)))
