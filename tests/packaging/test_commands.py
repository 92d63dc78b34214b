"""What each command wants from set-up, and how the checks are run."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from commands import app_command, check_variables, has_display, parts_for, run, run_checks
from environment import Environment, Part
from failures import SetupError


def test_the_command_line_wants_nothing_but_the_program() -> None:
    assert parts_for("cli", display=True) == parts_for("cli", display=False) == frozenset()


def test_the_demonstration_wants_the_window_only_where_it_can_open() -> None:
    assert parts_for("demo", display=False) == frozenset()
    assert parts_for("demo", display=True) == {Part.WINDOW}


def test_the_window_wants_its_libraries_in_any_case() -> None:
    assert parts_for("window", display=False) == parts_for("window", display=True) == {Part.WINDOW}


def test_the_checks_want_a_display_in_memory_where_there_is_no_other() -> None:
    assert parts_for("test", display=True) == {Part.TESTS, Part.WINDOW}
    assert parts_for("test", display=False) == {Part.TESTS, Part.WINDOW, Part.DISPLAY}


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {}, False),
        ("linux", {"DISPLAY": ""}, False),
        ("linux", {"DISPLAY": ":0"}, True),
        ("linux", {"WAYLAND_DISPLAY": "wayland-0"}, True),
        ("darwin", {}, True),
        ("win32", {}, True),
    ],
)
def test_a_display_is_recognised(platform: str, variables: dict[str, str], expected: bool) -> None:
    assert has_display(platform, variables) is expected


def test_the_arguments_reach_the_program_as_they_are(tmp_path: Path) -> None:
    environment = Environment(tmp_path, tmp_path / ".venv")

    command = app_command(environment, ["bench", "--target", "a file.gguf", "--", "-x"])

    assert command == [
        str(environment.python), "-P", "-m", "app", "bench", "--target", "a file.gguf", "--", "-x"
    ]  # fmt: skip


def test_the_checks_are_told_where_the_small_model_is() -> None:
    model = Path("models", "small.gguf")

    assert check_variables({"A": "b"}, model, display=True) == {"A": "b", "SLIPSTREAM_DEMO_MODEL": str(model)}


def test_qt_draws_off_screen_where_there_is_no_display_unless_told_otherwise() -> None:
    model = Path("small.gguf")

    assert check_variables({}, model, display=False)["QT_QPA_PLATFORM"] == "offscreen"
    assert check_variables({"QT_QPA_PLATFORM": "vnc"}, model, display=False)["QT_QPA_PLATFORM"] == "vnc"


class TestRunningACommand:
    @pytest.fixture
    def handed_over(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
        """The commands that took the script's place, with set-up already done."""
        taken: list[list[str]] = []
        environment = Environment(tmp_path, tmp_path / ".venv")

        def take(command: list[str], variables: Mapping[str, str]) -> int:
            taken.append(command[4:])
            return 5

        monkeypatch.setattr("commands.prepare", lambda _: environment)
        monkeypatch.setattr("demo_model.fetch", lambda _: tmp_path / "small.gguf")
        monkeypatch.setattr("commands.hand_over", take)
        return taken

    def test_the_window_is_the_program_without_arguments(self, handed_over: list[list[str]]) -> None:
        assert run("window", []) == 5
        assert handed_over == [[]]

    def test_the_command_line_gets_its_arguments(self, handed_over: list[list[str]]) -> None:
        run("cli", ["info", "a file.gguf"])

        assert handed_over == [["info", "a file.gguf"]]

    def test_the_demonstration_gets_the_small_model(
        self, handed_over: list[list[str]], tmp_path: Path
    ) -> None:
        run("demo", ["--markdown"])

        assert handed_over == [["demo", "--draft", str(tmp_path / "small.gguf"), "--markdown"]]

    @pytest.mark.parametrize("error", [SetupError("no compiler"), PermissionError("no compiler")])
    def test_a_failed_set_up_is_told_and_nothing_is_started(
        self,
        error: Exception,
        handed_over: list[list[str]],
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        def fail(parts: frozenset[Part]) -> Environment:
            raise error

        monkeypatch.setattr("commands.prepare", fail)

        assert run("cli", []) == 1
        assert "no compiler" in capsys.readouterr().err
        assert handed_over == []


def _with_scripts(folder: Path, codes: dict[str, int]) -> Environment:
    """An environment whose commands note their arguments in a file and end with these exit codes."""
    environment = Environment(folder, folder / ".venv")
    notes = folder / "ran.txt"
    for name, code in codes.items():
        script = environment.script(name)
        script.parent.mkdir(parents=True, exist_ok=True)
        script.write_text(
            f"#!{sys.executable}\nimport sys\n"
            f"open({str(notes)!r}, 'a').write(' '.join([{name!r}, *sys.argv[1:]]) + '\\n')\n"
            f"sys.exit({code})\n"
        )
        script.chmod(0o755)
    return environment


@pytest.mark.skipif(os.name == "nt", reason="the stand-ins are scripts with a first line for Unix")
class TestRunningTheChecks:
    def test_all_run_in_order_and_succeed_together(
        self, tmp_path: Path, capfd: pytest.CaptureFixture[str]
    ) -> None:
        environment = _with_scripts(tmp_path, {"ruff": 0, "mypy": 0, "lint-imports": 0, "pytest": 0})

        assert run_checks(environment, os.environ) == 0

        ran = (tmp_path / "ran.txt").read_text().splitlines()
        assert ran == ["ruff check .", "ruff format --check .", "mypy", "lint-imports", "pytest -q"]
        headings = [line for line in capfd.readouterr().out.splitlines() if line]
        assert headings == [
            "== ruff check ==", "== ruff format ==", "== mypy ==", "== lint-imports ==", "== pytest =="
        ]  # fmt: skip

    def test_a_failure_does_not_keep_the_others_from_running(
        self, tmp_path: Path, capfd: pytest.CaptureFixture[str]
    ) -> None:
        environment = _with_scripts(tmp_path, {"ruff": 0, "mypy": 2, "lint-imports": 0, "pytest": 0})

        assert run_checks(environment, os.environ) == 2

        assert len((tmp_path / "ran.txt").read_text().splitlines()) == 5
        printed = capfd.readouterr().out
        assert printed.index("Failed so far: mypy") < printed.index("== pytest ==")

    def test_a_pytest_that_ran_nothing_is_a_failure(self, tmp_path: Path) -> None:
        environment = _with_scripts(tmp_path, {"ruff": 0, "mypy": 0, "lint-imports": 0, "pytest": 5})

        assert run_checks(environment, os.environ) == 5
