"""Ranges of bytes are what a set of places would be."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.models.byte_ranges import ByteRanges

SIZE = 24
_PLACES = st.integers(0, SIZE)
_STEPS = st.lists(st.tuples(st.sampled_from(["add", "remove"]), _PLACES, _PLACES), max_size=30)


def made_by(steps: list[tuple[str, int, int]]) -> tuple[ByteRanges, set[int]]:
    ranges, places = ByteRanges(), set[int]()
    for step, start, stop in steps:
        if step == "add":
            ranges.add(start, stop)
            places |= set(range(start, stop))
        else:
            ranges.remove(start, stop)
            places -= set(range(start, stop))
    return ranges, places


@given(_STEPS)
def test_they_hold_the_places_that_were_added_and_not_removed(steps: list[tuple[str, int, int]]) -> None:
    ranges, places = made_by(steps)
    assert {place for start, stop in ranges for place in range(start, stop)} == places
    assert ranges.total == len(places)


@given(_STEPS)
def test_they_are_in_order_separate_and_not_empty(steps: list[tuple[str, int, int]]) -> None:
    edges = [edge for pair in made_by(steps)[0] for edge in pair]
    assert edges == sorted(set(edges))


@given(_STEPS, _PLACES)
def test_the_reach_is_the_first_missing_place(steps: list[tuple[str, int, int]], position: int) -> None:
    ranges, places = made_by(steps)
    assert ranges.reach(position) == next(p for p in range(position, SIZE + 1) if p not in places)


@given(_STEPS, _PLACES)
def test_the_first_gap_is_whole(steps: list[tuple[str, int, int]], size: int) -> None:
    ranges, places = made_by(steps)
    missing = [place for place in range(size) if place not in places]
    gap = ranges.first_gap(size)
    if gap is None:
        assert not missing
    else:
        start, stop = gap
        assert missing[: stop - start] == list(range(start, stop))
        assert stop == size or stop in places


@given(_STEPS, _PLACES, st.integers(1, 5))
def test_they_tell_whether_any_place_is_there(
    steps: list[tuple[str, int, int]], start: int, length: int
) -> None:
    ranges, places = made_by(steps)
    assert ranges.touches(start, start + length) == bool(places & set(range(start, start + length)))


def test_ranges_that_touch_become_one() -> None:
    assert list(ByteRanges([(0, 4), (8, 12), (4, 8)])) == [(0, 12)]


@pytest.mark.parametrize("stop", [3, 2])
def test_an_empty_range_changes_nothing(stop: int) -> None:
    ranges = ByteRanges([(0, 5)])
    ranges.add(7, stop)
    ranges.remove(3, stop)
    assert list(ranges) == [(0, 5)]
