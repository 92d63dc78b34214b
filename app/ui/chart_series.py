"""What a chart shows: lines of points, and levels across it. And where its ticks are."""

import math
from collections.abc import Sequence

from msgspec import Struct

from app.figures import MISSING

Point = tuple[float, float]

_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_MOST_WHOLE_TICKS = 16


class Series(Struct, frozen=True):
    """Points from left to right. `role` is that of the colour, an attribute of the theme's colours."""

    name: str
    points: tuple[Point, ...]
    role: str
    line: bool = True
    dots: bool = True
    spread: tuple[Point, ...] = ()  # the lowest and highest value of each point, or nothing
    best: int | None = None  # the index of a point to be marked


class Level(Struct, frozen=True):
    """A line across the whole chart."""

    name: str
    value: float
    role: str


def highest_value(series: Sequence[Series], levels: Sequence[Level]) -> float:
    """The largest of all that is shown; 0 of nothing."""
    values = [y for each in series for _, y in each.points]
    values += [high for each in series for _, high in each.spread]
    values += [level.value for level in levels]
    return max(values, default=0.0)


def ticks(low: float, high: float, most: int) -> list[float]:
    """At most about so many round values from `low` to `high`, evenly apart."""
    span = high - low
    if span <= 0.0 or not math.isfinite(span):
        return [low]
    raw = span / most
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(each * power for each in _STEPS if each * power >= raw * 0.999)
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [round(number * step, 12) for number in range(first, last + 1)]


def point_ticks(series: Sequence[Series], low: float, high: float, most: int) -> list[float]:
    """Ticks of the x axis: at every whole number where points are at few and whole ones."""
    lines = [each for each in series if each.line] or series  # single points may stand beside their place
    places = [x for each in lines for x, _ in each.points]
    whole = all(x == round(x) for x in places)
    if whole and high - low <= _MOST_WHOLE_TICKS:
        return [float(number) for number in range(math.ceil(low), math.floor(high) + 1)]
    return ticks(low, high, most)


def tick_text(value: float) -> str:
    """A tick's value, no longer than need be: "12", "0.25"."""
    return f"{value:.10g}"


def value_text(value: float | None) -> str:
    """A value in three digits: "1.52", "12.3", "140"."""
    if value is None or not math.isfinite(value):
        return MISSING
    digits = 2 if abs(value) < 9.995 else 1 if abs(value) < 99.95 else 0
    return f"{value:.{digits}f}"
