"""On/off experiments: which runs in which order, and what came of them.

The same prompts are answered with speculation off and on. The order is interleaved, so that a
machine that grows warm or busy does not favour one variant; the token sequences are compared, so that
a faster answer that is another answer is noticed.
"""

import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from app.core.deviations import Place, deviations
from app.core.experiment import (
    Experiment,
    FirstDifference,
    Interval,
    MemoryUse,
    ModelIdentity,
    Plan,
    PlannedRun,
    Run,
    Spread,
    Summary,
    Total,
    Variant,
    reference_of,
)
from app.core.machine import Machine
from app.core.options import LoadOptions, SpeculationMode
from app.core.speedup_interval import speedup_interval

WARM_UP_TOKENS = 8  # of the answers of `warm_ups`

_T = TypeVar("_T")


def schedule(plan: Plan) -> list[PlannedRun]:
    """The runs in the order A B B A A B …: each pass over the variants turns the order round.

    All repeats of a prompt follow each other. With an odd number of repeats the next prompt begins
    with the order reversed, so that the whole stays balanced.
    Raises OptionsError for a plan that cannot be carried out.
    """
    plan.check()
    planned: list[PlannedRun] = []
    forward = True
    ids = [variant.id for variant in plan.variants]
    for prompt in plan.prompts:
        for repeat in range(plan.repeats):
            order = ids if forward else ids[::-1]
            planned += [PlannedRun(variant, prompt.id, repeat) for variant in order]
            forward = not forward
    return planned


def warm_ups(plan: Plan) -> list[PlannedRun]:
    """Short runs to make before those that count: one for each source of drafts, on the first prompt."""
    first: dict[tuple[SpeculationMode, ModelIdentity | None], str] = {}
    for variant in plan.variants:
        first.setdefault((variant.speculation.mode, variant.draft), variant.id)
    return [PlannedRun(id_, plan.prompts[0].id, 0) for id_ in first.values()]


def summarise(
    runs: Sequence[Run],
    variants: tuple[Variant, ...],
    differences: Mapping[Place, FirstDifference] | None = None,
    *,
    intervals: bool = True,
) -> tuple[Summary, ...]:
    """One summary for each prompt and variant that was run, prompts by first appearance.

    `differences` are those of `deviations`, weighed where somebody could. Without
    `intervals`, which take some milliseconds each, it is quick enough for while a measured run goes on.
    """
    if differences is None:
        differences = {place: each.difference for place, each in deviations(runs, variants).items()}
    reference = reference_of(variants).id
    tried = max(1, len(variants) - 1) if intervals else None
    summaries = []
    by_place: dict[Place, list[Run]] = {}
    for run in runs:
        by_place.setdefault((run.variant, run.prompt), []).append(run)
    for prompt in _in_order(run.prompt for run in runs):
        by_variant = {variant.id: by_place.get((variant.id, prompt), []) for variant in variants}
        summaries += [
            _summary(own, by_variant[reference], differences.get((id_, prompt)), tried)
            for id_, own in by_variant.items()
            if own
        ]
    return tuple(summaries)


def totals(runs: Sequence[Run], summaries: Sequence[Summary]) -> tuple[Total, ...]:
    """One line for each variant over all prompts; `summaries` are those of the same runs."""
    found = []
    for variant in _in_order(summary.variant for summary in summaries):
        own = [summary for summary in summaries if summary.variant == variant]
        speedups = [summary.speedup for summary in own if summary.speedup is not None]
        rates = _Rates.of([run for run in runs if run.variant == variant])
        found.append(
            Total(
                variant=variant,
                prompts=len(own),
                speedup=geometric_mean(speedups),
                acceptance_rate=rates.acceptance_rate,
                share_from_draft=rates.share_from_draft,
                mean_accepted_length=rates.mean_accepted_length,
                identical=_all_true([summary.identical for summary in own]),
                repeats_differ=any(summary.repeats_differ for summary in own),
                peak_rss_bytes=max(summary.peak_rss_bytes for summary in own),
            )
        )
    return tuple(found)


def experiment_of(
    plan: Plan,
    runs: Sequence[Run],
    differences: Mapping[Place, FirstDifference],
    *,
    created: float,
    machine: Machine,
    target: ModelIdentity,
    load: LoadOptions,
    memory: MemoryUse,
) -> Experiment:
    """All that came of a plan, or of its beginning. Takes a while where there are many runs.

    `differences` are those that were weighed; the others are there as `deviations` finds them. The peak of
    `memory` is put in here: the highest of the runs.
    """
    found = {place: each.difference for place, each in deviations(runs, plan.variants).items()}
    summary = summarise(runs, plan.variants, {**found, **differences})
    return Experiment(
        created=created,
        kind=plan.kind,
        machine=machine,
        target=target,
        variants=plan.variants,
        prompts=plan.prompts,
        repeats=plan.repeats,
        load=load,
        sampling=plan.sampling,
        limits=plan.limits,
        memory=replace(memory, peak_rss_bytes=max((run.stats.peak_rss_bytes for run in runs), default=0)),
        runs=tuple(runs),
        summary=summary,
        totals=totals(runs, summary),
        is_complete=len(runs) == len(plan.variants) * len(plan.prompts) * plan.repeats,
    )


def geometric_mean(values: Sequence[float]) -> float | None:
    """The mean of factors; None of nothing."""
    return math.exp(math.fsum(math.log(value) for value in values) / len(values)) if values else None


def _summary(
    own: Sequence[Run], reference: Sequence[Run], difference: FirstDifference | None, tried: int | None
) -> Summary:
    """`tried` variants have intervals that hold together; None for no interval."""
    speed, reference_speed = _spread(own), _spread(reference)
    rates = _Rates.of(own)
    is_reference = bool(reference) and own[0].variant == reference[0].variant
    interval: Interval | None = None
    if tried is not None and not is_reference:
        interval = speedup_interval(_speeds(own), _speeds(reference), tried=tried)
    firsts = [each for run in own if (each := run.stats.time_to_first_token_s) is not None]
    return Summary(
        variant=own[0].variant,
        prompt=own[0].prompt,
        runs=len(own),
        generated_tokens=len(own[0].tokens),
        tok_per_s=speed,
        time_to_first_token_s=statistics.median(firsts) if firsts else None,
        speedup=speed.median / reference_speed.median if speed and reference_speed else None,
        speedup_interval=interval,
        tested=sum(run.stats.tested for run in own),
        accepted=sum(run.stats.accepted for run in own),
        acceptance_rate=rates.acceptance_rate,
        share_from_draft=rates.share_from_draft,
        mean_accepted_length=rates.mean_accepted_length,
        tested_by_position=_added([run.stats.tested_by_position for run in own]),
        accepted_by_position=_added([run.stats.accepted_by_position for run in own]),
        draft_s=math.fsum(run.stats.draft_s for run in own),
        verify_s=math.fsum(run.stats.verify_s for run in own),
        sample_s=math.fsum(run.stats.sample_s for run in own),
        identical=difference is None if reference else None,
        first_difference=difference,
        repeats_differ=len({run.tokens for run in own}) > 1,
        peak_rss_bytes=max(run.stats.peak_rss_bytes for run in own),
    )


class _Rates(Struct, frozen=True):
    """Rates over several answers: counts are added first, so that long answers weigh more."""

    acceptance_rate: float | None
    share_from_draft: float | None
    mean_accepted_length: float | None

    @classmethod
    def of(cls, runs: Sequence[Run]) -> "_Rates":
        accepted = sum(run.stats.accepted for run in runs)
        tested = sum(run.stats.tested for run in runs)
        generated = sum(run.stats.generated_tokens for run in runs)
        rounds = sum(run.stats.rounds for run in runs)
        return cls(
            acceptance_rate=accepted / tested if tested else None,
            share_from_draft=accepted / generated if generated else None,
            mean_accepted_length=1 + accepted / rounds if rounds else None,
        )


def _speeds(runs: Sequence[Run]) -> list[float]:
    return [run.stats.tok_per_s for run in runs if run.stats.tok_per_s is not None]


def _spread(runs: Sequence[Run]) -> Spread | None:
    speeds = _speeds(runs)
    return Spread(statistics.median(speeds), min(speeds), max(speeds)) if speeds else None


def _added(counts: Sequence[Sequence[int]]) -> tuple[int, ...]:
    longest = max(map(len, counts))
    return tuple(sum(each[place] for each in counts if place < len(each)) for place in range(longest))


def _all_true(values: Sequence[bool | None]) -> bool | None:
    if any(value is False for value in values):
        return False
    return None if any(value is None for value in values) else True


def _in_order(values: Iterable[_T]) -> list[_T]:
    """The different values in the order of their first appearance."""
    return list(dict.fromkeys(values))
