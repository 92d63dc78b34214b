"""Small work on the disk: in order, and never waited for without a limit."""

import logging
from collections.abc import Iterator
from functools import partial
from threading import Event

import pytest

from app.models.disk_chores import DiskChores

PATIENCE = 60.0  # seconds; only a broken test waits for so long


@pytest.fixture
def chores() -> Iterator[DiskChores]:
    made = DiskChores("chores")
    yield made
    assert made.close(PATIENCE)


def fail() -> None:
    raise ZeroDivisionError("a mistake")


def test_all_that_was_asked_for_is_done_in_order(chores: DiskChores) -> None:
    done: list[int] = []
    for number in range(3):
        chores.do(partial(done.append, number))
    assert chores.close(PATIENCE)
    assert done == [0, 1, 2]


def test_after_the_end_nothing_is(chores: DiskChores) -> None:
    assert chores.close(PATIENCE)
    chores.do(lambda: pytest.fail("it was done"))
    assert chores.close(PATIENCE)


def test_a_fault_is_logged_and_the_next_one_comes(
    chores: DiskChores, caplog: pytest.LogCaptureFixture
) -> None:
    done = Event()
    chores.do(fail)
    chores.do(done.set)
    with caplog.at_level(logging.ERROR):
        assert chores.close(PATIENCE)
    assert done.is_set()
    assert "ZeroDivisionError" in caplog.text


def test_one_that_hangs_is_left_behind(chores: DiskChores) -> None:
    freed = Event()

    def hang() -> None:
        assert freed.wait(PATIENCE)

    chores.do(hang)
    assert not chores.close(0.0)
    freed.set()
