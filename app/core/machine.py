"""What this computer is, and how much memory this process takes of it."""

import os
import platform
import subprocess
import sys
from pathlib import Path

import psutil
from msgspec import Struct

_CPU_INFO = Path("/proc/cpuinfo")
_PROCESS_STATUS = Path("/proc/self/status")


class Machine(Struct, frozen=True):
    """Where something was measured."""

    processor: str
    physical_cores: int | None  # None where the system does not tell
    logical_cores: int
    memory_bytes: int
    operating_system: str
    python_version: str
    engine_version: str


def describe_machine(engine_version: str) -> Machine:
    """This computer; `engine_version` names the native library that does the work."""
    return Machine(
        processor=_processor(),
        physical_cores=psutil.cpu_count(logical=False),
        logical_cores=psutil.cpu_count(logical=True) or 1,
        memory_bytes=psutil.virtual_memory().total,
        operating_system=_operating_system(),
        python_version=platform.python_version(),
        engine_version=engine_version,
    )


def usable_cores() -> int:
    """Physical cores that this process may use, at least one."""
    physical = psutil.cpu_count(logical=False) or os.cpu_count() or 1
    allowed = len(os.sched_getaffinity(0)) if sys.platform == "linux" else physical
    return max(1, min(physical, allowed))


def memory_in_use() -> int:
    """Resident memory of this process now, in bytes."""
    return psutil.Process().memory_info().rss


def peak_rss_bytes() -> int:
    """The most resident memory this process has had, in bytes."""
    if sys.platform == "win32":
        return psutil.Process().memory_info().peak_wset
    if sys.platform == "linux":
        # ru_maxrss outlives exec and would report a large parent's peak as ours; VmHWM does not.
        peak = _status_bytes(_PROCESS_STATUS.read_text(encoding="utf-8", errors="replace"), "VmHWM")
        if peak is not None:
            return peak
    import resource  # not on Windows

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def _status_bytes(status: str, name: str) -> int | None:
    """A figure of /proc/self/status, which gives kibibytes; None where the line is missing."""
    for line in status.splitlines():
        key, _, value = line.partition(":")
        if key == name:
            return int(value.split()[0]) * 1024
    return None


def _processor() -> str:
    name = None
    if sys.platform == "linux" and _CPU_INFO.is_file():
        name = _processor_from(_CPU_INFO.read_text(encoding="utf-8", errors="replace"))
    elif sys.platform == "darwin":
        name = _answer_of("/usr/sbin/sysctl", "-n", "machdep.cpu.brand_string")
    elif sys.platform == "win32":
        name = _processor_from_registry()
    return name or platform.processor() or platform.machine() or "unknown processor"


def _processor_from(cpu_info: str) -> str | None:
    """The name in /proc/cpuinfo. ARM kernels often name only the board, and many name nothing."""
    values: dict[str, str] = {}
    for line in cpu_info.splitlines():
        key, _, value = line.partition(":")
        values.setdefault(key.strip().lower(), " ".join(value.split()))
    named = (values.get(key) for key in ("model name", "cpu model", "hardware", "model"))
    return next((name for name in named if name and not name.isdigit()), None)


def _processor_from_registry() -> str | None:
    if sys.platform != "win32":
        return None
    import winreg  # on Windows alone

    key = r"HARDWARE\DESCRIPTION\System\CentralProcessor\0"
    try:
        with winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, key) as opened:
            return str(winreg.QueryValueEx(opened, "ProcessorNameString")[0]).strip()
    except OSError:  # the name is a nicety; platform has a plainer one
        return None


def _operating_system() -> str:
    """The system's name and version with the processor's architecture."""
    name = f"{platform.system()} {platform.release()}"
    if sys.platform == "darwin":
        name = f"macOS {platform.mac_ver()[0]}"
    elif sys.platform == "linux":
        try:
            name = platform.freedesktop_os_release().get("PRETTY_NAME", name)
        except OSError:  # not every distribution has the file
            name = f"Linux {platform.release()}"
    return f"{name}, {platform.machine()}"


def _answer_of(*command: str) -> str | None:
    """What a small command prints; None where it is missing or fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=5, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip() or None
