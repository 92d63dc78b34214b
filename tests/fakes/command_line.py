"""The command line as people run it: a process of its own, with the loopback hub and a home in a folder."""

import errno
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from app.paths import resource
from tests.fakes.hub_server import HubServer

PATIENCE = 60  # seconds; only a broken program takes so long


class CommandLine:
    """Runs `slipstream` commands against a hub, with all its files below `home`."""

    def __init__(self, hub: HubServer, home: Path) -> None:
        self.home = home
        self.models = home / "slipstream" / "data" / "models"
        self.settings = home / "slipstream" / "config" / "settings.json"
        kept = {
            name: value for name, value in os.environ.items() if not name.startswith(("HF_", "SLIPSTREAM_"))
        }
        self.environment = {
            **kept,
            "HF_ENDPOINT": hub.endpoint,
            "HF_HOME": str(home / "hugging face"),
            "SLIPSTREAM_HOME": str(home / "slipstream"),
            "PYTHONIOENCODING": "utf-8",
            "COLUMNS": "100",
        }

    def start(self, *arguments: str, **variables: str) -> subprocess.Popen[str]:
        """A command that runs on."""
        return subprocess.Popen(
            self._command(arguments),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            cwd=resource("").parent,
            env={**self.environment, **variables},
        )

    @contextmanager
    def start_on_terminal(self, *arguments: str) -> Iterator[tuple[subprocess.Popen[bytes], "Terminal"]]:
        """A command that writes on a terminal of 80 columns. Not on Windows."""
        own, its = os.openpty()
        with os.fdopen(own, "rb", buffering=0) as reader:
            try:
                child = subprocess.Popen(
                    self._command(arguments),
                    stdin=subprocess.DEVNULL,
                    stdout=its,
                    stderr=its,
                    cwd=resource("").parent,
                    env={**self.environment, "COLUMNS": "80"},
                )
            finally:
                os.close(its)
            with child:
                yield child, Terminal(reader)

    def run(self, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """A command, to its end."""
        with self.start(*arguments, **variables) as child:
            out, err = child.communicate(timeout=PATIENCE)
        return subprocess.CompletedProcess(arguments, child.returncode, out, err)

    def _command(self, arguments: Sequence[str]) -> list[str]:
        return [sys.executable, "-m", "app", *arguments]


class Terminal:
    """What a program writes on its terminal."""

    def __init__(self, reader: IO[bytes]) -> None:
        self._reader = reader

    def read(self) -> str:
        """Waits for something; empty at the end."""
        try:
            return self._reader.read(65_536).decode("utf-8", "replace")
        except OSError as error:
            if error.errno != errno.EIO:  # how Linux says that nobody writes any more
                raise
            return ""
