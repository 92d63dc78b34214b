"""Timing passes on this machine: what a check of a draft costs, and what drafting does.

Other programs disturb a measurement, and they only ever make it slower: the least of several passes counts.
Sweeps over all lengths follow each other, so that what disturbs for a while disturbs all of them alike, and
go on until the least times have come out twice.
"""

from time import perf_counter

from app.core.pass_costs import PassCosts
from app.engine.cache import CachedModel, Progress
from app.engine.timed_passes import Clock, TimedPasses, spread
from app.engine.tokens import Tokens

ORDINARY_WORDS = (
    "A river carries what the rain washes off the hills, and where it slows down it lets the sand fall "
    "first, then the silt, so that a plain grows at its mouth and the coast moves out to sea."
)
LENGTHS = (1, 2, 3, 4, 6, 9, 13, 17)  # tokens; many kernels take another way from four on
CONTEXT_TOKENS = 32
ENOUGH_S = 1.5  # after which no more passes are repeated where the times agree
PATIENCE_S = 6.0  # where they do not
LEAST_SWEEPS, MOST_SWEEPS = 2, 12
AGREED = 0.1  # two times that are as near as this, as a share, agree


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
    passes = TimedPasses(target, draft, text, most, CONTEXT_TOKENS, clock)
    lengths = [length for length in LENGTHS if length < passes.most] + [passes.most]
    times: list[list[float]] = [[] for _ in lengths]
    draft_times: list[float] = []
    passes.read_context()
    started = clock()
    order = list(range(len(lengths)))
    for sweep in range(1, MOST_SWEEPS + 1):
        for done, place in enumerate(order):
            if on_progress is not None:
                on_progress((sweep - 1) * len(order) + done, max(sweep, LEAST_SWEEPS) * len(order))
            times[place].append(passes.target_s(lengths[place]))
        if draft is not None:
            draft_times.append(passes.drafting_s())
        order.reverse()  # so that a machine that grows warm favours no length
        agree = all(spread(each) <= AGREED for each in (*times, draft_times))
        spent = clock() - started
        if sweep >= LEAST_SWEEPS and spent + spent / sweep > (ENOUGH_S if agree else PATIENCE_S):
            break
    return PassCosts(
        tuple(lengths),
        tuple(min(each) for each in times),
        min(draft_times, default=None),
        passes.context_tokens,
        tuple(spread(each) for each in times),
        spread(draft_times),
    )
