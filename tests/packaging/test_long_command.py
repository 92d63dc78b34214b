"""Commands that take minutes: their log, their exit code, and the line that shows how far they are."""

import errno
import io
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from long_command import PLAIN_INTERVAL, Activity, StatusLine, end, run_logged, run_visibly


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


class FullDisk(io.BytesIO):
    """A file on a disk that has room for the first write only."""

    def write(self, content: Any) -> int:
        if self.tell():
            raise OSError(errno.ENOSPC, "No space left on device")
        return super().write(content)


class Clock:
    """A clock that is set by hand, in seconds."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class TestActivity:
    @pytest.mark.parametrize(
        ("line", "text"),
        [
            ("Collecting PySide6-Essentials<6.13,>=6.12", "looking up PySide6-Essentials"),
            ("  Downloading numpy-2.4.6-cp311-cp311-manylinux.whl (16.7 MB)", "downloading numpy (16.7 MB)"),
            ("  Building wheel for llama-cpp-python (pyproject.toml): started", "building llama-cpp-python"),
            ("  Building editable for slipstream (pyproject.toml): started", "building slipstream"),
            ("Installing collected packages: numpy, regex", "installing the packages"),
            ("Unpacking libgl1:amd64 (1.6.0-1) ...", "unpacking libgl1:amd64"),
            ("Setting up xvfb (2:21.1.7-3) ...", "setting up xvfb"),
        ],
    )
    def test_is_read_from_what_the_tools_print(self, line: str, text: str) -> None:
        activity = Activity("starting")

        activity.read(line)

        assert activity.text == text

    @pytest.mark.parametrize(
        ("line", "step"),
        [("  [57/193] /usr/bin/g++ -O3 -c x.cpp", "step 57 of 193"), ("  [ 12%] Building CXX x.o", "12 %")],
    )
    def test_tells_how_far_a_build_is(self, line: str, step: str) -> None:
        activity = Activity("starting")
        activity.read("  Building wheel for llama-cpp-python (pyproject.toml): started")

        activity.read(line)

        assert activity.text == f"building llama-cpp-python, {step}"

    def test_leaves_the_build_when_it_is_finished(self) -> None:
        activity = Activity("starting")
        activity.read("  Building wheel for llama-cpp-python (pyproject.toml): started")
        activity.read("  Building wheel for llama-cpp-python (pyproject.toml): finished with status 'done'")

        activity.read("Installing collected packages: numpy")

        assert activity.text == "installing the packages"

    @pytest.mark.parametrize("line", ["", "WARNING: something", "  [57/193] outside a build"])
    def test_stays_as_it_is_where_a_line_says_nothing(self, line: str) -> None:
        activity = Activity("starting")

        activity.read(line)

        assert activity.text == "starting"


class TestTheLineOnATerminal:
    def test_is_written_over(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("TERM", "xterm")
        stream, clock = Terminal(), Clock()
        line = StatusLine(stream, clock)

        line.show("building, step 9 of 10")
        clock.now += 65.5
        line.show("linking")

        assert stream.getvalue() == "\r0:00  building, step 9 of 10\r1:05  linking               "

    def test_makes_way_for_a_sentence(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("TERM", "xterm")
        stream = Terminal()
        line = StatusLine(stream, Clock())

        line.show("building")
        line.say("Done.")

        assert stream.getvalue() == "\r0:00  building\r" + " " * 14 + "\rDone.\n"

    def test_is_never_wider_than_the_terminal(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("TERM", "xterm")
        stream = Terminal()

        StatusLine(stream, Clock()).show("x" * 500)

        assert len(stream.getvalue()) == 1 + 79

    def test_is_not_moved_on_one_that_cannot(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("TERM", "dumb")
        stream = Terminal()

        StatusLine(stream, Clock()).show("building")

        assert "\r" not in stream.getvalue()


def test_elsewhere_a_plain_line_appears_now_and_then() -> None:
    stream, clock = io.StringIO(), Clock()
    line = StatusLine(stream, clock)

    for second in range(int(3 * PLAIN_INTERVAL)):
        clock.now = 1000.0 + second
        line.show(f"step {second}")
    line.clear()

    assert stream.getvalue() == "0:30  step 30\n1:00  step 60\n"


def _run(program: str, log: Path, stream: io.StringIO, variables: Mapping[str, str]) -> int:
    with log.open("ab") as file:
        return run_logged([sys.executable, "-c", program], file, StatusLine(stream), "working", variables)


class TestALoggedCommand:
    def test_leaves_all_its_output_in_the_log_and_returns_its_code(self, tmp_path: Path) -> None:
        log, stream = tmp_path / "log", io.StringIO()
        program = (
            "import sys; print('out'); print('err', file=sys.stderr); sys.exit(7 + len(sys.stdin.read()))"
        )

        code = _run(program, log, stream, os.environ)

        assert code == 7
        lines = log.read_text().splitlines()
        assert lines[1].startswith(f"$ {sys.executable} -c")
        assert sorted(lines[2:]) == ["err", "out"]
        assert stream.getvalue() == ""

    def test_may_print_bytes_that_are_no_text(self, tmp_path: Path) -> None:
        log = tmp_path / "log"
        program = r"import sys; sys.stdout.buffer.write(b'\xff\xfe no text')"

        _run(program, log, io.StringIO(), os.environ)

        assert log.read_bytes().endswith(b"\xff\xfe no text")

    def test_gets_the_variables_that_were_given(self, tmp_path: Path) -> None:
        log = tmp_path / "log"
        program = "import os; print(os.environ['COLOUR'])"

        _run(program, log, io.StringIO(), {**os.environ, "COLOUR": "blue"})

        assert log.read_text().endswith("blue\n")

    def test_is_ended_when_its_log_cannot_be_written(self) -> None:
        log = FullDisk()
        program = "while True: print('more')"

        with pytest.raises(OSError, match="No space left"):
            run_logged([sys.executable, "-c", program], log, StatusLine(io.StringIO()), "working", os.environ)

    def test_that_does_not_exist_raises(self, tmp_path: Path) -> None:
        with pytest.raises(FileNotFoundError):
            run_logged([str(tmp_path / "no")], io.BytesIO(), StatusLine(io.StringIO()), "working", os.environ)


class TestAVisibleCommand:
    def test_runs_in_its_folder_and_returns_its_code(
        self, tmp_path: Path, capfd: pytest.CaptureFixture[str]
    ) -> None:
        program = "import os, sys; print(os.getcwd()); sys.exit(3)"

        assert run_visibly([sys.executable, "-c", program], tmp_path, os.environ) == 3
        assert Path(capfd.readouterr().out.strip()).samefile(tmp_path)

    @pytest.mark.skipif(os.name == "nt", reason="Windows has no signals that end a process")
    def test_that_a_signal_ended_returns_what_a_shell_would(self, tmp_path: Path) -> None:
        program = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"

        assert run_visibly([sys.executable, "-c", program], tmp_path, os.environ) == 128 + 9


def test_a_command_that_does_not_end_by_itself_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("long_command._GRACE", 0.01)
    process = subprocess.Popen(
        [sys.executable, "-c", "import sys; sys.stdin.read()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
    )

    end(process)

    assert process.returncode is not None
    assert process.stdin is not None
    process.stdin.close()
