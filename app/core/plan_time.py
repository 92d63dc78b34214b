"""How long a plan will take, by what answers took before."""

from collections.abc import Sequence

from app.core.experiment import Plan, Run


def seconds_at_most(plan: Plan, runs: Sequence[Run]) -> float | None:
    """All answers at their full length, each like the mean of `runs`; None where those tell nothing.

    Variants that were not run before are taken to be like the others.
    """
    if not plan.limits.max_tokens:
        return None
    times = [
        run.stats.time_to_first_token_s + plan.limits.max_tokens / run.stats.tok_per_s
        for run in runs
        if run.stats.time_to_first_token_s is not None and run.stats.tok_per_s is not None
    ]
    if not times:
        return None
    return sum(times) / len(times) * len(plan.variants) * len(plan.prompts) * plan.repeats
