"""The figures that an expectation is worked out from, and those of an experiment."""

import statistics

from msgspec import Struct
from msgspec.structs import replace

from app.core.expectation import StepCosts, acceptance_from
from app.core.experiment import Experiment, Interval, Variant, reference_of
from app.core.options import LONGEST_DRAFT, SpeculationMode
from app.core.pass_costs import PassCosts
from app.core.speedup_interval import mean_interval


class Assumptions(Struct, frozen=True):
    """What a speed-up is worked out from. Rates are in tokens per second."""

    target_rate: float  # of the target by itself
    draft_rate: float
    drafted: int  # tokens in a draft that is checked
    acceptance: float  # the chance that a drafted token is kept where those before it were
    check_factor: float = 1.0  # plain steps that the check of such a draft costs

    @property
    def costs(self) -> StepCosts:
        """In seconds; checks of other lengths in proportion."""
        return StepCosts(1 / self.target_rate, 1 / self.draft_rate, self.check_factor, self.drafted)

    def costs_by(self, measured: PassCosts) -> StepCosts:
        """The same rates, but with checks of every length in the measured proportion to a plain step."""
        checks = tuple(
            measured.pass_s(drafted + 1) / measured.step_s / self.target_rate
            for drafted in range(LONGEST_DRAFT + 1)
        )
        return replace(self.costs, checks=checks)


class MeasuredPoint(Struct, frozen=True):
    """A speed-up that was measured with drafts of at most so many tokens."""

    mode: SpeculationMode
    drafted: int
    speedup: float
    interval: Interval | None = None  # of the speed-up


def measured_points(experiment: Experiment) -> tuple[MeasuredPoint, ...]:
    """Every variant that drafts at a fixed length, against plain generation.

    Nothing where that was not measured. An automatic length has no place among the others.
    """
    if reference_of(experiment.variants).drafts:
        return ()
    found = []
    for total in experiment.totals:
        variant = next((each for each in experiment.variants if each.id == total.variant), None)
        if variant is None or total.speedup is None:
            continue
        speculation = variant.speculation
        if variant.drafts and not speculation.is_automatic:
            interval = _interval_of(experiment, variant)
            found.append(
                MeasuredPoint(speculation.mode, speculation.max_draft_tokens, total.speedup, interval)
            )
    return tuple(found)


def measured_assumptions(experiment: Experiment) -> Assumptions | None:
    """What the variant with a draft model and the longest drafts came to; None where a figure is missing.

    An automatic length tells neither how fast the draft model is nor how often it is right: prompt lookup
    drafts too, and most where it is right.
    Over all its runs, and for a draft of the length that was checked on average: what a check costs is known
    for that one. A check is the target's pass with the sampling after it, as a plain step is; rounds without
    a draft are taken for plain steps.
    """
    reference = reference_of(experiment.variants)
    variant = _drafting(experiment)
    if variant is None or reference.drafts:
        return None
    plain = [run.stats.tok_per_s for run in experiment.runs if run.variant == reference.id]
    rates = [rate for rate in plain if rate is not None]
    own = [run.stats for run in experiment.runs if run.variant == variant.id]
    tested, accepted = _counts(experiment, variant)
    acceptance = acceptance_from(tested, accepted)
    drafted, draft_s = sum(stats.drafted for stats in own), sum(stats.draft_s for stats in own)
    if not rates or acceptance is None or draft_s <= 0.0:
        return None
    target_rate = statistics.median(rates)
    checks = tested[0]  # each draft that was checked has a first token
    plain_steps = sum(stats.rounds - 1 for stats in own) - checks  # an answer's first round is the prompt's
    passes_s = sum(stats.verify_s + stats.sample_s for stats in own)
    check_s = max(passes_s - plain_steps / target_rate, 0.0) / checks
    return Assumptions(
        target_rate=target_rate,
        draft_rate=drafted / draft_s,
        drafted=round(sum(tested) / checks),
        acceptance=acceptance,
        check_factor=max(
            check_s * target_rate, 1.0
        ),  # less than a step of its own is a disturbed measurement
    )


def measured_acceptance(experiment: Experiment) -> float | None:
    """Of the same variant, the share of all tested tokens that were accepted."""
    variant = _drafting(experiment)
    if variant is None:
        return None
    tested, accepted = _counts(experiment, variant)
    return sum(accepted) / sum(tested) if sum(tested) else None


def _interval_of(experiment: Experiment, variant: Variant) -> Interval | None:
    """That of its one prompt, or that of the mean over all."""
    own = [each for each in experiment.summary if each.variant == variant.id and each.speedup is not None]
    speedups = [each.speedup for each in own if each.speedup is not None]
    return mean_interval(speedups, [each.speedup_interval for each in own])


def _drafting(experiment: Experiment) -> Variant | None:
    """The variant with a draft model and the longest drafts of a fixed length; the first of equals."""
    drafting = [
        each
        for each in experiment.variants
        if each.speculation.mode is SpeculationMode.DRAFT_MODEL and not each.speculation.is_automatic
    ]
    return max(drafting, key=lambda each: each.speculation.max_draft_tokens, default=None)


def _counts(experiment: Experiment, variant: Variant) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Tested and accepted tokens by position, over all prompts."""
    summaries = [summary for summary in experiment.summary if summary.variant == variant.id]
    positions = max((len(summary.tested_by_position) for summary in summaries), default=0)
    tested = _added([summary.tested_by_position for summary in summaries], positions)
    return tested, _added([summary.accepted_by_position for summary in summaries], positions)


def _added(counts: list[tuple[int, ...]], positions: int) -> tuple[int, ...]:
    return tuple(sum(each[place] for each in counts if place < len(each)) for place in range(positions))
