"""Figures of a generation: per round, in total, and the rates derived from them.

The words are the engine's: a *round* is one draft and the target pass that verifies it; *drafted*
tokens were proposed, *tested* ones verified, *ignored* ones dropped before verification,
*accepted* ones tested, kept and part of the answer.
"""

from enum import StrEnum

from msgspec import Struct


class DraftSource(StrEnum):
    """What proposed the tokens of a round."""

    NONE = "none"
    DRAFT_MODEL = "draft"
    PROMPT_LOOKUP = "lookup"


class StopReason(StrEnum):
    """Why an answer ended."""

    END_OF_GENERATION = "end_of_generation"
    STOP_STRING = "stop_string"
    MAX_TOKENS = "max_tokens"
    CONTEXT_FULL = "context_full"
    STOPPED = "stopped"  # by the user


class RoundStats(Struct, frozen=True):
    """One round. Times in seconds."""

    source: DraftSource
    drafted: int
    tested: int
    accepted: int
    emitted: int  # tokens of the answer that this round gave: at most accepted + 1
    draft_s: float
    verify_s: float
    sample_s: float
    looked_up: int = 0  # of those tested the last ones, which a lookup found, and not the draft model

    @property
    def ignored(self) -> int:
        """Tokens drafted, but too few to be worth verifying."""
        return self.drafted - self.tested

    @property
    def looked_up_accepted(self) -> int:
        """How many of those that a lookup found were accepted."""
        return max(0, self.accepted - (self.tested - self.looked_up))

    @property
    def total_s(self) -> float:
        """The whole round."""
        return self.draft_s + self.verify_s + self.sample_s


class GenerationStats(Struct, frozen=True):
    """A whole answer. Times in seconds, rates per second; a rate that cannot be given is None."""

    generated_tokens: int
    prompt_tokens: int
    cached_prompt_tokens: int  # of these, already in the KV cache
    prompt_s: float
    time_to_first_token_s: float | None
    decode_s: float  # from the first token to the last
    tok_per_s: float | None
    rounds: int
    drafted: int
    tested: int
    ignored: int
    accepted: int
    accepted_by_position: tuple[int, ...]
    tested_by_position: tuple[int, ...]
    acceptance_rate: float | None
    share_from_draft: float | None
    mean_accepted_length: float | None
    draft_s: float
    verify_s: float
    sample_s: float
    peak_rss_bytes: int
    stop_reason: StopReason
    plain_s: float | None = None  # what `decode_s` would have been without drafts, by estimate; None: unknown
    looked_up: int | None = None  # of those tested, found by a lookup; None: from before this was counted
    looked_up_accepted: int | None = None

    @property
    def estimated_speedup(self) -> float | None:
        """Against plain generation, by estimate; None where there is none."""
        if self.plain_s is None or self.decode_s <= 0.0:
            return None
        return self.plain_s / self.decode_s


class StatsRecorder:
    """Adds up rounds while an answer is generated. Moments are seconds on one monotonic clock."""

    def __init__(self, started: float, prompt_tokens: int) -> None:
        self._started = started
        self._prompt_tokens = prompt_tokens
        self._cached = 0
        self._prompt_s = 0.0
        self._first: float | None = None
        self._last: float | None = None
        self._generated = 0
        self._rounds = 0
        self._drafted = 0
        self._tested = 0
        self._accepted = 0
        self._looked_up = 0
        self._looked_up_accepted = 0
        self._accepted_by_position: list[int] = []
        self._tested_by_position: list[int] = []
        self._draft_s = 0.0
        self._verify_s = 0.0
        self._sample_s = 0.0
        self._passes_s = 0.0  # of drafts and checks up to the last token

    def prompt_read(self, now: float, cached_tokens: int) -> None:
        """Marks the moment at which the prompt is in the cache, and how much of it was there before."""
        self._prompt_s = now - self._started
        self._cached = cached_tokens

    def add(self, round_: RoundStats, now: float) -> None:
        """Counts a finished round whose tokens were emitted at `now`."""
        self._draft_s += round_.draft_s
        self._verify_s += round_.verify_s
        if round_.emitted:
            self._first = self._first if self._first is not None else now
            self._last = now
            self._passes_s = self._draft_s + self._verify_s
        self._generated += round_.emitted
        self._rounds += 1
        self._drafted += round_.drafted
        self._tested += round_.tested
        self._accepted += round_.accepted
        self._looked_up += round_.looked_up
        self._looked_up_accepted += round_.looked_up_accepted
        self._sample_s += round_.sample_s
        _count_positions(self._tested_by_position, round_.tested)
        _count_positions(self._accepted_by_position, round_.accepted)

    def finish(
        self, reason: StopReason, peak_rss_bytes: int, plain_passes_s: float | None = None
    ) -> GenerationStats:
        """The totals so far.

        `plain_passes_s`: what the target's passes up to the last token would have taken without drafts.
        """
        decode_s = 0.0
        if self._first is not None and self._last is not None:
            decode_s = self._last - self._first
        plain_s = None
        if (
            plain_passes_s is not None and decode_s > 0.0
        ):  # all but passes and drafts would have been the same
            plain_s = max(decode_s - self._passes_s, 0.0) + plain_passes_s
        accepted_by_position = self._accepted_by_position + [0] * (
            len(self._tested_by_position) - len(self._accepted_by_position)
        )
        return GenerationStats(
            generated_tokens=self._generated,
            prompt_tokens=self._prompt_tokens,
            cached_prompt_tokens=self._cached,
            prompt_s=self._prompt_s,
            time_to_first_token_s=None if self._first is None else self._first - self._started,
            decode_s=decode_s,
            tok_per_s=generation_rate(self._generated, decode_s),
            rounds=self._rounds,
            drafted=self._drafted,
            tested=self._tested,
            ignored=self._drafted - self._tested,
            accepted=self._accepted,
            accepted_by_position=tuple(accepted_by_position),
            tested_by_position=tuple(self._tested_by_position),
            acceptance_rate=_share(self._accepted, self._tested),
            share_from_draft=_share(self._accepted, self._generated),
            mean_accepted_length=(1 + self._accepted / self._rounds) if self._rounds else None,
            draft_s=self._draft_s,
            verify_s=self._verify_s,
            sample_s=self._sample_s,
            peak_rss_bytes=peak_rss_bytes,
            stop_reason=reason,
            plain_s=plain_s,
            looked_up=self._looked_up,
            looked_up_accepted=self._looked_up_accepted,
        )


def generation_rate(generated_tokens: int, decode_s: float) -> float | None:
    """Tokens per second from the first token to the last; None with fewer than two tokens."""
    if generated_tokens < 2 or decode_s <= 0.0:
        return None
    return (generated_tokens - 1) / decode_s


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _count_positions(counts: list[int], length: int) -> None:
    while len(counts) < length:
        counts.append(0)
    for position in range(length):
        counts[position] += 1
