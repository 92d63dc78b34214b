"""What of the processor decides how llama.cpp lays out weights, found without loading llama.cpp."""

import platform
import subprocess
import sys
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path

from msgspec import Struct

_CPU_INFO = Path("/proc/cpuinfo")

# Numbers that Windows' IsProcessorFeaturePresent takes.
_WINDOWS_AVX2 = 40
_WINDOWS_AVX512F = 41
_WINDOWS_ARM_DOT_PRODUCT = 43


class CpuFamily(StrEnum):
    """Processors that llama.cpp has weight layouts of their own for."""

    X86 = "x86"
    ARM = "arm"
    OTHER = "other"


class CpuFeatures(Struct, frozen=True):
    """The processor as far as layouts depend on it.

    llama.cpp decides by what it was compiled for; a build from source is compiled for its own machine, so
    the processor's features stand for the build's. `certain` is False where they were assumed.
    """

    family: CpuFamily
    avx2: bool = False
    avx512: bool = False
    amx: bool = False  # with 8-bit integers, and AVX-512 VNNI besides
    dot_product: bool = False
    certain: bool = True


def detect_features() -> CpuFeatures:
    """This computer's processor. What cannot be found out is assumed to be there, as it is in most."""
    family = _family(platform.machine())
    if family is CpuFamily.OTHER:
        return CpuFeatures(family, certain=False)
    if sys.platform == "linux":
        try:
            return features_from_cpu_info(_CPU_INFO.read_text(encoding="utf-8", errors="replace"), family)
        except OSError:  # a container may hide it; the assumption below says that it is one
            return _assumed(family)
    if sys.platform == "darwin":
        return _on_macos(family)
    if sys.platform == "win32":
        return _on_windows(family)
    return _assumed(family)


def features_from_cpu_info(text: str, family: CpuFamily) -> CpuFeatures:
    """Reads the text of Linux's /proc/cpuinfo, which calls the list "flags", on ARM "Features"."""
    for line in text.splitlines():
        key, _, value = line.partition(":")
        if key.strip().lower() in ("flags", "features"):
            return _from_flags(value.split(), family)
    return _assumed(family)


def _from_flags(listed: Iterable[str], family: CpuFamily) -> CpuFeatures:
    flags = frozenset(listed)
    if family is CpuFamily.ARM:
        return CpuFeatures(family, dot_product="asimddp" in flags)
    amx = {"amx_int8", "avx512_vnni"} <= flags
    return CpuFeatures(family, avx2="avx2" in flags, avx512="avx512f" in flags, amx=amx)


def _family(machine: str) -> CpuFamily:
    name = machine.lower()
    if name in ("x86_64", "amd64", "i386", "i686", "x86"):
        return CpuFamily.X86
    return CpuFamily.ARM if name in ("aarch64", "arm64") else CpuFamily.OTHER


def _assumed(family: CpuFamily) -> CpuFeatures:
    x86 = family is CpuFamily.X86
    return CpuFeatures(family, avx2=x86, dot_product=family is CpuFamily.ARM, certain=False)


def _on_macos(family: CpuFamily) -> CpuFeatures:
    if family is CpuFamily.X86:
        return CpuFeatures(family)  # llama-cpp-python builds without AVX2 for Intel Macs
    try:
        command = ("/usr/sbin/sysctl", "-n", "hw.optional.arm.FEAT_DotProd")
        answer = subprocess.run(command, capture_output=True, text=True, timeout=5, check=True)
    except (OSError, subprocess.SubprocessError):
        return _assumed(family)
    return CpuFeatures(family, dot_product=answer.stdout.strip() == "1")


def _on_windows(family: CpuFamily) -> CpuFeatures:
    if sys.platform != "win32":
        return _assumed(family)
    import ctypes

    present = ctypes.windll.kernel32.IsProcessorFeaturePresent
    if family is CpuFamily.ARM:
        return CpuFeatures(family, dot_product=bool(present(_WINDOWS_ARM_DOT_PRODUCT)))
    return CpuFeatures(family, avx2=bool(present(_WINDOWS_AVX2)), avx512=bool(present(_WINDOWS_AVX512F)))
