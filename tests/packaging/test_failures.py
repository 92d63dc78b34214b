"""The cause of a failed set-up, read from the log that pip, CMake and the compiler left."""

from pathlib import Path

import pytest
from failures import cause_of, failure, not_found
from system_packages import Family, System, Tool

USER = System(Family.DEBIAN, root=False)

NO_COMPILER = """
  *** Configuring CMake...
  -- The C compiler identification is unknown
  CMake Error at CMakeLists.txt:2 (project):
    No CMAKE_CXX_COMPILER could be found.
  -- Configuring incomplete, errors occurred!
"""
WRONG_COMPILER = """
  CMake Error at Modules/CMakeDetermineCCompiler.cmake:49 (message):
    Could not find compiler set in environment variable CC:
    /opt/gone/cc.
  CMake Error: CMAKE_C_COMPILER not set, after EnableLanguage
"""
NO_C_LIBRARY = """
  [1/193] /usr/bin/gcc -O3 -c ggml.c
  ggml.c:9:10: fatal error: stdlib.h: No such file or directory
"""
NO_VISUAL_STUDIO = """
  CMake Error at CMakeLists.txt:3 (project):
    Generator
      Visual Studio 17 2022
    could not find any instance of Visual Studio.
"""
NO_COMMAND_LINE_TOOLS = "xcrun: error: invalid active developer path (/Library/Developer), missing xcrun"
NO_MAKE = """
CMake Error: CMake was unable to find a build program corresponding to "Unix Makefiles".
CMake Error: CMAKE_C_COMPILER not set, after EnableLanguage
"""
NMAKE = """
CMake Error: CMake was unable to find a build program corresponding to "NMake Makefiles".
CMake Error: CMAKE_CXX_COMPILER not set, after EnableLanguage
"""
NO_CMAKE = "scikit_build_core.errors.CMakeNotFoundError: Could not find CMake with version >=3.21"
OLD_CMAKE = "CMake Error at CMakeLists.txt:1:\n  CMake 3.21 or higher is required.  You have 3.16.3"
NO_HEADERS = "module.c:1:10: fatal error: Python.h: No such file or directory"
DISK_FULL = """
  /usr/bin/ld: final link failed: No space left on device
  collect2: error: ld returned 1 exit status
  ERROR: [Errno 28] No space left on device
"""
OUT_OF_MEMORY = """
  c++: fatal error: Killed signal terminated program cc1plus
  compilation terminated.
  ninja: build stopped: subcommand failed.
"""
NO_NETWORK = """
WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError(': Failed to establish a new connection: [Errno -3] Temporary failure in name resolution')': /simple/numpy/
ERROR: Could not find a version that satisfies the requirement numpy (from versions: none)
ERROR: No matching distribution found for numpy
"""  # noqa: E501
NO_CERTIFICATE = """
WARNING: Retrying after connection broken by 'SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED]'))'
ERROR: No matching distribution found for numpy
"""  # noqa: E501
APT_OFFLINE = "E: Failed to fetch pool/main/x/xvfb.deb  Temporary failure resolving 'mirror'"
NOT_WRITABLE = "ERROR: Could not install packages: [Errno 13] Permission denied: 'lib/site-packages'"
NO_WHEEL = "ERROR: No matching distribution found for PySide6-Essentials<6.13,>=6.12"


@pytest.mark.parametrize(
    ("log", "tool"),
    [
        pytest.param(NO_COMPILER, Tool.COMPILER, id="no compiler"),
        pytest.param(WRONG_COMPILER, Tool.COMPILER, id="a compiler that is not there"),
        pytest.param(NO_C_LIBRARY, Tool.COMPILER, id="a compiler without the C library"),
        pytest.param(NO_VISUAL_STUDIO, Tool.COMPILER, id="no Visual Studio"),
        pytest.param(NMAKE, Tool.COMPILER, id="no Visual Studio either"),
        pytest.param(NO_COMMAND_LINE_TOOLS, Tool.COMPILER, id="no command line tools"),
        pytest.param(NO_MAKE, Tool.MAKE, id="no make, which CMake also reports as no compiler"),
        pytest.param(NO_CMAKE, Tool.CMAKE, id="no CMake"),
        pytest.param(OLD_CMAKE, Tool.CMAKE, id="a CMake that is too old"),
        pytest.param(NO_HEADERS, Tool.HEADERS, id="no Python headers"),
    ],
)
def test_a_missing_tool_is_named_with_the_command_that_installs_it(log: str, tool: Tool) -> None:
    cause = cause_of(log, USER)

    assert cause.startswith(f"set-up did not find {tool.value}. Run: sudo apt-get install -y ")


@pytest.mark.parametrize(
    ("log", "words"),
    [
        pytest.param(DISK_FULL, "the disk is full", id="disk full"),
        pytest.param(OUT_OF_MEMORY, "CMAKE_BUILD_PARALLEL_LEVEL to 1", id="compiler killed"),
        pytest.param(NO_NETWORK, "the network could not be reached", id="no network"),
        pytest.param(APT_OFFLINE, "the network could not be reached", id="no network for apt-get"),
        pytest.param(NO_CERTIFICATE, "PIP_CERT", id="a certificate that is not trusted"),
        pytest.param(NOT_WRITABLE, "may not be written", id="not writable"),
        pytest.param(NO_WHEEL, "there is no PySide6-Essentials<6.13,>=6.12 for this Python", id="no wheel"),
    ],
)
def test_other_causes_are_told_with_what_to_do(log: str, words: str) -> None:
    assert words in cause_of(log, USER)


def test_a_connection_that_was_slow_once_is_not_blamed_for_a_missing_compiler() -> None:
    log = "WARNING: Retrying after connection broken by 'ReadTimeoutError'\n" + NO_COMPILER

    assert Tool.COMPILER.value in cause_of(log, USER)


def test_a_log_that_tells_nothing_names_no_cause() -> None:
    assert cause_of("  [12/193] /usr/bin/g++ -O3 -c x.cpp\nERROR: something else", USER) == ""


class TestTheMessage:
    LOG = "".join(f"line {number}\n\n" for number in range(1, 41)) + NO_COMPILER

    def test_starts_with_what_failed_and_why(self) -> None:
        first = str(failure("It could not be built", self.LOG, Path("setup.log"), USER)).splitlines()[0]

        assert first == "It could not be built: " + not_found(Tool.COMPILER, USER)

    def test_names_the_log_and_shows_its_last_lines_only(self) -> None:
        lines = str(failure("It could not be built", self.LOG, Path("setup.log"), USER)).splitlines()

        assert lines[1] == "The log is setup.log; its last lines:"
        assert lines[-1].strip() == "-- Configuring incomplete, errors occurred!"
        assert "    line 40" in lines
        assert "    line 30" not in lines

    def test_does_without_a_cause(self) -> None:
        message = str(failure("It could not be built", "odd\n", Path("setup.log"), USER))

        assert message.splitlines() == [
            "It could not be built.", "The log is setup.log; its last lines:", "    odd"
        ]  # fmt: skip
