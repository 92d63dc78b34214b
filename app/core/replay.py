"""A recorded answer, looked at again: what each round proposed, and what any acceptance rule makes of it.

Another rule's verdict holds for a round as it was recorded. What would have followed a different verdict is
not known: the answer would have gone on from another place.
"""

import math
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from app.core.acceptance_rules import kept_by
from app.core.options import AcceptanceRule, SpeculationOptions
from app.core.trace import Trace, TracedRound


class Fate(StrEnum):
    """What became of a drafted token."""

    KEPT = "kept"
    REPLACED = "replaced"  # the first that was not kept
    DROPPED = "dropped"  # behind it: it follows a text that is not there
    BEYOND = "beyond"  # behind the end of the answer


class Piece(Struct, frozen=True):
    """A token of the answer."""

    text: str
    from_draft: bool


class JudgedRound(Struct, frozen=True):
    """A round by the rule that is looked at."""

    fates: tuple[Fate, ...]  # of the proposed tokens
    own_text: str | None  # the target's own token after those kept; None where it is not known
    ended: bool  # the answer ended here: no token of the target's own followed
    as_it_ran: bool  # the verdict is the one that the answer was generated with

    @property
    def kept(self) -> int:
        """How many drafted tokens are kept."""
        return self.fates.count(Fate.KEPT)


class RuleTotal(Struct, frozen=True):
    """A rule over all rounds of an answer."""

    tested: int
    kept: int
    rounds_judged_otherwise: int  # whose verdict is not the one that the answer was generated with

    @property
    def rate(self) -> float | None:
        """kept / tested; None where nothing was drafted."""
        return self.kept / self.tested if self.tested else None


class RoundTime(Struct, frozen=True):
    """Where the time of a round went, in seconds."""

    draft_s: float
    check_s: float
    sample_s: float

    @property
    def total_s(self) -> float:
        """The whole round."""
        return self.draft_s + self.check_s + self.sample_s


def same_rule(one: SpeculationOptions, other: SpeculationOptions) -> bool:
    """Whether both keep the same tokens: the rule, and its limit where it has one."""
    return _only_rule(one) == _only_rule(other)


def judged(round_: TracedRound, recorded: SpeculationOptions, shown: SpeculationOptions) -> JudgedRound:
    """A round under the rule of `shown`; `recorded` are the options that the answer was generated with.

    Where the answer ended within the draft, the tokens behind its end are nobody's to judge.
    """
    ran, most = _limits(round_, recorded)
    kept = min(ran if same_rule(recorded, shown) else kept_by(shown, round_.proposed), most)
    fates = tuple(_fate(position, kept, most) for position in range(len(round_.proposed)))
    as_it_ran = kept == min(ran, most)
    ended = as_it_ran and round_.stats.emitted <= ran
    own_text = None if ended else _own_text(round_, kept, ran, recorded, shown)
    return JudgedRound(fates, own_text, ended, as_it_ran)


def total_of(trace: Trace, recorded: SpeculationOptions, shown: SpeculationOptions) -> RuleTotal:
    """What a rule keeps of the whole answer's drafts, round by round."""
    tested = all_kept = otherwise = 0
    is_same = same_rule(recorded, shown)
    for round_ in trace.rounds:
        ran, most = _limits(round_, recorded)
        kept = min(ran if is_same else kept_by(shown, round_.proposed), most)
        tested += len(round_.proposed)
        all_kept += kept
        otherwise += kept != min(ran, most)
    return RuleTotal(tested, all_kept, otherwise)


def pieces_of(round_: TracedRound) -> tuple[Piece, ...]:
    """The tokens that a round gave the answer."""
    kept = [Piece(token.text, from_draft=True) for token in round_.proposed[: round_.accepted]]
    return (*kept, Piece(round_.next_text, from_draft=False))[: round_.stats.emitted]


def time_of(round_: TracedRound) -> RoundTime:
    """Where a round's time went."""
    return RoundTime(round_.stats.draft_s, round_.stats.verify_s, round_.stats.sample_s)


def longest_round_s(trace: Trace) -> float:
    """The time of the round that took longest, in seconds."""
    return max((time_of(round_).total_s for round_ in trace.rounds), default=0.0)


def seconds_until(trace: Trace, number: int) -> float:
    """The time from the first token to the end of the round with this number, from 0."""
    return math.fsum(time_of(round_).total_s for round_ in trace.rounds[: number + 1])


def _only_rule(options: SpeculationOptions) -> SpeculationOptions:
    rule = options.acceptance
    plain = SpeculationOptions(acceptance=rule)
    match rule:
        case AcceptanceRule.DIFFERENCE:
            return replace(plain, difference_limit=options.difference_limit)
        case AcceptanceRule.RATIO:
            return replace(plain, ratio_limit=options.ratio_limit)
        case AcceptanceRule.TOP_K:
            return replace(plain, top_k_limit=options.top_k_limit)
        case _:
            return plain


def _limits(round_: TracedRound, recorded: SpeculationOptions) -> tuple[int, int]:
    """How many tokens were kept when it ran, and how many stand before the end of the answer."""
    ran = kept_by(recorded, round_.proposed)
    return ran, round_.stats.emitted if round_.stats.emitted < ran else len(round_.proposed)


def _fate(position: int, kept: int, most: int) -> Fate:
    if position < kept:
        return Fate.KEPT
    if position >= most:
        return Fate.BEYOND
    return Fate.REPLACED if position == kept else Fate.DROPPED


def _own_text(
    round_: TracedRound, kept: int, ran: int, recorded: SpeculationOptions, shown: SpeculationOptions
) -> str | None:
    """The target's own token after `kept` drafted ones, where the record tells it.

    All rules but rejection sampling put there what the target's sampler draws; that one draws from what the
    draft left out, unless all were kept.
    """
    by_residual = {
        options.acceptance is AcceptanceRule.REJECTION and kept < len(round_.proposed)
        for options in (recorded, shown)
    }
    if kept == ran and len(by_residual) == 1:
        return round_.next_text
    if kept < len(round_.proposed) and shown.acceptance is not AcceptanceRule.REJECTION:
        token = round_.proposed[kept]
        return token.text if token.matches else None
    return None
