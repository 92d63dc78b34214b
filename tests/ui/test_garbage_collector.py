"""Garbage is collected in the window's thread alone."""

import gc
import threading
import weakref
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from app.ui.garbage_collector import GarbageCollector


class Cycle:
    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def collector(qtbot: QtBot) -> Iterator[GarbageCollector]:
    was_enabled = gc.isenabled()
    owner = QObject()
    made = GarbageCollector(owner)
    yield made
    made.close()
    if not was_enabled:
        gc.disable()


def litter() -> None:
    for _ in range(10 * gc.get_threshold()[0]):
        Cycle()


def test_other_threads_collect_nothing(collector: GarbageCollector) -> None:
    watched = Cycle()
    gone = weakref.ref(watched)
    del watched
    thread = threading.Thread(target=litter)
    thread.start()
    thread.join()
    assert gone() is not None


def test_the_windows_thread_collects_soon(collector: GarbageCollector, qtbot: QtBot) -> None:
    watched = Cycle()
    gone = weakref.ref(watched)
    collected_in: list[threading.Thread] = []
    weakref.finalize(watched, lambda: collected_in.append(threading.current_thread()))
    del watched
    litter()
    qtbot.waitUntil(lambda: gone() is None)
    assert collected_in == [threading.main_thread()]


def test_python_collects_again_afterwards(qtbot: QtBot) -> None:
    was_enabled = gc.isenabled()
    GarbageCollector(owner := QObject()).close()
    assert gc.isenabled()
    owner.deleteLater()
    if not was_enabled:
        gc.disable()
