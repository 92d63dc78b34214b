"""What a machine is called and what a process takes of it."""

import platform
import sys

import psutil
import pytest

from app.core import machine
from app.core.machine import describe_machine, memory_in_use, peak_rss_bytes

ARM_BOARD = """processor\t: 0
BogoMIPS\t: 108.00
CPU part\t: 0xd08

Hardware\t: BCM2835
Model\t\t: Raspberry Pi 4 Model B Rev 1.4
"""

PC = """processor\t: 0
model\t\t: 151
model name\t: Example  CPU   @ 3.20GHz

processor\t: 1
model name\t: Another
"""


def test_this_machine_is_described() -> None:
    found = describe_machine("llama.cpp 1")
    assert found.processor.strip()
    assert found.physical_cores is None or 1 <= found.physical_cores <= found.logical_cores
    assert found.memory_bytes == psutil.virtual_memory().total
    assert found.operating_system.endswith(platform.machine())
    assert found.python_version == ".".join(map(str, sys.version_info[:3]))
    assert found.engine_version == "llama.cpp 1"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (PC, "Example CPU @ 3.20GHz"),
        (ARM_BOARD, "BCM2835"),
        (ARM_BOARD.replace("Hardware", "Nothing"), "Raspberry Pi 4 Model B Rev 1.4"),
        ("processor: 0\nmodel: 151\n", None),
        ("", None),
    ],
)
def test_the_processor_is_named_by_the_kernel_where_it_can(text: str, name: str | None) -> None:
    assert machine._processor_from(text) == name


def test_the_kernel_gives_memory_in_kibibytes() -> None:
    status = "Name:\tpython\nVmPeak:\t  3776 kB\nVmHWM:\t    12 kB\nVmRSS:\t 10 kB\n"
    assert machine._status_bytes(status, "VmHWM") == 12 * 1024
    assert machine._status_bytes(status, "VmSwap") is None


def test_a_command_that_is_missing_or_fails_gives_nothing() -> None:
    assert machine._answer_of("no-such-command-anywhere") is None
    assert machine._answer_of(sys.executable, "-c", "raise SystemExit(3)") is None
    assert machine._answer_of(sys.executable, "-c", "print(' Example ')") == "Example"


def test_the_peak_covers_memory_that_was_given_back() -> None:
    size = 64 * 1024 * 1024
    before = memory_in_use()
    block = bytearray(b"x") * size  # written, so that it is resident
    held = memory_in_use()
    assert held >= before + size * 0.9
    assert peak_rss_bytes() >= held * 0.99
    del block
    assert peak_rss_bytes() >= before + size * 0.9
