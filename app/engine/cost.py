"""Timing passes on this machine: what a check of a draft costs, and what drafting does.

Other programs disturb a measurement, and they only ever make it slower: the least of several passes counts.
"""

from collections.abc import Callable
from time import perf_counter

import numpy as np

from app.core.pass_costs import PassCosts
from app.engine.cache import CachedModel
from app.engine.distribution import probability_of
from app.engine.tokens import Tokens

Clock = Callable[[], float]

ORDINARY_WORDS = (
    "A river carries what the rain washes off the hills, and where it slows down it lets the sand fall "
    "first, then the silt, so that a plain grows at its mouth and the coast moves out to sea."
)
CONTEXT_TOKENS = 32
ENOUGH_S = 0.8  # after which no more passes are repeated
MOST_SWEEPS = 8
_IN_A_ROW = 2  # passes of one length: the second finds the compute graph of the first
_DRAFTED_IN_A_ROW = 4


def measure_costs(
    target: CachedModel,
    draft: CachedModel | None,
    text: Tokens,
    most: int,
    clock: Clock = perf_counter,
) -> PassCosts:
    """Times target passes over 1 to `most` tokens after a short context, and drafting one token.

    `text` is read, again and again where it is short: `ORDINARY_WORDS` as tokens, since the experts of a
    mixture are chosen by what is read. Sweeps over all lengths are repeated for about `ENOUGH_S`, the first
    in any case; in a context too short for `most` tokens there are fewer lengths. Afterwards the caches hold
    some of the context. Raises InterruptedPassError when the stop signal attached to the caches is set.
    """
    models = [target] if draft is None else [target, draft]
    room = min(model.context_length for model in models)
    most = min(most, room - 1)
    known = np.minimum(text, min(model.vocabulary_size for model in models) - 1)
    context = np.resize(known, min(CONTEXT_TOKENS, room - max(most, _DRAFTED_IN_A_ROW)))
    target_s = [float("inf")] * most
    draft_s = float("inf")
    for model in models:
        _return_to(model, context)
    started = clock()
    lengths = list(range(1, most + 1))
    for sweep in range(1, MOST_SWEEPS + 1):
        for length in lengths:
            taken = _target_pass_s(target, context, np.resize(known, length), clock)
            target_s[length - 1] = min(target_s[length - 1], taken)
        if draft is not None:
            draft_s = min(draft_s, _drafting_s(draft, context, known[0], clock))
        lengths.reverse()  # so that a machine that grows warm favours no length
        spent = clock() - started
        if spent + spent / sweep > ENOUGH_S:
            break
    return PassCosts(tuple(target_s), None if draft is None else draft_s, len(context))


def _target_pass_s(target: CachedModel, context: Tokens, tokens: Tokens, clock: Clock) -> float:
    """The least time of a pass over `tokens` and of taking them back."""
    least = float("inf")
    for _ in range(_IN_A_ROW):
        _return_to(target, context)
        started = clock()
        target.forward(tokens)
        target.truncate(len(context))
        least = min(least, clock() - started)
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
