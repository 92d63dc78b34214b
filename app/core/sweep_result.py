"""What a sweep over draft lengths came to: the speed of each, and the best."""

from collections.abc import Sequence

from msgspec import Struct

from app.core.experiment import FirstDifference, Interval, Spread, Summary, Variant, reference_of
from app.core.gain import Gain, gain_of, scatters
from app.core.options import SpeculationMode
from app.core.sameness import Sameness, is_faithful, sameness_in

_HARDLY = 0.03  # a share of the speed


class SweepPoint(Struct, frozen=True):
    """One way to draft."""

    variant: Variant
    speed: Spread  # tok/s
    speedup: float | None  # over the reference; None before that has run
    interval: Interval | None
    runs: int
    sameness: Sameness | None  # of its text and the reference's; None before that has run
    difference: FirstDifference | None  # where its text leaves the reference's
    tokens: int  # of its first answer

    @property
    def length(self) -> int:
        """The most tokens that are drafted at once."""
        return self.variant.speculation.longest

    @property
    def is_automatic(self) -> bool:
        """True where the length was left to the program, so that it has no place among the others."""
        return self.variant.speculation.is_automatic


class SweepResult(Struct, frozen=True):
    """All that has a speed."""

    reference: Variant
    reference_speed: Spread | None
    reference_runs: int
    reference_tokens: int  # of its first answer
    points: tuple[SweepPoint, ...]  # by length, automatic ones last
    has_all: bool  # every variant has a speed

    @property
    def best(self) -> SweepPoint | None:
        """The fastest, the reference left out."""
        return max(self.points, key=lambda point: point.speed.median, default=None)

    @property
    def gain(self) -> Gain | None:
        """Whether the best is really better than the reference; None while that is not known.

        The intervals of a sweep hold together, so that the best of many is not taken for better by chance.
        """
        best = self.best
        if best is None or best.speedup is None:
            return None
        return gain_of(best.speedup, best.interval, min(best.tokens, self.reference_tokens))

    @property
    def scatters(self) -> bool:
        """True where the runs are too unlike each other to tell."""
        best = self.best
        if best is None or best.speedup is None or self.gain is not Gain.EVEN:
            return False
        return scatters(best.speedup, best.interval)

    @property
    def is_faithful(self) -> bool:
        """True where the best can be used without getting another kind of text."""
        best = self.best
        return best is not None and is_faithful(best.sameness, best.variant, self.reference)

    @property
    def about_as_good(self) -> tuple[SweepPoint, ...]:
        """The others of the best's mode that are hardly slower, the automatic one among them."""
        best = self.best
        if best is None:
            return ()
        mode, least = best.variant.speculation.mode, (1.0 - _HARDLY) * best.speed.median
        return tuple(
            point
            for point in self.points
            if point is not best and point.variant.speculation.mode is mode and point.speed.median >= least
        )

    def of_mode(self, mode: SpeculationMode) -> tuple[SweepPoint, ...]:
        """The points of fixed lengths that draft in one way."""
        return tuple(
            point
            for point in self.points
            if point.variant.speculation.mode is mode and not point.is_automatic
        )

    @property
    def automatic(self) -> tuple[SweepPoint, ...]:
        """Those whose length was left to the program."""
        return tuple(point for point in self.points if point.is_automatic)


def sweep_result(variants: Sequence[Variant], summaries: Sequence[Summary], prompt: str) -> SweepResult:
    """How the variants did on a prompt, by its id, as far as they were run."""
    of_prompt = {each.variant: each for each in summaries if each.prompt == prompt}
    reference = reference_of(tuple(variants))
    points = [
        _point(variant, summary, summary.tok_per_s, reference)
        for variant in variants
        if variant is not reference
        and (summary := of_prompt.get(variant.id)) is not None
        and summary.tok_per_s is not None
    ]
    plain = of_prompt.get(reference.id)
    return SweepResult(
        reference=reference,
        reference_speed=None if plain is None else plain.tok_per_s,
        reference_runs=0 if plain is None else plain.runs,
        reference_tokens=0 if plain is None else plain.generated_tokens,
        points=tuple(sorted(points, key=lambda point: (point.is_automatic, point.length))),
        has_all=len(points) == len(variants) - 1,
    )


def _point(variant: Variant, summary: Summary, speed: Spread, reference: Variant) -> SweepPoint:
    return SweepPoint(
        variant=variant,
        speed=speed,
        speedup=summary.speedup,
        interval=summary.speedup_interval,
        runs=summary.runs,
        sameness=sameness_in(summary, variant, reference),
        difference=summary.first_difference,
        tokens=summary.generated_tokens,
    )
