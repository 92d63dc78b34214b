"""The start script: which Python it takes, which commands it knows, and how it ends."""

import ast
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import start

SCRIPT = Path(start.__file__)


@pytest.mark.parametrize("version", [(3, 11), (3, 12), (3, 13), (3, 14)])
def test_supported_pythons_are_taken(version: tuple[int, int]) -> None:
    assert start.version_problem(version) == ""


@pytest.mark.parametrize("version", [(2, 7), (3, 6), (3, 10), (3, 15), (4, 0)])
def test_another_python_is_told_which_ones_serve(version: tuple[int, int]) -> None:
    expected = f"Slipstream needs Python 3.11 to 3.14; this is {version[0]}.{version[1]}."

    assert start.version_problem(version).startswith(expected)


def test_a_python_that_serves_is_named_where_one_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("python3.12", "python3.13"):
        program = tmp_path / (name + (".exe" if os.name == "nt" else ""))
        program.write_bytes(b"")
        program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))

    assert "Start it with: python3.13 " in start.version_problem((3, 9))


def test_no_other_python_is_named_where_none_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    assert start.version_problem((3, 9)).endswith("Install one of those and start again with it.")


def test_old_pythons_can_read_the_script_far_enough_to_say_so() -> None:
    ast.parse(SCRIPT.read_text(encoding="utf-8"), feature_version=(3, 7))


@pytest.mark.parametrize("arguments", [["run"], ["window", "x"], ["test", "-k", "x"], ["--version"]])
def test_an_unknown_command_shows_the_usage_and_ends_with_2(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert start.main(arguments) == 2
    assert "start.py demo" in capsys.readouterr().err


def test_help_works_from_any_folder(tmp_path: Path) -> None:
    answer = subprocess.run(
        [sys.executable, str(SCRIPT), "--help"], cwd=tmp_path, capture_output=True, text=True, check=False
    )

    assert (answer.returncode, answer.stderr) == (0, "")
    assert "start.py cli ARGS" in answer.stdout


@pytest.mark.skipif(os.name == "nt", reason="Windows has no signal that reaches one group of processes only")
def test_ctrl_c_ends_the_running_command_and_the_script_without_a_traceback() -> None:
    child = (
        "import signal, sys; signal.signal(signal.SIGINT, lambda *_: sys.exit(0)); "
        "print('ready', flush=True); signal.pause()"
    )
    driver = (
        "import os, pathlib, signal, sys, commands, long_command, start\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # a shell's background job ignores it
        f"command = [sys.executable, '-c', {child!r}]\n"
        "commands.run = lambda *_: long_command.run_visibly(command, pathlib.Path(), os.environ)\n"
        "sys.exit(start.main(['cli']))\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", driver],
        env={**os.environ, "PYTHONPATH": str(SCRIPT.parent)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"

    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate()

    assert (process.returncode, errors.strip()) == (130, "Stopped.")
