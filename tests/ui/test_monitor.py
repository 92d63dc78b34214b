"""Looking at the machine."""

import os
import subprocess
import sys
from collections.abc import Iterator

import psutil
import pytest
from pytestqt.qtbot import QtBot

from app.ui.monitor import MachineSample, Monitor
from tests.fakes.readings import GB, machine_sample


@pytest.fixture
def monitor(qtbot: QtBot) -> Iterator[Monitor]:
    made = Monitor()
    yield made
    made.close()


@pytest.fixture
def child() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        yield process
        process.communicate()


def test_it_looks_at_once_when_somebody_watches_and_goes_on(monitor: Monitor, qtbot: QtBot) -> None:
    samples: list[MachineSample] = []
    monitor.sampled.connect(samples.append)
    monitor.set_active(True)
    assert len(samples) == 1
    assert samples[0].cpu_share is None  # a share needs two looks
    with qtbot.waitSignal(monitor.sampled, timeout=10_000):
        pass
    assert samples[-1].cpu_share is not None
    assert 0.0 <= samples[-1].cpu_share <= 1.0


def test_it_rests_when_nobody_watches(monitor: Monitor) -> None:
    assert not monitor.is_active
    monitor.set_active(True)
    assert monitor.is_active
    monitor.set_active(False)
    assert not monitor.is_active


def test_being_told_twice_changes_nothing(monitor: Monitor) -> None:
    samples: list[MachineSample] = []
    monitor.sampled.connect(samples.append)
    monitor.set_active(True)
    monitor.set_active(True)
    assert len(samples) == 1


def test_closing_ends_it(monitor: Monitor) -> None:
    monitor.set_active(True)
    monitor.close()
    assert not monitor.is_active


def test_the_figures_are_those_of_the_system(monitor: Monitor) -> None:
    sample = monitor.sample()
    assert sample.total_bytes == psutil.virtual_memory().total
    assert 0 < sample.available_bytes <= sample.total_bytes
    assert sample.window_bytes > 0
    assert sample.engine is None


def test_an_engine_is_watched_until_it_is_gone(monitor: Monitor, child: subprocess.Popen[bytes]) -> None:
    monitor.set_engine(child.pid)
    watched = monitor.sample().engine
    assert watched is not None
    assert 0 < watched.resident <= watched.peak
    child.communicate()
    assert monitor.sample().engine is None
    assert monitor.sample().engine is None


def test_a_process_that_never_was_is_no_engine(monitor: Monitor, child: subprocess.Popen[bytes]) -> None:
    child.communicate()
    monitor.set_engine(child.pid)
    assert monitor.sample().engine is None


def test_no_engine_can_be_watched(monitor: Monitor) -> None:
    monitor.set_engine(os.getpid())
    assert monitor.sample().engine is not None
    monitor.set_engine(None)
    assert monitor.sample().engine is None


def test_a_mapped_model_is_in_use_though_the_system_could_drop_it() -> None:
    assert machine_sample(engine=None, used=7.9).used_bytes == pytest.approx(7.9 * GB)
    assert machine_sample(engine=4.1, droppable=3.5, used=7.9).used_bytes == pytest.approx(11.4 * GB)
    assert machine_sample(engine=20.0, droppable=20.0, used=7.9).used_bytes == pytest.approx(23.0 * GB)


def test_what_the_engine_holds_counts_as_free_for_the_next_model(
    monitor: Monitor, child: subprocess.Popen[bytes]
) -> None:
    monitor.set_engine(child.pid)
    engine = psutil.Process(child.pid).memory_info().rss
    free = psutil.virtual_memory().available
    assert engine > 0
    assert abs(monitor.free_bytes() - free - engine) < GB  # others take and give meanwhile
    monitor.set_engine(None)
    assert abs(monitor.free_bytes() - free) < GB
