"""How automatic_speed.py prints what automatic_bounds.py found."""

from collections.abc import Sequence
from statistics import median

from app.core.options import LONGEST_DRAFT
from tests.benchmarks.automatic_bounds import (
    AUTO,
    OFF,
    PromptVerdict,
    Reach,
    Series,
    is_fixed,
    means,
    place_of,
    reach,
)

_NAME, _FIGURE = 26, 9  # columns


def head(series: Series, ways: Sequence[str]) -> str:
    """What is measured, how far perfect guesses could go, and the columns."""
    costs = series.costs
    lengths = [length for length in (1, 2, 3, 4, 6, 8, 12, 17) if length <= costs.longest]
    steps = ", ".join(f"{length}: {costs.pass_s(length) / costs.step_s:.2f}" for length in lengths)
    draft_s = costs.draft_s or 0.0
    unsteady = "" if costs.is_steady else " (the times disagree: the machine was busy)"
    columns = "".join(f"{way:>{_FIGURE}}" for way in ways)
    return (
        f"\n{series.title}\n"
        f"plain step {1000 * costs.step_s:.2f} ms; tokens checked at once cost, in plain steps, {steps}; "
        f"a drafted token {draft_s / costs.step_s:.2f}{unsteady}\n"
        f"perfect guesses: {_reach_text(_reach(series))}; at no cost: {_reach_text(_free_reach(series))}\n"
        f"{'tok/s':<{_NAME}}{columns}  auto/off  auto/best  of perfect  whole"
    )


def line(series: Series, verdict: PromptVerdict) -> str:
    """One prompt: speeds; automatic against off, the best fixed way, perfect guesses, whole time."""
    speeds = "".join(f"{speed:>{_FIGURE}.2f}" for speed in verdict.speeds.values())
    gain = verdict.against_off[AUTO]
    same = "identical" if verdict.difference is None else f"differs {place_of(verdict.difference)}"
    return (
        f"{verdict.prompt:<{_NAME}}{speeds}{gain:>10.3f}{verdict.against_best_fixed:>11.3f}"
        f"{gain / _reach(series).speedup:>12.0%}{verdict.whole:>7.3f}  best {verdict.best_fixed}; {same}"
    )


def foot(verdicts: Sequence[PromptVerdict]) -> str:
    """The geometric means over the suites, and the best single setting."""
    found = means(verdicts)
    if not found:
        return "no prompt was run in every way"
    best = max(filter(is_fixed, found), key=found.__getitem__)
    figures = "".join(f"{found[way]:>{_FIGURE}.3f}" for way in found)
    scatter = median(verdict.off_scatter for verdict in verdicts)
    nearest = min(verdict.against_off[AUTO] for verdict in verdicts)
    whole = min(verdict.whole for verdict in verdicts)
    return (
        f"{'all suites, x ' + OFF:<{_NAME}}{figures}\n"
        f"automatic {found[AUTO]:.3f}, best single setting {best} {found[best]:.3f}; "
        f"least of automatic on a prompt: {nearest:.3f}, {whole:.3f} of the whole time; "
        f"off scatters by {scatter:.1%} on a prompt (median)"
    )


def _reach(series: Series) -> Reach:
    return reach(series.costs, series.costs.draft_s or 0.0, LONGEST_DRAFT)


def _free_reach(series: Series) -> Reach:
    return reach(series.costs, 0.0, LONGEST_DRAFT)


def _reach_text(found: Reach) -> str:
    return (
        f"{found.speedup:.2f} x off with {found.length} a round" if found.length else "never faster than off"
    )
