"""A generator on a thread of its own."""

import threading
from collections.abc import Iterator

import pytest

from app.engine.background import InBackground
from app.engine.stopping import StopSignal


def test_items_arrive_in_order_from_another_thread() -> None:
    threads = []

    def source() -> Iterator[int]:
        for number in range(5):
            threads.append(threading.current_thread())
            yield number

    assert list(InBackground(source(), StopSignal())) == [0, 1, 2, 3, 4]
    assert threading.current_thread() not in threads


def test_what_the_source_raises_is_raised_here() -> None:
    def source() -> Iterator[int]:
        yield 1
        raise ValueError("broken")

    items = iter(InBackground(source(), StopSignal()))
    assert next(items) == 1
    with pytest.raises(ValueError, match="broken"):
        next(items)


def test_leaving_early_stops_the_source_and_waits_for_it() -> None:
    stop = StopSignal()
    finished = threading.Event()

    def source() -> Iterator[int]:
        while not stop.is_set:
            yield 0
        finished.set()

    items = iter(InBackground(source(), stop))
    next(items)
    items.close()  # type: ignore[attr-defined]
    assert finished.is_set()
