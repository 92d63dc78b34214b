"""What Slipstream needs from the system: which of it is missing, and how it is installed there."""

import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum


class Family(StrEnum):
    """Systems that install packages in the same way."""

    DEBIAN = "debian"  # with Ubuntu and the others that have apt-get
    FEDORA = "fedora"
    ARCH = "arch"
    SUSE = "suse"
    OTHER_UNIX = "other_unix"
    MACOS = "macos"
    WINDOWS = "windows"


class Tool(StrEnum):
    """What a build can lack; the value is how a sentence names it."""

    COMPILER = "a C and C++ compiler"
    CMAKE = "CMake"
    MAKE = "a build tool (ninja or make)"
    HEADERS = "the header files of Python"


@dataclass(frozen=True)
class System:
    """The system that set-up runs on; `root` says whether it may install packages."""

    family: Family
    root: bool


# Python's `ensurepip` comes in a package of its own there, one for each Python; see `debian_packages`.
_DEBIAN_COMPILER = ("build-essential",)
# What Qt's libraries and its X11 and Wayland plugins are linked with.
_DEBIAN_QT = (
    "libbrotli1",
    "libdbus-1-3",
    "libegl1",
    "libfontconfig1",
    "libfreetype6",
    "libgl1",
    "libglib2.0-0",
    "libgssapi-krb5-2",
    "libwayland-client0",
    "libwayland-cursor0",
    "libwayland-egl1",
    "libx11-6",
    "libx11-xcb1",
    "libxcb-cursor0",
    "libxcb-glx0",
    "libxcb-icccm4",
    "libxcb-image0",
    "libxcb-keysyms1",
    "libxcb-randr0",
    "libxcb-render-util0",
    "libxcb-render0",
    "libxcb-shape0",
    "libxcb-shm0",
    "libxcb-sync1",
    "libxcb-util1",
    "libxcb-xfixes0",
    "libxcb-xkb1",
    "libxcb1",
    "libxkbcommon-x11-0",
    "libxkbcommon0",
)
_DEBIAN_DISPLAY = ("xvfb",)

_FAMILIES = {
    "debian": Family.DEBIAN,
    "ubuntu": Family.DEBIAN,
    "fedora": Family.FEDORA,
    "rhel": Family.FEDORA,
    "centos": Family.FEDORA,
    "arch": Family.ARCH,
    "suse": Family.SUSE,
    "opensuse": Family.SUSE,
}
_INSTALL = {
    Family.DEBIAN: "apt-get install -y",
    Family.FEDORA: "dnf install",
    Family.ARCH: "pacman -S",
    Family.SUSE: "zypper install",
}
_PACKAGES = {
    Tool.COMPILER: {
        Family.DEBIAN: "build-essential",
        Family.FEDORA: "gcc gcc-c++ make",
        Family.ARCH: "base-devel",
        Family.SUSE: "gcc gcc-c++ make",
    },
    Tool.CMAKE: dict.fromkeys(_INSTALL, "cmake"),
    Tool.MAKE: {
        Family.DEBIAN: "ninja-build make",
        Family.FEDORA: "ninja-build make",
        Family.ARCH: "ninja make",
        Family.SUSE: "ninja make",
    },
    Tool.HEADERS: {
        Family.DEBIAN: "python3-dev",
        Family.FEDORA: "python3-devel",
        Family.ARCH: "python",
        Family.SUSE: "python3-devel",
    },
}


def this_system() -> System:
    """The system that this Python runs on."""
    if sys.platform == "win32":
        return System(Family.WINDOWS, root=False)
    root = os.geteuid() == 0
    if sys.platform == "darwin":
        return System(Family.MACOS, root)
    try:
        release = platform.freedesktop_os_release()
    except OSError:
        release = {}
    family = family_of(release)
    if family is Family.DEBIAN and not shutil.which("apt-get"):
        family = Family.OTHER_UNIX
    return System(family, root)


def family_of(release: Mapping[str, str]) -> Family:
    """The family of a system whose os-release file has these fields."""
    for name in (release.get("ID", ""), *release.get("ID_LIKE", "").split()):
        for known, family in _FAMILIES.items():
            if name == known or name.startswith(known + "-"):
                return family
    return Family.OTHER_UNIX


def compiler_present(family: Family, environment: Mapping[str, str]) -> bool:
    """Whether a C and a C++ compiler are there; on Windows that is left to CMake, which alone can tell."""
    if family is Family.WINDOWS:
        return True
    if family is Family.MACOS:  # a stand-in for the compiler is always there, so its presence says nothing
        chosen = subprocess.run(["xcode-select", "-p"], capture_output=True, check=False)
        return chosen.returncode == 0
    path = environment.get("PATH")

    def found(variable: str, names: Iterable[str]) -> bool:
        if chosen := environment.get(variable, "").split():
            return shutil.which(chosen[0], path=path) is not None
        return any(shutil.which(name, path=path) for name in names)

    return found("CC", ("cc", "gcc", "clang")) and found("CXX", ("c++", "g++", "clang++"))


def debian_packages(
    python: str, *, compiler: bool, ensurepip: bool, qt: bool, display: bool
) -> tuple[str, ...]:
    """The Debian packages for what is wanted; `python` is a version such as "3.11".

    `compiler` and `ensurepip` ask for the compiler and for Python's `ensurepip`, `qt` for the libraries that
    Qt needs to show a window, `display` for a display that exists in memory only.
    """
    return (
        *(_DEBIAN_COMPILER if compiler else ()),
        *((f"python{python}-venv",) if ensurepip else ()),
        *(_DEBIAN_QT if qt else ()),
        *(_DEBIAN_DISPLAY if display else ()),
    )


def missing_packages(wanted: Sequence[str]) -> tuple[str, ...]:
    """Those of `wanted` that dpkg does not have installed, in their order."""
    if not wanted:
        return ()
    names = [name for package in wanted for name in (package, package + "t64")]
    query = ["dpkg-query", "--show", "--showformat=${db:Status-Status} ${Package}\n", *names]
    answer = subprocess.run(query, capture_output=True, text=True, check=False)  # fails where one is unknown
    return absent(wanted, answer.stdout)


def absent(wanted: Sequence[str], listing: str) -> tuple[str, ...]:
    """Those of `wanted` that a listing of "status package" lines does not show as installed.

    Debian renamed some libraries when time became 64 bits wide: `libglib2.0-0t64` serves as `libglib2.0-0`.
    """
    installed = {line.split()[1] for line in listing.splitlines() if line.startswith("installed ")}
    return tuple(name for name in wanted if name not in installed and name + "t64" not in installed)


def apt_commands(packages: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """The commands that install `packages` without a question: the first only refreshes apt's lists."""
    apt = ("apt-get", "-o", "DPkg::Lock::Timeout=120", "-o", "Dpkg::Use-Pty=0")
    return (
        (*apt, "update"),
        (*apt, "install", "-y", "--no-install-recommends", *packages),
    )


def line_to_run(system: System, packages: Sequence[str]) -> str:
    """The one line that installs Debian packages by hand."""
    return f"{_sudo(system)}{_INSTALL[Family.DEBIAN]} {' '.join(packages)}"


def how_to_install(tool: Tool, system: System) -> str:
    """What to do about a missing tool on this system: a command to run, or a sentence."""
    if system.family is Family.WINDOWS:
        if tool is Tool.HEADERS:
            return "Install Python with the installer from its makers, which brings them."
        return 'Install the "Build Tools for Visual Studio" with the workload "Desktop development with C++".'
    if system.family is Family.MACOS:
        if tool in (Tool.COMPILER, Tool.MAKE):
            return "Run: xcode-select --install"
        return f"Run: brew install {'cmake' if tool is Tool.CMAKE else 'python'}"
    if system.family is Family.OTHER_UNIX:
        return "Install it with the system's package manager."
    return f"Run: {_sudo(system)}{_INSTALL[system.family]} {_PACKAGES[tool][system.family]}"


def _sudo(system: System) -> str:
    return "" if system.root else "sudo "
