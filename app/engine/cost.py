"""Timing passes on this machine: what a check of a draft costs, and what drafting does.

Other programs disturb a measurement, and they only ever make it slower: the least of several passes counts.
Sweeps over all lengths follow each other, so that what disturbs for a while disturbs all of them alike, and
go on until the least times have come out twice.
"""

from collections.abc import Callable
from time import perf_counter

import numpy as np

from app.core.pass_costs import PassCosts
from app.engine.cache import CachedModel, Progress
from app.engine.distribution import probability_of
from app.engine.tokens import Tokens

Clock = Callable[[], float]

ORDINARY_WORDS = (
    "A river carries what the rain washes off the hills, and where it slows down it lets the sand fall "
    "first, then the silt, so that a plain grows at its mouth and the coast moves out to sea."
)
LENGTHS = (1, 2, 3, 4, 6, 9, 13, 17)  # tokens; many kernels take another way from four on
CONTEXT_TOKENS = 32
ENOUGH_S = 1.5  # after which no more passes are repeated where the times agree
PATIENCE_S = 6.0  # where they do not
LEAST_SWEEPS, MOST_SWEEPS = 2, 12
_AGREED = 0.1  # two times that are as near as this, as a share, agree
_SLOW_S = (
    0.05  # a pass so long that the compute graph, which it builds unless it finds it, counts for nothing
)
_DRAFTED_IN_A_ROW = 4


def measure_costs(
    target: CachedModel,
    draft: CachedModel | None,
    text: Tokens,
    most: int,
    clock: Clock = perf_counter,
    on_progress: Progress | None = None,
) -> PassCosts:
    """Times target passes over 1 to `most` tokens after a short context, and drafting one token.

    `text` is read, again and again where it is short: `ORDINARY_WORDS` as tokens, since the experts of a
    mixture are chosen by what is read. Of the lengths only some are timed, `LENGTHS` and `most` itself; in a
    context too short for `most` tokens there are fewer. Afterwards the caches hold some of the context.
    Progress is that of the passes, of as many as are known to be needed.
    Raises InterruptedPassError when the stop signal attached to the caches is set.
    """
    models = [target] if draft is None else [target, draft]
    room = min(model.context_length for model in models)
    most = min(most, room - 1)
    lengths = [length for length in LENGTHS if length < most] + [most]
    known = np.minimum(text, min(model.vocabulary_size for model in models) - 1)
    context = np.resize(known, min(CONTEXT_TOKENS, room - max(most, _DRAFTED_IN_A_ROW)))
    times: list[list[float]] = [[] for _ in lengths]
    draft_times: list[float] = []
    for model in models:
        _return_to(model, context)
    started = clock()
    order = list(range(len(lengths)))
    for sweep in range(1, MOST_SWEEPS + 1):
        for done, place in enumerate(order):
            if on_progress is not None:
                on_progress((sweep - 1) * len(order) + done, max(sweep, LEAST_SWEEPS) * len(order))
            times[place].append(_target_pass_s(target, context, np.resize(known, lengths[place]), clock))
        if draft is not None:
            draft_times.append(_drafting_s(draft, context, known[0], clock))
        order.reverse()  # so that a machine that grows warm favours no length
        agree = all(_spread(each) <= _AGREED for each in (*times, draft_times))
        spent = clock() - started
        if sweep >= LEAST_SWEEPS and spent + spent / sweep > (ENOUGH_S if agree else PATIENCE_S):
            break
    return PassCosts(
        tuple(lengths),
        tuple(min(each) for each in times),
        min(draft_times, default=None),
        len(context),
        tuple(_spread(each) for each in times),
        _spread(draft_times),
    )


def _spread(times: list[float]) -> float:
    """By which share the second-least time is above the least; 0 of fewer than two."""
    least, second = sorted(times)[:2] if len(times) > 1 else (0.0, 0.0)
    return second / least - 1 if least > 0.0 else 0.0


def _target_pass_s(target: CachedModel, context: Tokens, tokens: Tokens, clock: Clock) -> float:
    """The time of a pass over `tokens` and of taking them back; of a quick one the better of two."""
    least = float("inf")
    for _ in range(2):
        _return_to(target, context)
        started = clock()
        target.forward(tokens)
        target.truncate(len(context))
        least = min(least, clock() - started)
        if least > _SLOW_S:
            break
    return least


def _drafting_s(draft: CachedModel, context: Tokens, token: int, clock: Clock) -> float:
    """The least time of reading a token and choosing the likeliest one after it, as a greedy draft does."""
    _return_to(draft, context)
    least = float("inf")
    for _ in range(_DRAFTED_IN_A_ROW):
        started = clock()
        row = draft.forward(np.array([token], np.int32))[0]
        token = int(row.argmax())
        probability_of(row, token)
        least = min(least, clock() - started)
    draft.truncate(len(context))
    return least


def _return_to(model: CachedModel, context: Tokens) -> None:
    """Makes the cache hold the context; it does already unless its state could not go back."""
    if not np.array_equal(model.tokens, context):
        model.sync(context)
