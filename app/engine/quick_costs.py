"""Timing passes in the moments after a load: what cost.py does at leisure, in a second or two.

The passes that count most come first, so that of a big model the others are left out; what passes really take
corrects the times later on. Each timing is the better of two; of several the middle one counts, not the
least: single tokens are timed most often, and the least of many is less than that of a few.
"""

from enum import IntEnum, auto
from statistics import median_low
from time import perf_counter
from typing import NamedTuple

from app.core.pass_costs import PassCosts
from app.engine.cache import CachedModel, Progress
from app.engine.cost import AGREED
from app.engine.timed_passes import DRAFTED_IN_A_ROW, Clock, TimedPasses, spread
from app.engine.tokens import Tokens

BUDGET_S = 1.8  # for all, the context included
CONTEXT_TOKENS = 4
LEAST_SWEEPS, MOST_SWEEPS = 2, 8


class _Kind(IntEnum):
    TARGET = auto()
    DRAFTING = auto()
    FEED = auto()


class _Pass(NamedTuple):
    """What can be timed."""

    kind: _Kind
    tokens: int


_STEP = _Pass(_Kind.TARGET, 1)
_BY_IMPORTANCE = (
    _STEP,
    _Pass(_Kind.TARGET, 4),
    _Pass(_Kind.DRAFTING, 1),
    _STEP,  # what all others are compared with must have come out twice
    _Pass(_Kind.TARGET, 2),
    _Pass(_Kind.TARGET, 8),
    _Pass(_Kind.FEED, 8),
    _Pass(_Kind.TARGET, 17),
    _Pass(_Kind.TARGET, 3),
    _Pass(_Kind.FEED, 2),
    _Pass(_Kind.TARGET, 6),
    _Pass(_Kind.FEED, 17),
    _Pass(_Kind.FEED, 4),
    _Pass(_Kind.TARGET, 5),
    _Pass(_Kind.TARGET, 12),
    _Pass(_Kind.FEED, 64),  # what a prompt costs; of a big model a real one tells
)
_ALWAYS = 4  # of the first ones, whatever they take: without them nothing is known
_FAMILIES = {
    _Kind.TARGET: (_Kind.TARGET,),
    _Kind.DRAFTING: (_Kind.DRAFTING,),
    _Kind.FEED: (_Kind.FEED, _Kind.DRAFTING),
}


def measure_quickly(
    target: CachedModel,
    draft: CachedModel | None,
    text: Tokens,
    most: int,
    clock: Clock = perf_counter,
    on_progress: Progress | None = None,
) -> PassCosts:
    """Times target passes over up to `most` tokens, drafting one, and the draft model's longer passes.

    It takes less than `BUDGET_S`, unless the very first passes take longer. `text`, the context, stopping and
    what the caches hold afterwards are as in `measure_costs`. Progress is that of the passes, of as many as
    are made at least, those left out among them.
    """
    passes = TimedPasses(target, draft, text, most, CONTEXT_TOKENS, clock)
    plan = _plan(passes, drafts=draft is not None)
    times: dict[_Pass, list[float]] = {}
    spent: dict[_Pass, float] = {}  # on timing it once, which may be several passes
    begun = clock()
    passes.read_context()
    for sweep in range(MOST_SWEEPS):
        had_time = False
        for done, each in enumerate(plan):
            if on_progress is not None:
                on_progress(sweep * len(plan) + done, max(sweep + 1, LEAST_SWEEPS) * len(plan))
            now = clock()
            needed = sweep == 0 and done < _ALWAYS
            if needed or now - begun + _expected_s(each, spent) <= BUDGET_S:
                times.setdefault(each, []).append(_time(passes, each))
                spent[each] = clock() - now
                had_time = True
        agree = all(spread(taken) <= AGREED for taken in times.values())
        if not had_time or (agree and sweep + 1 >= LEAST_SWEEPS):
            break
    if on_progress is not None:
        on_progress((sweep + 1) * len(plan), (sweep + 1) * len(plan))
    return _costs(times, passes.context_tokens)


def _plan(passes: TimedPasses, *, drafts: bool) -> list[_Pass]:
    """What is timed in a sweep; the longest pass that there is room for is among it."""
    longest = _Pass(_Kind.TARGET, passes.most)
    kinds = _Kind if drafts else (_Kind.TARGET,)
    room = {_Kind.TARGET: passes.most, _Kind.DRAFTING: passes.most, _Kind.FEED: passes.most_fed}
    plan = [each for each in _BY_IMPORTANCE if each.kind in kinds and each.tokens <= room[each.kind]]
    return plan if longest in plan else [*plan, longest]


def _time(passes: TimedPasses, each: _Pass) -> float:
    match each.kind:
        case _Kind.TARGET:
            return passes.target_s(each.tokens)
        case _Kind.FEED:
            return passes.feed_s(each.tokens)
        case _Kind.DRAFTING:
            return passes.drafting_s()


def _expected_s(each: _Pass, spent: dict[_Pass, float]) -> float:
    """How long timing it will take: as last time, or at most as the longest shorter one by the token."""
    if each in spent:
        return spent[each]
    family = _FAMILIES[each.kind]
    shorter = [other for other in spent if other.kind in family and other.tokens < each.tokens]
    longest = max(shorter, key=lambda other: other.tokens, default=None)
    if longest is None:
        return 0.0
    read = DRAFTED_IN_A_ROW if longest.kind is _Kind.DRAFTING else longest.tokens
    return spent[longest] * each.tokens / read


def _costs(times: dict[_Pass, list[float]], context_tokens: int) -> PassCosts:
    target, drafting, feeds = (
        {each.tokens: taken for each, taken in sorted(times.items()) if each.kind is kind}
        for kind in (_Kind.TARGET, _Kind.DRAFTING, _Kind.FEED)
    )
    drafted = drafting.get(1, [])
    if drafted:  # which is reading one token, and choosing the next
        feeds = {1: drafted} | feeds
    return PassCosts(
        lengths=tuple(target),
        target_s=tuple(map(median_low, target.values())),
        draft_s=median_low(drafted) if drafted else None,
        context_tokens=context_tokens,
        target_spreads=tuple(map(spread, target.values())),
        draft_spread=spread(drafted),
        feed_lengths=tuple(feeds),
        feed_times_s=tuple(map(median_low, feeds.values())),
    )
