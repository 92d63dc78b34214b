"""Why set-up could not go on, told to a person: read from the log of the command that failed."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from system_packages import System, Tool, how_to_install

_LAST_LINES = 12
_LINE_LENGTH = 200


class SetupError(Exception):
    """Set-up cannot go on; `str()` is the message for the person, several lines long at times."""


@dataclass(frozen=True)
class _Sign:
    pattern: str
    cause: Tool | str


# The first sign that is found names the cause. Order matters: a full disk and a killed compiler bring other
# complaints after them, CMake reports a missing make as missing compilers too, and a package index that was
# slow once is named only where nothing else went wrong.
_SIGNS = (
    _Sign(
        r"No space left on device|\[Errno 28\]|WinError 112\b",
        "the disk is full. Set-up needs about 3 GB while it builds; make room and start again.",
    ),
    _Sign(
        r"Killed signal terminated program|(?:g\+\+|gcc|c\+\+|cc|clang\S*): fatal error: Killed|Killed: 9"
        r"|virtual memory exhausted|out of memory allocating|Cannot allocate memory|LLVM ERROR: out of memory"
        r"|fatal error C1060",
        "the compiler ran out of memory. Close other programs, or set the environment variable "
        "CMAKE_BUILD_PARALLEL_LEVEL to 1, so that it builds one file at a time, and start again.",
    ),
    _Sign(
        r"Could not find CMake with version|CMakeNotFoundError|CMake \S+ or higher is required"
        r"|No such file or directory: 'cmake'|cmake: (?:command )?not found",
        Tool.CMAKE,
    ),
    _Sign(r'build program corresponding to\s+"(?:Unix Makefiles|Ninja)"|NinjaNotFoundError', Tool.MAKE),
    _Sign(
        r"fatal error: Python\.h|Cannot open include file: 'Python\.h'"
        r"|Could NOT find Python3?\b.*Development",
        Tool.HEADERS,
    ),
    _Sign(
        r"No CMAKE_(?:C|CXX)_COMPILER could be found|CMAKE_(?:C|CXX)_COMPILER not set"
        r"|is not able to compile a|is not a full path to an existing compiler"
        r"|Could not find compiler set in environment"
        r"|could not find any instance of Visual Studio|Microsoft Visual C\+\+ \S+ or greater is required"
        r"|invalid active developer path|command '\S+' failed: No such file"
        r"|fatal error: (?:stdio\.h|stdlib\.h|string\.h|stdint\.h|cstdint|cstdlib|string|vector)\b"
        r"|No such file or directory: '(?:cc|gcc|c\+\+|g\+\+|clang|clang\+\+)'",
        Tool.COMPILER,
    ),
    _Sign(
        r"CERTIFICATE_VERIFY_FAILED|SSLError",
        "the package index did not show a certificate that this system trusts. Behind a company's proxy, "
        "point the environment variable PIP_CERT at its certificate and start again.",
    ),
    _Sign(
        r"NewConnectionError|NameResolutionError|ConnectTimeoutError|ReadTimeoutError|ProxyError"
        r"|ConnectionResetError|Temporary failure (?:in name resolution|resolving)|Could not resolve"
        r"|Read timed out|Network is unreachable|Connection refused|Connection broken|Failed to fetch"
        r"|getaddrinfo failed",
        "the network could not be reached. Check the connection and start again; what was fetched is kept.",
    ),
    _Sign(
        r"Permission denied|\[Errno 13\]|WinError 5\b",
        "a file or folder may not be written. Check who owns the folder of the checkout.",
    ),
)
_NO_BUILD = re.compile(r"No matching distribution found for (\S+)")


def cause_of(log: str, system: System) -> str:
    """Why the command that wrote `log` failed, and what to do; empty where the log does not tell."""
    for sign in _SIGNS:
        if re.search(sign.pattern, log):
            return not_found(sign.cause, system) if isinstance(sign.cause, Tool) else sign.cause
    if found := _NO_BUILD.search(log):
        return f"there is no {found[1]} for this Python on this system. Try another Python, 3.11 to 3.14."
    return ""


def not_found(tool: Tool, system: System) -> str:
    """That a tool is missing, and how it is installed."""
    return f"set-up did not find {tool.value}. {how_to_install(tool, system)}"


def failure(what: str, log: str, log_file: Path, system: System) -> SetupError:
    """The error for a command that failed: what could not be done, the cause, and the end of its log."""
    cause = cause_of(log, system)
    sentence = f"{what}: {cause}" if cause else f"{what}."
    lines = [f"    {line[:_LINE_LENGTH]}" for line in _last_lines(log)]
    return SetupError("\n".join([sentence, f"The log is {log_file}; its last lines:", *lines]))


def _last_lines(log: str) -> Sequence[str]:
    return [line.rstrip() for line in log.splitlines() if line.strip()][-_LAST_LINES:]
