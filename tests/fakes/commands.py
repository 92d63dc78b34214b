"""Commands that are run in the tests' own process."""

import pytest

from app.cli import main

FAST = ("--ctx", "256", "--threads", "1")  # enough for a tiny model


def failure(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Runs a command that fails; the one line it gives."""
    assert main(arguments) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("slipstream: ")
    assert captured.err.count("\n") == 1
    return captured.err
