"""Threads that may hang, and that nobody waits for."""

import threading
import weakref
from time import monotonic

import pytest

from app.ui.abandonable_threads import AbandonableThreads


def test_work_is_done_and_answered() -> None:
    threads = AbandonableThreads(2, "asking")
    assert threads.submit(pow, 2, 10).result(5) == 1024
    threads.shutdown()


def test_what_fails_is_handed_over() -> None:
    threads = AbandonableThreads(1, "asking")
    with pytest.raises(ZeroDivisionError):
        threads.submit(lambda: 1 // 0).result(5)
    assert threads.submit(lambda: "and goes on").result(5) == "and goes on"
    threads.shutdown()


def test_work_that_is_done_is_not_kept() -> None:
    class Large:
        def use(self) -> None: ...

    threads = AbandonableThreads(1, "asking")
    large, gone = Large(), threading.Event()
    weakref.finalize(large, gone.set)
    threads.submit(large.use).result(5)
    del large
    assert gone.wait(5)
    threads.shutdown()


def test_the_end_does_not_wait_for_what_hangs_nor_begin_what_waits() -> None:
    threads = AbandonableThreads(1, "asking")
    released, begun = threading.Event(), threading.Event()

    def hang() -> None:
        begun.set()
        released.wait(30)

    hanging = threads.submit(hang)
    waiting = threads.submit(lambda: "never")
    assert begun.wait(5)
    before = monotonic()
    threads.shutdown(cancel_futures=True)
    assert monotonic() - before < 10
    assert not hanging.done()
    assert waiting.cancelled()
    released.set()
    hanging.result(5)


def test_after_the_end_no_work_is_taken() -> None:
    threads = AbandonableThreads(1, "asking")
    threads.shutdown()
    with pytest.raises(RuntimeError, match="after the end"):
        threads.submit(lambda: None)


def test_the_process_ends_although_a_thread_hangs() -> None:
    threads = AbandonableThreads(1, "asking")
    release = threading.Event()
    threads.submit(release.wait, 30)
    assert all(thread.daemon for thread in threading.enumerate() if thread.name.startswith("asking"))
    release.set()
    threads.shutdown()
