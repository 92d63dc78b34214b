"""How much memory another process takes."""

import sys
from pathlib import Path

import psutil
from msgspec import Struct


class ProcessMemory(Struct, frozen=True):
    """The memory of one process, in bytes."""

    resident: int
    droppable: (
        int  # of these, pages of files that the system counts as available, since it can read them again
    )
    peak: int  # the most resident memory it has had, or has now where the system does not tell


def process_memory(process: psutil.Process) -> ProcessMemory:
    """Looks at a process; nothing resident means that it has ended. Raises psutil.Error if it is gone."""
    if sys.platform == "linux":
        try:
            status = Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8", errors="replace")
        except (FileNotFoundError, ProcessLookupError) as error:
            raise psutil.NoSuchProcess(process.pid) from error
        found = from_status(status)
        if found is not None:
            return found
    memory = process.memory_info()
    return ProcessMemory(memory.rss, 0, getattr(memory, "peak_wset", memory.rss))  # "peak_wset" is Windows'


def from_status(status: str) -> ProcessMemory | None:
    """Reads Linux's /proc/<pid>/status; None where the kernel leaves figures out."""
    figures: dict[str, int] = {}
    for line in status.splitlines():
        key, _, value = line.partition(":")
        if value.endswith("kB"):
            figures[key] = int(value.split()[0]) * 1024
    if not {"VmRSS", "RssFile", "VmHWM"} <= figures.keys():
        return None
    locked = figures.get("VmLck", 0)  # in memory for good, so not available
    return ProcessMemory(figures["VmRSS"], max(0, figures["RssFile"] - locked), figures["VmHWM"])
