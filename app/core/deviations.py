"""Where outputs differ that should be the same."""

from collections.abc import Sequence

from msgspec import Struct

from app.core.experiment import FirstDifference, Run, Variant, reference_of
from app.core.stats import StopReason

Place = tuple[str, str]  # the ids of a variant and a prompt


class Deviation(Struct, frozen=True):
    """A run whose output is not the reference's, the run that it should equal, and where it leaves it."""

    reference: Run
    run: Run
    difference: FirstDifference

    @property
    def shared(self) -> tuple[int, ...]:
        """The tokens before, which both have."""
        return self.reference.tokens[: self.difference.position]

    @property
    def candidates(self) -> tuple[int | None, ...]:
        """What to weigh: the tokens that part, the expected one first, None for the end of the answer.

        Where an answer ended for another reason than the model's choice, there is only the other's token.
        """
        difference = self.difference
        found = []
        for token, run in ((difference.expected, self.reference), (difference.found, self.run)):
            if token is not None or run.stats.stop_reason is StopReason.END_OF_GENERATION:
                found.append(token)
        return tuple(found)


def first_difference(expected: Sequence[int], found: Sequence[int]) -> FirstDifference | None:
    """The first position at which two token sequences differ, or None where they are equal."""
    if expected == found:
        return None
    for position, (one, other) in enumerate(zip(expected, found, strict=False)):
        if one != other:
            return FirstDifference(position, one, other)
    position = min(len(expected), len(found))
    if len(expected) > position:
        return FirstDifference(position, expected[position], None)
    if len(found) > position:
        return FirstDifference(position, None, found[position])
    return None


def deviations(runs: Sequence[Run], variants: tuple[Variant, ...]) -> dict[Place, Deviation]:
    """Where outputs differ: the first run of each variant and prompt that leaves the reference's first."""
    reference = reference_of(variants).id
    found: dict[Place, Deviation] = {}
    by_prompt: dict[str, list[Run]] = {}
    for run in runs:
        by_prompt.setdefault(run.prompt, []).append(run)
    for prompt, of_prompt in by_prompt.items():
        expected = next((run for run in of_prompt if run.variant == reference), None)
        if expected is None:
            continue
        for run in of_prompt:
            difference = first_difference(expected.tokens, run.tokens)
            if difference is not None:
                found.setdefault((run.variant, prompt), Deviation(expected, run, difference))
    return found
