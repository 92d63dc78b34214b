"""Where outputs differ that should be the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from app.core.deviations import Deviation, deviations, first_difference
from app.core.experiment import FirstDifference, Run, Variant
from app.core.stats import StopReason
from tests.fakes.experiments import DRAFTED, LOOKUP, OFF, run_of

ALL = (OFF, DRAFTED, LOOKUP)
ANSWER = (100, 101, 102, 103)


def run(variant: Variant, *, prompt: str = "p", repeat: int = 0, tokens: tuple[int, ...] = ANSWER) -> Run:
    made = run_of(variant, prompt=prompt, repeat=repeat, tokens=ANSWER)
    return replace(made, tokens=tokens)


class TestFirstDifference:
    @pytest.mark.parametrize(
        ("expected", "found", "difference"),
        [
            ((), (), None),
            ((1, 2), (1, 2), None),
            ((1, 2, 3), (1, 9, 3), FirstDifference(1, 2, 9)),
            ((1, 2), (1,), FirstDifference(1, 2, None)),
            ((1,), (1, 2, 3), FirstDifference(1, None, 2)),
            ((4,), (5,), FirstDifference(0, 4, 5)),
            ((), (5,), FirstDifference(0, None, 5)),
        ],
    )
    def test_it_is_found(
        self, expected: tuple[int, ...], found: tuple[int, ...], difference: FirstDifference | None
    ) -> None:
        assert first_difference(expected, found) == difference

    @given(st.lists(st.integers(0, 2), max_size=6), st.lists(st.integers(0, 2), max_size=6))
    def test_before_it_all_is_equal(self, one: list[int], other: list[int]) -> None:
        difference = first_difference(one, other)
        if difference is None:
            assert one == other
            return
        place = difference.position
        assert one[:place] == other[:place]
        assert one[place : place + 1] == ([] if difference.expected is None else [difference.expected])
        assert difference.expected != difference.found


class TestDeviations:
    def test_the_first_run_that_leaves_the_references_first_is_named_with_it(self) -> None:
        off = run(OFF)
        first, later = run(DRAFTED, repeat=1, tokens=(100, 9)), run(DRAFTED, repeat=2, tokens=(7,))
        lookup = run(LOOKUP, tokens=(8,))
        assert deviations([off, run(DRAFTED), first, lookup, later], ALL) == {
            ("draft", "p"): Deviation(off, first, FirstDifference(1, 101, 9)),
            ("lookup", "p"): Deviation(off, lookup, FirstDifference(0, 100, 8)),
        }

    def test_a_reference_may_leave_itself(self) -> None:
        off, again = run(OFF), run(OFF, repeat=1, tokens=(100,))
        assert deviations([off, again], ALL) == {
            ("off", "p"): Deviation(off, again, FirstDifference(1, 101, None))
        }

    def test_where_the_reference_was_not_run_nothing_can_be_said(self) -> None:
        assert deviations([run(OFF), run(DRAFTED, prompt="q", tokens=(1,))], ALL) == {}

    def test_without_plain_generation_the_first_variant_is_the_reference(self) -> None:
        lookup, drafted = run(LOOKUP, tokens=(100, 5)), run(DRAFTED)
        assert deviations([lookup, drafted], (DRAFTED, LOOKUP)) == {
            ("lookup", "p"): Deviation(drafted, lookup, FirstDifference(1, 101, 5))
        }

    def test_what_is_weighed_are_the_tokens_that_part_after_those_that_are_shared(self) -> None:
        (found,) = deviations([run(OFF), run(DRAFTED, tokens=(100, 9))], ALL).values()
        assert (found.shared, found.candidates) == ((100,), (101, 9))

    @pytest.mark.parametrize("reason", StopReason)
    @pytest.mark.parametrize("ended", [OFF, DRAFTED])
    def test_an_end_is_weighed_where_the_model_chose_it(self, reason: StopReason, ended: Variant) -> None:
        shorter = run(ended, tokens=(100,))
        shorter = replace(shorter, stats=replace(shorter.stats, stop_reason=reason))
        longer = run(DRAFTED if ended is OFF else OFF)
        (found,) = deviations([shorter, longer], ALL).values()

        is_chosen = reason is StopReason.END_OF_GENERATION
        pair = (None, 101) if ended is OFF else (101, None)
        assert found.candidates == (pair if is_chosen else (101,))
        assert found.shared == (100,)
