"""What it costs that the draft model reads what it missed: some tokens since its last draft, or a prompt.

How long a few tokens take was timed at load. A long text is read in large passes, whose tokens are mostly
cheaper, by how much depends on the model's format: that is estimated until a long text was read.
"""

from app.core.pass_costs import PassCosts

_GAIN = 0.5  # by which share the time of a token follows a reading; all of it at first
_LONG, _LONGER = 32, 2  # tokens, and times the longest pass that was timed, from which a reading tells
_LEAST = 0.1  # of drafting a token; what took less was not really read, and nothing in a pass takes longer


class ReadingCosts:
    """Times in seconds, of one draft model."""

    def __init__(self, measured: PassCosts, growth_s: float) -> None:
        """`growth_s`: how much longer a token takes for each token of context before it."""
        self._growth_s = growth_s
        self._first_s = measured.feed_s(1) or 0.0
        self._longest = measured.longest_feed
        self._timed_s = [measured.feed_s(tokens) or 0.0 for tokens in range(self._longest + 1)]
        most = max(self._longest, 2)
        estimated_s = ((measured.feed_s(most) or 0.0) - self._first_s) / (most - 1)
        self._token_s = estimated_s if measured.read_s is None else measured.read_s
        self._is_learnt = measured.read_s is not None

    @property
    def token_s(self) -> float | None:
        """Of each token of a long text, beyond those of the passes that were timed; None: not known yet."""
        return self._token_s if self._is_learnt else None

    def seconds(self, missed: int, depth: int) -> float:
        """Of reading so many tokens, beyond the one that each draft begins with.

        `depth` tokens are then in the cache, without those that there were when passes were timed.
        """
        if missed <= 1:
            return 0.0
        beyond = max(0, missed - self._longest)
        return self._few_s(missed) + beyond * self._token_s + self._grown_s(missed, depth)

    def is_telling(self, missed: int) -> bool:
        """Whether so many are a long text."""
        return missed >= max(_LONG, _LONGER * self._longest)

    def observe(self, missed: int, depth: int, seconds: float) -> None:
        """Takes in how long it took to read a long text, beyond the one token that each draft begins with."""
        taken_s = seconds - self._few_s(missed) - self._grown_s(missed, depth)
        token_s = taken_s / (missed - self._longest)
        token_s = min(max(token_s, _LEAST * self._first_s), self._first_s)
        self._token_s += (_GAIN if self._is_learnt else 1.0) * (token_s - self._token_s)
        self._is_learnt = True

    def _few_s(self, missed: int) -> float:
        return max(0.0, self._timed_s[min(missed, self._longest)] - self._first_s)

    def _grown_s(self, missed: int, depth: int) -> float:
        return self._growth_s * (missed - 1) * max(0.0, depth - missed / 2)
