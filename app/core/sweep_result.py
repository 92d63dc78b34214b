"""What a sweep over draft lengths came to: the speed of each, and the best."""

from collections.abc import Sequence

from msgspec import Struct

from app.core.experiment import FirstDifference, Interval, Spread, Summary, Variant, reference_of
from app.core.gain import Gain, gain_of
from app.core.options import SpeculationMode

_HARDLY = 0.03  # a share of the speed


class SweepPoint(Struct, frozen=True):
    """One way to draft."""

    variant: Variant
    speed: Spread  # tok/s
    speedup: float | None  # over the reference; None before that has run
    interval: Interval | None
    runs: int
    difference: FirstDifference | None  # where its text leaves the reference's

    @property
    def length(self) -> int:
        """The most tokens that are drafted at once."""
        return self.variant.speculation.max_draft_tokens


class SweepResult(Struct, frozen=True):
    """All that has a speed."""

    reference: Variant
    reference_speed: Spread | None
    points: tuple[SweepPoint, ...]  # by length

    @property
    def best(self) -> SweepPoint | None:
        """The fastest, the reference left out."""
        return max(self.points, key=lambda point: point.speed.median, default=None)

    @property
    def gain(self) -> Gain | None:
        """Whether the best is really better than the reference; None while that is not known."""
        best = self.best
        return None if best is None or best.speedup is None else gain_of(best.speedup, best.interval)

    @property
    def about_as_good(self) -> tuple[SweepPoint, ...]:
        """The others of the best's mode that are hardly slower."""
        best = self.best
        if best is None:
            return ()
        others = self.of_mode(best.variant.speculation.mode)
        least = (1.0 - _HARDLY) * best.speed.median
        return tuple(point for point in others if point is not best and point.speed.median >= least)

    def of_mode(self, mode: SpeculationMode) -> tuple[SweepPoint, ...]:
        """The points that draft in one way."""
        return tuple(point for point in self.points if point.variant.speculation.mode is mode)


def sweep_result(variants: Sequence[Variant], summaries: Sequence[Summary], prompt: str) -> SweepResult:
    """How the variants did on a prompt, by its id, as far as they were run."""
    of_prompt = {each.variant: each for each in summaries if each.prompt == prompt}
    reference = reference_of(tuple(variants))
    points = []
    for variant in variants:
        summary = of_prompt.get(variant.id)
        if variant is not reference and summary is not None and summary.tok_per_s is not None:
            points.append(
                SweepPoint(
                    variant,
                    summary.tok_per_s,
                    summary.speedup,
                    summary.speedup_interval,
                    summary.runs,
                    summary.first_difference,
                )
            )
    plain = of_prompt.get(reference.id)
    return SweepResult(
        reference=reference,
        reference_speed=None if plain is None else plain.tok_per_s,
        points=tuple(sorted(points, key=lambda point: point.length)),
    )
