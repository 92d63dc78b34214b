"""Commands that take minutes: all they print goes into a log, and one line tells how far they are."""

import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, TextIO

PLAIN_INTERVAL = 30.0  # seconds between two lines where the output is not a terminal
_MOVING_INTERVAL = 0.2  # seconds between two repaints on a terminal
_GRACE = 5.0  # seconds that a command gets to end after Ctrl+C, and once more after it was terminated


class Activity:
    """What a command is doing, as far as the lines show that pip, ninja, make and apt-get print."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._building = ""

    def read(self, line: str) -> None:
        """Take the command's next line of output."""
        if found := re.search(r"Building (?:editable|wheel) for (\S+) .*: started", line):
            self._building = found[1]
            self.text = f"building {found[1]}"
        elif re.search(r"Building (?:editable|wheel) for \S+ .*: finished", line):
            self._building = ""
        elif self._building:
            if found := re.match(r"\s*\[(\d+)/(\d+)\]", line):
                self.text = f"building {self._building}, step {found[1]} of {found[2]}"
            elif found := re.match(r"\s*\[ *(\d+)%\]", line):
                self.text = f"building {self._building}, {found[1]} %"
        elif found := re.match(r"\s*Downloading (?:\S*/)?([A-Za-z0-9._]+)-\S+ \((.+)\)", line):
            self.text = f"downloading {found[1]} ({found[2]})"
        elif found := re.match(r"\s*Collecting ([A-Za-z0-9._-]+)", line):
            self.text = f"looking up {found[1]}"
        elif found := re.match(r"(Unpacking|Setting up) (\S+)", line):
            self.text = f"{found[1].lower()} {found[2]}"
        elif line.startswith("Installing collected packages"):
            self.text = "installing the packages"


class StatusLine:
    """Elapsed time and activity: one line, written over on a terminal; elsewhere a new one now and then.

    `clock` returns seconds; only differences count.
    """

    def __init__(self, stream: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream = stream
        self._clock = clock
        self._started = clock()
        self._last_plain = self._started
        self._width = 0
        self._moving = stream.isatty() and os.environ.get("TERM") != "dumb"

    @property
    def interval(self) -> float:
        """Seconds that should pass between two calls of `show`."""
        return _MOVING_INTERVAL if self._moving else 1.0

    @property
    def elapsed(self) -> str:
        """Minutes and seconds since the start, such as "7:03"."""
        minutes, seconds = divmod(int(self._clock() - self._started), 60)
        return f"{minutes}:{seconds:02}"

    def show(self, activity: str) -> None:
        """Show what is being done now."""
        text = f"{self.elapsed}  {activity}"
        now = self._clock()
        if self._moving:
            text = text[: _columns(self._stream) - 1]
            self._stream.write("\r" + text.ljust(self._width))
            self._stream.flush()
            self._width = len(text)
        elif now - self._last_plain >= PLAIN_INTERVAL:
            self._last_plain = now
            self._stream.write(text + "\n")
            self._stream.flush()

    def say(self, sentence: str) -> None:
        """Print a sentence that stays."""
        self.clear()
        self._stream.write(sentence + "\n")
        self._stream.flush()

    def clear(self) -> None:
        """Take the moving line away."""
        if self._width:
            self._stream.write("\r" + " " * self._width + "\r")
            self._stream.flush()
            self._width = 0


def run_logged(
    command: Sequence[str], log: IO[bytes], status: StatusLine, doing: str, environment: Mapping[str, str]
) -> int:
    """Run `command` without input, append its output to `log`, keep `status` moving; returns the exit code.

    Ctrl+C ends the command too, and raises KeyboardInterrupt. Raises OSError where the command cannot be
    started or the log cannot be written.
    """
    log.write(("\n$ " + " ".join(command) + "\n").encode(errors="replace"))
    log.flush()
    activity = Activity(doing)
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=dict(environment),
    )
    assert process.stdout is not None
    problems: list[OSError] = []
    reader = threading.Thread(target=_keep, args=(process.stdout, log, activity, problems), daemon=True)
    reader.start()
    try:
        while reader.is_alive():
            status.show(activity.text)
            reader.join(status.interval)
        process.stdout.close()
        if problems:
            process.terminate()
            process.wait()
            raise problems[0]
        return process.wait()
    except KeyboardInterrupt:
        end(process)
        raise
    finally:
        status.clear()


def run_visibly(command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> int:
    """Run `command` in `folder` on this terminal; returns the exit code, 128 + n where signal n ended it.

    Ctrl+C reaches the command by itself; it gets a moment to end, then KeyboardInterrupt goes on.
    """
    process = subprocess.Popen(command, cwd=folder, env=dict(environment))
    try:
        code = process.wait()
    except KeyboardInterrupt:
        end(process)
        raise
    return code if code >= 0 else 128 - code


def hand_over(command: list[str], environment: Mapping[str, str]) -> int:
    """Become `command`: its signals, its terminal and its exit code are then this process's own.

    Windows cannot replace a process, so there the command runs as a child and its exit code is returned.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    if os.name != "nt":
        os.execve(command[0], command, dict(environment))
    process = subprocess.Popen(command, env=dict(environment))
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            continue  # the command got it as well, and decides what it means


def end(process: subprocess.Popen[bytes]) -> None:
    """Wait a moment for a process that was told to stop, then end it."""
    for stop in (process.terminate, process.kill):
        try:
            process.wait(_GRACE)
            return
        except (subprocess.TimeoutExpired, KeyboardInterrupt):
            stop()
    process.wait()


def _keep(output: IO[bytes], log: IO[bytes], activity: Activity, problems: list[OSError]) -> None:
    try:
        for line in output:
            log.write(line)
            log.flush()
            activity.read(line.decode("utf-8", "replace"))
    except OSError as problem:  # a full disk, most likely
        problems.append(problem)


def _columns(stream: TextIO) -> int:
    try:
        return os.get_terminal_size(stream.fileno()).columns or 80
    except (OSError, ValueError):
        return 80
