"""Whether an experiment holds together: what was opened from a file may be anybody's.

Who shows an experiment relies on this: ids that are known, figures that can be drawn, counts that fit each
other.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from app.core.chat import DraftSpan
from app.core.experiment import Experiment, Run, Summary, Total
from app.core.stats import GenerationStats
from app.core.trace import Trace, TracedRound, TracedToken

_LARGEST = 10**15  # no byte count, token or seed is more
_DATES = (946_684_800.0, 7_258_118_400.0)  # the years 2000 to 2200, in seconds since 1970


def inconsistency(experiment: Experiment) -> str | None:
    """What does not hold together, to stand after a colon; None where all is well."""
    return next(_problems(experiment), None)


def _problems(experiment: Experiment) -> Iterator[str]:
    if any(abs(number) > _LARGEST for number in _numbers(experiment)):
        yield "it has a figure that cannot be true"
    if not _DATES[0] <= experiment.created < _DATES[1]:
        yield "its date cannot be true"
    for kind, ids in (
        ("mode", [variant.id for variant in experiment.variants]),
        ("prompt", [prompt.id for prompt in experiment.prompts]),
    ):
        if not ids:
            yield f"it names no {kind}"
        if len(set(ids)) < len(ids):
            yield f"it names a {kind} twice"
    yield from _kind_problems(experiment)
    yield from _setting_problems(experiment)
    yield from _place_problems(experiment)
    if not all(map(_run_holds, experiment.runs)):
        yield "the figures of a run contradict each other"
    longest = max(len(run.tokens) for run in experiment.runs)
    if not all(_summary_holds(summary, longest) for summary in experiment.summary):
        yield "the figures of a summary contradict each other"
    if not all(map(_total_holds, experiment.totals)):
        yield "the figures over all prompts contradict each other"
    if not all(map(_trace_holds, experiment.traces)):
        yield "a recorded answer contradicts itself"


def _kind_problems(experiment: Experiment) -> Iterator[str]:
    """What each kind's page takes for granted."""
    if experiment.kind == "prompt" and len(experiment.variants) != 2:
        yield "only two modes can stand side by side"
    if experiment.kind != "suite" and len(experiment.prompts) != 1:
        yield "it needs one prompt"


def _setting_problems(experiment: Experiment) -> Iterator[str]:
    yield from experiment.load.problems()
    yield from experiment.sampling.problems()
    yield from experiment.limits.problems()
    for variant in experiment.variants:
        yield from variant.speculation.problems()
    if experiment.repeats < 1:
        yield "it has no repeats"


def _place_problems(experiment: Experiment) -> Iterator[str]:
    """Whether all that was measured belongs to what was planned, and is there once."""
    variants = {variant.id for variant in experiment.variants}
    places = {(variant, prompt.id) for variant in variants for prompt in experiment.prompts}
    run = Counter((run.variant, run.prompt) for run in experiment.runs)
    summed = {(summary.variant, summary.prompt): summary.runs for summary in experiment.summary}
    if not run:
        yield "it has no runs"
    if not run.keys() <= places or not {(each.variant, each.prompt) for each in experiment.traces} <= places:
        yield "it has an answer to something that it does not name"
    if len({(each.variant, each.prompt, each.repeat) for each in experiment.runs}) < len(experiment.runs):
        yield "it has a run twice"
    if summed != run or len(summed) < len(experiment.summary):
        yield "its summary is not that of its runs"
    if sorted(each.variant for each in experiment.totals) != sorted({variant for variant, _ in run}):
        yield "its totals are not those of its runs"
    if not experiment.memory.draft_bytes.keys() <= variants:
        yield "it measured the memory of something that it does not name"


def _run_holds(run: Run) -> bool:
    return run.repeat >= 0 and min(run.tokens, default=0) >= 0 and _stats_hold(run.stats) and _spans_hold(run)


def _spans_hold(run: Run) -> bool:
    """In the order of the text, none over another's end or its own."""
    end = 0
    for span in run.spans:
        share = span.probability
        if span.start < end or span.length < 1 or not (share is None or 0 <= share <= 1):
            return False
        if not 1 <= span.round <= _LARGEST or not 1 <= span.position <= _LARGEST:
            return False
        end = span.start + span.length
    return end <= len(run.text)


def _stats_hold(stats: GenerationStats) -> bool:
    return (
        _none_is_negative(stats)
        and stats.tok_per_s != 0
        and stats.accepted <= stats.tested <= stats.drafted
        and (stats.looked_up or 0) <= stats.tested
        and (stats.looked_up_accepted or 0) <= min(stats.accepted, stats.looked_up or 0)
        and _positions_hold(stats.accepted_by_position, stats.tested_by_position)
        and _are_shares(stats.acceptance_rate)
    )


def _summary_holds(summary: Summary, longest: int) -> bool:
    speed, interval, difference = summary.tok_per_s, summary.speedup_interval, summary.first_difference
    return (
        _none_is_negative(replace(summary, first_difference=None))
        and (speed is None or 0 < speed.min <= speed.median <= speed.max)
        and (interval is None or 0 < interval.low <= interval.high)
        and summary.speedup != 0
        and summary.accepted <= summary.tested
        and _positions_hold(summary.accepted_by_position, summary.tested_by_position)
        and _are_shares(summary.acceptance_rate)
        and (difference is None or 0 <= difference.position <= longest)
        and (difference is None or (difference.text_position or 0) >= 0)
        and (difference is None or (difference.margin or 0.0) >= 0.0)
    )


def _total_holds(total: Total) -> bool:
    return _none_is_negative(total) and total.speedup != 0 and _are_shares(total.acceptance_rate)


def _trace_holds(trace: Trace) -> bool:
    return all(map(_round_holds, trace.rounds))


def _round_holds(round_: TracedRound) -> bool:
    counts = round_.stats
    return (
        0 <= round_.accepted <= len(round_.tested)
        and _none_is_negative(counts)
        and counts.accepted <= counts.tested <= counts.drafted
        and counts.looked_up <= counts.tested
        and all(map(_token_holds, round_.tested))
    )


def _token_holds(token: TracedToken) -> bool:
    return token.target_rank >= 0 and _are_shares(
        token.draft_probability, token.drawn_probability, token.target_probability, token.luck
    )


def _positions_hold(accepted: tuple[int, ...], tested: tuple[int, ...]) -> bool:
    return len(accepted) == len(tested) and all(
        one <= other for one, other in zip(accepted, tested, strict=True)
    )


def _are_shares(*values: float | None) -> bool:
    return all(value is None or 0 <= value <= 1 for value in values)


def _none_is_negative(value: Struct) -> bool:
    return all(number >= 0 for number in _numbers(value))


def _numbers(value: object) -> Iterator[float]:
    """Every number in a struct and in what it holds; of many in a row the least and the largest.

    Spans are left to `_spans_hold`: there are too many of them.
    """
    if isinstance(value, tuple) and value and isinstance(value[0], int | float):
        parts: Iterable[object] = (min(value), max(value))
    elif isinstance(value, tuple) and value and isinstance(value[0], DraftSpan):
        return
    elif isinstance(value, Struct):
        parts = (getattr(value, name) for name in value.__struct_fields__)
    elif isinstance(value, dict):
        parts = value.values()
    elif isinstance(value, tuple):
        parts = value
    else:
        if isinstance(value, int | float):
            yield value
        return
    for part in parts:
        yield from _numbers(part)
