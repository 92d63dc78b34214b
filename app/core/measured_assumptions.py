"""The figures of an experiment, as the models of expectation take them."""

import statistics

from msgspec import Struct

from app.core.expectation import StepCosts, acceptance_from
from app.core.experiment import Experiment, Variant, reference_of
from app.core.options import SpeculationMode


class Assumptions(Struct, frozen=True):
    """What a speed-up is worked out from. Rates are in tokens per second."""

    target_rate: float  # of the target by itself
    draft_rate: float
    drafted: int  # tokens in a draft
    acceptance: float  # the chance that a drafted token is kept where those before it were
    check_factor: float = 1.0  # plain steps that a check costs

    @property
    def costs(self) -> StepCosts:
        """In seconds."""
        return StepCosts(1 / self.target_rate, 1 / self.draft_rate, self.check_factor)


class MeasuredPoint(Struct, frozen=True):
    """A speed-up that was measured with drafts of at most so many tokens."""

    mode: SpeculationMode
    drafted: int
    speedup: float


def measured_points(experiment: Experiment) -> tuple[MeasuredPoint, ...]:
    """Every variant that drafts, against plain generation; nothing where that was not measured."""
    if reference_of(experiment.variants).drafts:
        return ()
    speedups = {total.variant: total.speedup for total in experiment.totals}
    return tuple(
        MeasuredPoint(variant.speculation.mode, variant.speculation.max_draft_tokens, speedup)
        for variant in experiment.variants
        if variant.drafts and (speedup := speedups.get(variant.id)) is not None
    )


def measured_assumptions(experiment: Experiment) -> Assumptions | None:
    """What the first variant with a draft model came to; None where a figure is missing.

    Over all its runs. A check is the target's pass with the sampling after it, as a plain step is.
    """
    reference = reference_of(experiment.variants)
    drafting = (each for each in experiment.variants if _has_draft_model(each))
    variant = next(drafting, None)
    if variant is None or reference.drafts:
        return None
    plain = [run.stats.tok_per_s for run in experiment.runs if run.variant == reference.id]
    rates = [rate for rate in plain if rate is not None]
    own = [run.stats for run in experiment.runs if run.variant == variant.id]
    summaries = [summary for summary in experiment.summary if summary.variant == variant.id]
    positions = max((len(summary.tested_by_position) for summary in summaries), default=0)
    acceptance = acceptance_from(
        _added([summary.tested_by_position for summary in summaries], positions),
        _added([summary.accepted_by_position for summary in summaries], positions),
    )
    drafted, draft_s = sum(stats.drafted for stats in own), sum(stats.draft_s for stats in own)
    passes = sum(stats.rounds - 1 for stats in own)  # an answer's first round is the prompt's
    if not rates or acceptance is None or not drafted or draft_s <= 0.0 or passes <= 0:
        return None
    target_rate = statistics.median(rates)
    check_s = sum(stats.verify_s + stats.sample_s for stats in own) / passes
    return Assumptions(
        target_rate=target_rate,
        draft_rate=drafted / draft_s,
        drafted=variant.speculation.max_draft_tokens,
        acceptance=acceptance,
        check_factor=check_s * target_rate,
    )


def _has_draft_model(variant: Variant) -> bool:
    return variant.speculation.mode is SpeculationMode.DRAFT_MODEL


def _added(counts: list[tuple[int, ...]], positions: int) -> tuple[int, ...]:
    return tuple(sum(each[place] for each in counts if place < len(each)) for place in range(positions))
