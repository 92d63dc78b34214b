"""What `start.py` can do once the Python is known to be good."""

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import demo_model
from environment import ROOT, Environment, Part, plain_variables, prepare
from failures import SetupError
from long_command import hand_over, run_visibly

_MODEL_VARIABLE = "SLIPSTREAM_DEMO_MODEL"  # app.paths.demo_model_path() reads it


@dataclass(frozen=True)
class Check:
    """One of the checks that a change has to pass."""

    heading: str
    command: tuple[str, ...]


CHECKS = (
    Check("ruff check", ("ruff", "check", ".")),
    Check("ruff format", ("ruff", "format", "--check", ".")),
    Check("mypy", ("mypy",)),
    Check("lint-imports", ("lint-imports",)),
    Check("pytest", ("pytest", "-q")),  # last, so that its closing line ends the output
)


def run(command: str, arguments: Sequence[str]) -> int:
    """Set up what `command` needs, then run it; returns the exit code. Ctrl+C raises KeyboardInterrupt."""
    display = has_display(sys.platform, os.environ)
    try:
        environment = prepare(parts_for(command, display=display))
        model = demo_model.fetch(environment) if command in ("demo", "test") else None
    except SetupError as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:
        print(f"Set-up could not go on: {error}", file=sys.stderr)
        return 1
    if command == "test" and model:
        return run_checks(environment, check_variables(os.environ, model, display=display))
    if command == "demo" and model:
        arguments = ["demo", "--draft", str(model), *arguments]
    return hand_over(app_command(environment, arguments), plain_variables(os.environ))


def parts_for(command: str, *, display: bool) -> frozenset[Part]:
    """What `command` wants besides the program's own packages; `display` tells whether one is there."""
    if command == "test":
        return frozenset({Part.TESTS, Part.WINDOW} if display else {Part.TESTS, Part.WINDOW, Part.DISPLAY})
    if command == "window" or (command == "demo" and display):
        return frozenset({Part.WINDOW})
    return frozenset()


def has_display(platform: str, variables: Mapping[str, str]) -> bool:
    """Whether a window can be shown; Windows and macOS always have a place for one."""
    if platform in ("win32", "darwin"):
        return True
    return bool(variables.get("DISPLAY") or variables.get("WAYLAND_DISPLAY"))


def app_command(environment: Environment, arguments: Sequence[str]) -> list[str]:
    """The command line that runs the program; with `-P` no file of the current folder takes its place."""
    return [str(environment.python), "-P", "-m", "app", *arguments]


def check_variables(variables: Mapping[str, str], model: Path, *, display: bool) -> dict[str, str]:
    """The environment variables of the checks: the small model, and Qt without a screen if none is there."""
    chosen = plain_variables(variables) | {_MODEL_VARIABLE: str(model)}
    if not display:
        chosen.setdefault("QT_QPA_PLATFORM", "offscreen")
    return chosen


def run_checks(environment: Environment, variables: Mapping[str, str]) -> int:
    """Run every check, whatever the others say; returns 0, or the code of the last check that failed."""
    failed: list[str] = []
    result = 0
    for check in CHECKS:
        if check is CHECKS[-1] and failed:
            print(f"\nFailed so far: {', '.join(failed)}", flush=True)
        print(f"\n== {check.heading} ==", flush=True)
        name, *arguments = check.command
        code = run_visibly([str(environment.script(name)), *arguments], ROOT, variables)
        if code != 0:
            failed.append(check.heading)
            result = code
    return result
