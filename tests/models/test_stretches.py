"""Who fetches what: all of it once, in the order of the file, with an end for all at the same time."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from app.models.part_file import Claim
from app.models.stretches import LONGEST_STRETCH, Stretch, Stretches

BLOCK = 4


def made(size: int, *claims: Claim, connections: int = 2, block: int = BLOCK) -> Stretches:
    return Stretches(size, claims, block_bytes=block, connections=connections)


def take(stretches: Stretches) -> Stretch:
    stretch = stretches.take()
    assert stretch is not None
    return stretch


def bring(stretches: Stretches, stretch: Stretch, count: int | None = None) -> None:
    stretches.come(stretch, stretch.stop - stretch.position if count is None else count)
    stretches.hold(stretch)


class TestTaking:
    def test_stretches_follow_one_another_and_become_shorter(self) -> None:
        stretches = made(32)
        taken = [take(stretches) for _ in range(4)]
        assert [(each.position, each.stop) for each in taken] == [(0, 16), (16, 24), (24, 28), (28, 32)]

    def test_no_stretch_is_longer_than_what_one_connection_should_have(self) -> None:
        assert take(made(10 << 30, block=4 << 20)).stop == LONGEST_STRETCH

    def test_what_is_held_is_not_fetched(self) -> None:
        stretches = made(12, Claim(0, 4, 0), Claim(6, 2, 0))
        taken = [take(stretches) for _ in range(2)]
        assert [(each.position, each.stop) for each in taken] == [(4, 6), (8, 12)]

    def test_what_is_given_back_is_fetched_by_another_from_where_it_was_noted(self) -> None:
        stretches = made(8, connections=1)
        first = take(stretches)
        bring(stretches, first, 3)
        stretches.come(first, 2)
        assert stretches.here == 5
        stretches.give_back(first)
        assert stretches.here == 3
        again = take(stretches)
        assert (again.position, again.stop) == (3, 8)

    def test_one_who_finds_nothing_takes_half_of_what_a_slow_one_has_before_it(self) -> None:
        stretches = made(32, connections=1)
        slow = take(stretches)
        stretches.come(slow, 6)
        other = take(stretches)
        assert (slow.stop, other.position, other.stop) == (16, 16, 32)
        assert stretches.come(slow, 20) == 10  # the rest is not its any more
        assert stretches.come(slow, 1) == 0

    def test_little_is_not_shared(self) -> None:
        stretches = made(15, connections=1)
        take(stretches)
        with ThreadPoolExecutor(1) as threads:
            waiting = threads.submit(stretches.take)
            stretches.end()
            assert waiting.result() is None

    def test_waiting_ones_take_what_turns_out_to_be_wrong(self) -> None:
        stretches = made(8, Claim(0, 8, 0))
        assert stretches.is_whole
        with ThreadPoolExecutor(1) as threads:
            waiting = threads.submit(stretches.take)
            stretches.forget(0, 8)
            stretch = waiting.result()
        assert stretch is not None
        assert not stretches.is_whole
        assert stretches.here == 0

    def test_at_the_end_nothing_comes_any_more(self) -> None:
        stretches = made(8)
        stretch = take(stretches)
        stretches.end()
        assert stretches.come(stretch, 3) == 0
        assert stretches.take() is None

    def test_bytes_that_could_not_be_written_have_not_come(self) -> None:
        stretches = made(8, connections=1)
        stretch = take(stretches)
        stretches.come(stretch, 5)
        stretches.lose(stretch, 5)
        assert (stretch.position, stretches.here) == (0, 0)


class TestOneStream:
    def test_a_stretch_becomes_the_whole_file_and_is_not_shared(self) -> None:
        stretches = made(64)
        stretch = take(stretches)
        assert stretches.widen(stretch)
        assert stretch.stop == 64
        with ThreadPoolExecutor(1) as threads:
            waiting = threads.submit(stretches.take)
            stretches.end()
            assert waiting.result() is None

    @pytest.mark.parametrize("claims", [(Claim(0, 4, 0),), (Claim(32, 4, 0),)])
    def test_not_where_something_is_there_already(self, claims: tuple[Claim, ...]) -> None:
        stretches = made(64, *claims)
        assert not stretches.widen(take(stretches))

    def test_not_where_others_are_at_work(self) -> None:
        stretches = made(64)
        first, _ = take(stretches), take(stretches)
        assert not stretches.widen(first)


class TestReading:
    def test_what_is_new_is_read_up_to_what_has_to_be_checked(self) -> None:
        stretches = made(12, Claim(4, 2, 7), Claim(6, 6, 8), connections=1)
        bring(stretches, take(stretches))
        assert stretches.next_to_read(0) == (4, None)
        assert stretches.next_to_read(4) == (6, Claim(4, 2, 7))

    def test_what_was_checked_is_only_read(self) -> None:
        claim = Claim(0, 4, 7)
        stretches = made(8, claim, connections=1)
        stretches.confirm(claim)
        assert stretches.next_to_read(0) == (4, None)

    def test_the_reader_waits_for_what_is_missing(self) -> None:
        stretches = made(4, connections=1)
        stretch = take(stretches)
        with ThreadPoolExecutor(1) as threads:
            waiting = threads.submit(stretches.next_to_read, 0)
            bring(stretches, stretch)
            assert waiting.result() == (4, None)

    def test_at_the_end_it_does_not(self) -> None:
        stretches = made(4)
        stretches.end()
        assert stretches.next_to_read(0) is None
