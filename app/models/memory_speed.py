"""Measuring how fast this computer reads memory and calculates, once; the result is kept on disk."""

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from time import perf_counter

import msgspec
import psutil
from msgspec import Struct
from msgspec.structs import astuple

from app.core.machine import usable_cores
from app.core.machine_speed import MachineSpeed
from app.models.cache_file import CacheFile

_VERSION = "1"
_READ_BYTES = 96 << 20  # more than most caches hold
_LEAST_FREE = 8 * _READ_BYTES  # else nothing is measured, lest other programs are swapped out
_TRIES = 6  # what disturbs a measurement only ever makes it slower
_MOST_SPREAD = 0.3  # by which the second-best try may be slower than the best one, else something disturbed
_PRODUCTS, _MATRIX = 200, 60  # so many, of so many rows and columns: too small to be shared out among cores

_log = logging.getLogger(__name__)


class MeasuredSpeed(Struct, frozen=True):
    """A speed, and whether it has come out alike twice."""

    speed: MachineSpeed
    is_steady: bool


class MemorySpeed:
    """Measures when it is first asked, which takes some 0.3 s: not for the event loop. Any thread.

    What was disturbed is used, but not kept: after the next start it is measured again.
    """

    def __init__(self, path: Path | None, measure: Callable[[], MeasuredSpeed | None] | None = None) -> None:
        """`path` is where the result is kept; None: nowhere."""
        self._file = CacheFile(path, "memory speed", _VERSION)
        self._measure = measure or measure_speed
        self._lock = Lock()
        self._known: MachineSpeed | None = None
        self._asked = False

    def speed(self) -> MachineSpeed | None:
        """How fast it is; None where that cannot be told."""
        with self._lock:
            if not self._asked:
                self._asked = True
                self._known = self._kept() or self._measure_and_keep()
            return self._known

    def _kept(self) -> MachineSpeed | None:
        content = self._file.read()
        if content is None:
            return None
        try:
            found = msgspec.msgpack.decode(content, type=MachineSpeed)
        except msgspec.MsgspecError as error:
            _log.warning("The speed of memory that was kept makes no sense: %s", error)
            return None
        return found if _is_sane(found) else None

    def _measure_and_keep(self) -> MachineSpeed | None:
        found = self._measure()
        if found is None or not _is_sane(found.speed):
            return None
        if found.is_steady:
            self._file.write(msgspec.msgpack.encode(found.speed))
        return found.speed


def measure_speed() -> MeasuredSpeed | None:
    """Reads a large array and multiplies small matrices; None where memory is too scarce for that.

    All cores read, since they share the memory; one multiplies and stands for all, since those of a busy
    computer would wait for each other.
    """
    if psutil.virtual_memory().available < _LEAST_FREE:
        return None
    import numpy as np  # takes a moment, which the start of the window need not wait for

    cores = usable_cores()
    numbers = np.ones(_READ_BYTES // 8, np.int64)
    pieces = np.array_split(numbers, cores)
    matrices = np.ones((_PRODUCTS, _MATRIX, _MATRIX), np.float32)
    products = np.empty_like(matrices)
    with ThreadPoolExecutor(cores, "memory-speed") as threads:
        read_s, next_read_s = _least_s(lambda: list(threads.map(np.max, pieces)))
    product_s, next_product_s = _least_s(lambda: np.matmul(matrices, matrices, out=products))
    steady = max(next_read_s / read_s, next_product_s / product_s) <= 1 + _MOST_SPREAD
    operations = 2.0 * _PRODUCTS * _MATRIX**3 * cores
    return MeasuredSpeed(MachineSpeed(numbers.nbytes / read_s, operations / product_s), steady)


def _least_s(work: Callable[[], object]) -> tuple[float, float]:
    """The two least times."""
    times = []
    for _ in range(_TRIES):
        started = perf_counter()
        work()
        times.append(max(perf_counter() - started, 1e-9))
    least, after = sorted(times)[:2]
    return least, after


def _is_sane(speed: MachineSpeed) -> bool:
    return all(0.0 < figure < float("inf") for figure in astuple(speed))
