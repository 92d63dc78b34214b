"""A recorded answer, looked at again: what each round tested, and what any acceptance rule makes of it.

Another rule's verdict holds for a round as it was recorded. What would have followed a different verdict is
not known: the answer would have gone on from another place.
"""

import math
from collections.abc import Sequence
from enum import StrEnum
from itertools import accumulate

from msgspec import Struct
from msgspec.structs import replace

from app.core.acceptance_rules import kept_by
from app.core.options import AcceptanceRule, SpeculationOptions
from app.core.trace import Trace, TracedRound

_FITTING = 0.9  # of the rounds have bars that fit
_ROOM = 1.25  # times as wide as the longest of those


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

    fates: tuple[Fate, ...]  # of the tested tokens
    own_text: str | None  # the target's own token after those kept; None where it is not known
    ended: bool  # the answer ended here: no token of the target's own followed
    as_it_ran: bool  # the verdict is the one that the answer was generated with
    own_is_drafted: bool = False  # the target draws the very token there that the rule does not keep

    @property
    def accepted(self) -> int:
        """How many drafted tokens are kept."""
        return self.fates.count(Fate.KEPT)


class RuleTotal(Struct, frozen=True):
    """A rule over all rounds of an answer."""

    tested: int
    accepted: int

    @property
    def rate(self) -> float | None:
        """accepted / tested; None where nothing was tested."""
        return self.accepted / self.tested if self.tested else None


def same_rule(one: SpeculationOptions, other: SpeculationOptions) -> bool:
    """Whether both keep the same tokens: the rule, and its limit where it has one."""
    return _only_rule(one) == _only_rule(other)


def judged(round_: TracedRound, recorded: SpeculationOptions, shown: SpeculationOptions) -> JudgedRound:
    """A round under the rule of `shown`; `recorded` are the options that the answer was generated with.

    Where the answer ended within the draft, the tokens behind its end are nobody's to judge.
    """
    ran, most = _limits(round_, recorded)
    kept = min(ran if same_rule(recorded, shown) else kept_by(shown, round_.tested), most)
    fates = tuple(_fate(position, kept, most) for position in range(len(round_.tested)))
    as_it_ran = kept == min(ran, most)
    ended = as_it_ran and round_.stats.emitted <= ran
    own = None if ended else _own_token(round_, kept, ran, recorded, shown)
    own_is_drafted = own is not None and kept < most and own[0] == round_.tested[kept].token
    return JudgedRound(fates, None if own is None else own[1], ended, as_it_ran, own_is_drafted)


def total_of(trace: Trace, recorded: SpeculationOptions, shown: SpeculationOptions) -> RuleTotal:
    """What a rule keeps of the whole answer's drafts, round by round."""
    tested = accepted = 0
    is_same = same_rule(recorded, shown)
    for round_ in trace.rounds:
        if round_.tested:
            ran, most = _limits(round_, recorded)
            tested += len(round_.tested)
            accepted += min(ran if is_same else kept_by(shown, round_.tested), most)
    return RuleTotal(tested, accepted)


def pieces_of(round_: TracedRound) -> tuple[Piece, ...]:
    """The tokens that a round gave the answer."""
    kept = [Piece(token.text, from_draft=True) for token in round_.tested[: round_.accepted]]
    return (*kept, Piece(round_.next_text, from_draft=False))[: round_.stats.emitted]


def passed_s(ends: Sequence[float], round_: TracedRound, number: int, *, is_checked: bool) -> float:
    """Seconds after the first token at which the `number`th round was drafted, or was over."""
    return ends[number] if is_checked else ends[number] - round_.stats.total_s + round_.stats.draft_s


def bar_scale(trace: Trace, step_s: float | None) -> float:
    """How many seconds the bars of rounds, and of the plain steps beside them, should be wide.

    Nearly all fit; a few that took far longer than others may be cut. 0 where nothing took any time.
    """
    plain = 0.0 if step_s is None else step_s
    spans = sorted(max(each.stats.total_s, each.stats.emitted * plain) for each in trace.rounds[1:])
    if not spans:
        return 0.0
    usual = spans[math.ceil(_FITTING * len(spans)) - 1]
    return min(spans[-1], _ROOM * usual) if usual else spans[-1]


def ends_of(trace: Trace) -> tuple[float, ...]:
    """When each round ended, in seconds after the first token."""
    return tuple(accumulate(round_.stats.total_s for round_ in trace.rounds))


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
    ran = kept_by(recorded, round_.tested)
    return ran, round_.stats.emitted if round_.stats.emitted < ran else len(round_.tested)


def _fate(position: int, kept: int, most: int) -> Fate:
    if position < kept:
        return Fate.KEPT
    if position >= most:
        return Fate.BEYOND
    return Fate.REPLACED if position == kept else Fate.DROPPED


def _own_token(
    round_: TracedRound, kept: int, ran: int, recorded: SpeculationOptions, shown: SpeculationOptions
) -> tuple[int, str] | None:
    """The target's own token after `kept` drafted ones with its text, where the record tells it.

    All rules but rejection sampling put there what the target's sampler draws. That one draws from what the
    draft left out, unless all were kept; of a greedy target that is its likeliest token again.
    """
    wrong = round_.tested[kept] if kept < len(round_.tested) else None
    may_differ = wrong is not None and not wrong.target_is_greedy
    by_residual = {
        options.acceptance is AcceptanceRule.REJECTION and may_differ for options in (recorded, shown)
    }
    if kept == ran and len(by_residual) == 1:
        return round_.next_token, round_.next_text
    if wrong is not None and wrong.matches and shown.acceptance is not AcceptanceRule.REJECTION:
        return wrong.token, wrong.text
    return None
