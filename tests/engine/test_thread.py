"""The one thread that computes."""

import threading
from collections.abc import Iterator

import pytest

from app.engine.stopping import StopSignal
from app.engine.thread import EngineThread


@pytest.fixture
def engine() -> Iterator[EngineThread]:
    with EngineThread() as thread:
        yield thread


def test_everything_happens_on_the_same_thread_and_not_on_the_callers(engine: EngineThread) -> None:
    def source() -> Iterator[threading.Thread]:
        for _ in range(3):
            yield threading.current_thread()

    threads = {engine.call(threading.current_thread) for _ in range(3)}
    for _ in range(3):
        threads |= set(engine.iterate(source(), StopSignal()))
    assert len(threads) == 1
    assert threading.current_thread() not in threads


def test_items_arrive_in_order(engine: EngineThread) -> None:
    assert list(engine.iterate(iter(range(1000)), StopSignal())) == list(range(1000))


def test_what_a_call_raises_is_raised_here(engine: EngineThread) -> None:
    def work() -> None:
        raise TimeoutError("its own")

    with pytest.raises(TimeoutError, match="its own"):
        engine.call(work)


def test_what_the_source_raises_is_raised_here_after_its_items(engine: EngineThread) -> None:
    def source() -> Iterator[int]:
        yield 1
        raise ValueError("broken")

    items = engine.iterate(source(), StopSignal())
    assert next(items) == 1
    with pytest.raises(ValueError, match="broken"):
        next(items)


def test_leaving_early_stops_the_source_and_waits_for_it(engine: EngineThread) -> None:
    stop = StopSignal()
    finished = threading.Event()

    def source() -> Iterator[int]:
        while not stop.is_set:
            yield 0
        finished.set()

    for _ in engine.iterate(source(), stop):
        break
    assert finished.wait(10)
    assert engine.call(lambda: 5) == 5
