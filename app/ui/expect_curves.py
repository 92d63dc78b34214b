"""The expected speed-up for every draft length, as a chart shows it."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QCoreApplication

from app.core.expectation import StepCosts, best_length, speedup
from app.core.measured_assumptions import Assumptions, MeasuredPoint
from app.core.options import LONGEST_DRAFT, SpeculationMode
from app.core.pass_costs import PassCosts
from app.ui.chart_series import Level, Series

translate = QCoreApplication.translate


class Curves(Struct, frozen=True):
    """What the chart shows."""

    series: tuple[Series, ...]
    levels: tuple[Level, ...]


def curves(
    figures: Assumptions,
    in_force: StepCosts,
    measured: PassCosts | None = None,
    points: Sequence[MeasuredPoint] = (),
) -> Curves:
    """The model with one cost for every check and, where they were measured, with the cost of each.

    `in_force` are the costs that the chosen length is reckoned with, `points` speed-ups that were measured.
    """
    costs, acceptance = figures.costs, figures.acceptance
    series = [_curve(translate("Expect", "Expected"), costs, acceptance, LONGEST_DRAFT, "accent")]
    if measured is not None:
        own = costs_of(figures, measured)
        longest = min(len(own.checks) - 1, LONGEST_DRAFT)
        name = translate("Expect", "Expected, each check as measured")
        series = [replace(series[0], best=None), _curve(name, own, acceptance, longest, "chart_2")]
    chosen = translate("Expect", "Your draft of {count}").format(count=figures.drafted)
    here = (float(figures.drafted), speedup(in_force, figures.drafted, acceptance))
    series.append(Series(chosen, (here,), "text", line=False))
    for mode, name, role in (
        (SpeculationMode.DRAFT_MODEL, translate("Expect", "Measured, Draft Model"), "chart_4"),
        (SpeculationMode.PROMPT_LOOKUP, translate("Expect", "Measured, Prompt Lookup"), "chart_5"),
    ):
        own_points = tuple(sorted((float(p.drafted), p.speedup) for p in points if p.mode is mode))
        if own_points:
            series.append(Series(name, own_points, role, line=False))
    return Curves(tuple(series), (Level(translate("Expect", "Plain steps"), 1.0, "faint"),))


def costs_of(figures: Assumptions, measured: PassCosts) -> StepCosts:
    """The figures' rates, with checks in the measured proportion to a plain step."""
    costs, plain = figures.costs, measured.target_s[0]
    return replace(costs, checks=tuple(each / plain * costs.target for each in measured.target_s))


def _curve(name: str, costs: StepCosts, acceptance: float, longest: int, role: str) -> Series:
    best = best_length(costs, acceptance, longest)
    return Series(
        name=name,
        points=tuple((float(n), speedup(costs, n, acceptance)) for n in range(1, longest + 1)),
        role=role,
        best=best - 1 if best else None,
    )
