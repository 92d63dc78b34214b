"""The expected speed-up for every draft length, as a chart shows it."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QCoreApplication

from app.core.expectation import StepCosts, best_length, speedup
from app.core.experiment import Interval
from app.core.measured_assumptions import Assumptions, MeasuredPoint
from app.core.options import LONGEST_DRAFT, SpeculationMode
from app.core.pass_costs import PassCosts
from app.ui.chart_series import Level, Series

translate = QCoreApplication.translate

_APART = 0.01  # as a share: curves that are nearer than this are one
_BESIDE = 0.15  # tokens, between points of one length


class Curves(Struct, frozen=True):
    """What the chart shows."""

    series: tuple[Series, ...]
    levels: tuple[Level, ...]
    x_range: tuple[float, float] = (1.0, float(LONGEST_DRAFT))


def curves(
    figures: Assumptions,
    in_force: StepCosts,
    measured: PassCosts | None = None,
    points: Sequence[MeasuredPoint] = (),
    compared: Assumptions | None = None,
) -> Curves:
    """What the figures come to with the costs `in_force`, and beside it what is known from measuring.

    `measured` is drawn where other costs are in force, `points` are speed-ups that were measured, and
    `compared` the figures that they were measured with, drawn where they come to something else.
    """
    expected = _curve(translate("Expect", "Expected"), in_force, figures.acceptance, "accent", is_main=True)
    if expected.best == figures.drafted - 1:
        expected = replace(expected, best=None)  # it is the chosen one, whose value stands in large letters
    series = [expected]
    if measured is not None:
        name = translate("Expect", "With each check as measured")
        _add_other(series, _curve(name, figures.costs_by(measured), figures.acceptance, "chart_2"))
    if compared is not None:
        name = translate("Expect", "With the comparison's figures")
        _add_other(series, _curve(name, compared.costs, compared.acceptance, "chart_4"))
    chosen = translate("Expect", "Your draft of {count}").format(count=figures.drafted)
    here = (float(figures.drafted), speedup(in_force, figures.drafted, figures.acceptance))
    series.append(Series(chosen, (here,), "text", line=False))
    placed = _side_by_side(points, figures.drafted)
    for mode, name, role in (
        (SpeculationMode.DRAFT_MODEL, translate("Expect", "Measured, Draft Model"), "chart_4"),
        (SpeculationMode.PROMPT_LOOKUP, translate("Expect", "Measured, Prompt Lookup"), "chart_5"),
    ):
        own = [(x, point) for x, point in placed if point.mode is mode]
        if own:
            series.append(
                Series(
                    name=name,
                    points=tuple((x, point.speedup) for x, point in own),
                    role=role,
                    line=False,
                    spread=_spread([point for _, point in own]),
                )
            )
    return Curves(tuple(series), (Level(translate("Expect", "Plain steps"), 1.0, "faint"),))


def _curve(name: str, costs: StepCosts, acceptance: float, role: str, *, is_main: bool = False) -> Series:
    best = best_length(costs, acceptance, LONGEST_DRAFT) if is_main else 0
    return Series(
        name=name,
        points=tuple((float(n), speedup(costs, n, acceptance)) for n in range(1, LONGEST_DRAFT + 1)),
        role=role,
        dots=is_main,
        best=best - 1 if best else None,
    )


def _add_other(series: list[Series], other: Series) -> None:
    """Adds a curve, unless it lies on the first one."""
    pairs = zip(series[0].points, other.points, strict=True)
    if any(abs(one - another) > _APART * max(one, another) for (_, one), (_, another) in pairs):
        series.append(other)


def _side_by_side(points: Sequence[MeasuredPoint], chosen: int) -> list[tuple[float, MeasuredPoint]]:
    """Where points of one length stand: beside each other, and beside the chosen one, to be seen."""
    taken = {chosen: 1}
    placed = []
    for point in sorted(points, key=lambda point: point.drafted):
        beside = taken.get(point.drafted, 0)
        taken[point.drafted] = beside + 1
        placed.append((point.drafted + beside * _BESIDE, point))
    return placed


def _spread(points: Sequence[MeasuredPoint]) -> tuple[tuple[float, float], ...]:
    """Their intervals; none where none has one."""
    if all(point.interval is None for point in points):
        return ()
    bounds = [(point.interval or Interval(point.speedup, point.speedup)) for point in points]
    return tuple((bound.low, bound.high) for bound in bounds)
