"""The memory of another process."""

import subprocess
import sys

import psutil
import pytest

from app.core.process_memory import ProcessMemory, from_status, process_memory

STATUS = """Name:\tengine
VmHWM:\t 5000 kB
VmRSS:\t 4000 kB
RssAnon:\t 1000 kB
RssFile:\t 3000 kB
VmLck:\t{locked} kB
Threads:\t2
"""


def test_pages_of_files_can_be_dropped() -> None:
    assert from_status(STATUS.format(locked=0)) == ProcessMemory(
        resident=4000 * 1024, droppable=3000 * 1024, peak=5000 * 1024
    )


@pytest.mark.parametrize(("locked", "droppable"), [(1000, 2000), (4000, 0)])
def test_locked_pages_cannot(locked: int, droppable: int) -> None:
    found = from_status(STATUS.format(locked=locked))
    assert found is not None
    assert found.droppable == droppable * 1024


def test_a_status_without_figures_is_not_used() -> None:
    assert from_status("Name:\tended\nState:\tZ (zombie)\n") is None


def test_a_living_process_has_memory() -> None:
    memory = process_memory(psutil.Process())
    assert 0 < memory.resident <= memory.peak
    assert 0 <= memory.droppable <= memory.resident


def test_a_process_that_has_ended_is_an_error() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        process = psutil.Process(child.pid)
        child.communicate()
    with pytest.raises(psutil.Error):
        process_memory(process)
