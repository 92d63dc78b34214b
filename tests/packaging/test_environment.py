"""What set-up remembers of its last run, and when the environment in `.venv` has to be made again."""

import re
import sys
from pathlib import Path

import pytest
from environment import (
    ROOT,
    Environment,
    Part,
    Stamp,
    fingerprint,
    plain_variables,
    read_stamp,
    reason_to_remake,
    requirements,
    write_stamp,
)
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

CONSTRAINTS = ROOT / "packaging" / "constraints.txt"


@pytest.fixture
def environment(tmp_path: Path) -> Environment:
    """An environment as `python -m venv` of Python 3.12 leaves it, without the packages."""
    made = Environment(tmp_path, tmp_path / ".venv")
    made.python.parent.mkdir(parents=True)
    made.python.write_bytes(b"")
    home = Path(sys.executable).parent
    (made.folder / "pyvenv.cfg").write_text(f"home = {home}\nversion = 3.12.1\n", encoding="utf-8")
    return made


def _stamp(root: Path, *parts: Part, mark: str = "a") -> Stamp:
    return Stamp(mark, str(root), frozenset(parts))


class TestTheFingerprint:
    PROJECT = b'[project]\nname = "a"\ndependencies = ["one"]\n'

    @pytest.mark.parametrize("addition", [b"", b"# a remark\n", b"[tool.ruff]\nline-length = 90\n"])
    def test_stays_the_same_while_nothing_else_would_be_installed(self, addition: bytes) -> None:
        changed = fingerprint(self.PROJECT + addition, b"pins", "3.11")

        assert changed == fingerprint(self.PROJECT, b"pins", "3.11")

    @pytest.mark.parametrize(
        ("project", "constraints", "python"),
        [
            (PROJECT.replace(b"one", b"two"), b"pins", "3.11"),
            (PROJECT + b"[build-system]\nrequires = []\n", b"pins", "3.11"),
            (PROJECT + b"[tool.setuptools]\nzip-safe = false\n", b"pins", "3.11"),
            (PROJECT, b"pins2", "3.11"),
            (PROJECT, b"pins", "3.12"),
            (PROJECT, b"pins3", ".11"),  # the same bytes, divided otherwise
        ],
    )
    def test_changes_with_each_of_them(self, project: bytes, constraints: bytes, python: str) -> None:
        assert fingerprint(project, constraints, python) != fingerprint(self.PROJECT, b"pins", "3.11")


class TestTheStamp:
    def test_comes_back_as_it_was_written(self, tmp_path: Path) -> None:
        stamp = _stamp(tmp_path, Part.TESTS, Part.WINDOW)

        write_stamp(tmp_path, stamp)

        assert read_stamp(tmp_path) == stamp
        assert [path.name for path in tmp_path.iterdir()] == ["set-up.json"]

    @pytest.mark.parametrize(
        "text", ["", "{", "[]", "7", "{}", '{"fingerprint": "a", "root": "b", "parts": ["future"]}']
    )
    def test_that_cannot_be_read_counts_as_none(self, tmp_path: Path, text: str) -> None:
        (tmp_path / "set-up.json").write_text(text, encoding="utf-8")

        assert read_stamp(tmp_path) is None

    def test_of_a_folder_without_one_is_none(self, tmp_path: Path) -> None:
        assert read_stamp(tmp_path / "missing") is None

    def test_covers_what_wants_less_or_the_same(self, tmp_path: Path) -> None:
        done = _stamp(tmp_path, Part.TESTS, Part.WINDOW)

        assert done.covers(_stamp(tmp_path))
        assert done.covers(_stamp(tmp_path, Part.WINDOW))
        assert done.covers(done)

    def test_does_not_cover_more_or_something_else(self, tmp_path: Path) -> None:
        done = _stamp(tmp_path, Part.WINDOW)

        assert not done.covers(_stamp(tmp_path, Part.WINDOW, Part.TESTS))
        assert not done.covers(_stamp(tmp_path, Part.WINDOW, mark="b"))


class TestTheEnvironmentIsKept:
    def test_when_this_python_made_it_here(self, environment: Environment) -> None:
        assert reason_to_remake(environment, "3.12", _stamp(environment.root)) == ""

    def test_when_its_packages_are_not_installed_yet(self, environment: Environment) -> None:
        assert reason_to_remake(environment, "3.12", None) == ""

    def test_when_another_tool_wrote_its_version_in_another_way(self, environment: Environment) -> None:
        config = environment.folder / "pyvenv.cfg"
        config.write_text(config.read_text().replace("version =", "version_info ="), encoding="utf-8")

        assert reason_to_remake(environment, "3.12", None) == ""


class TestTheEnvironmentIsMadeAgain:
    def test_when_it_was_never_finished(self, environment: Environment) -> None:
        (environment.folder / "pyvenv.cfg").unlink()

        assert reason_to_remake(environment, "3.12", None) == "it is not complete"

    def test_when_another_python_made_it(self, environment: Environment) -> None:
        assert reason_to_remake(environment, "3.13", None) == "it was made by Python 3.12"

    def test_when_its_python_is_not_there(self, environment: Environment) -> None:
        environment.python.unlink()

        assert reason_to_remake(environment, "3.12", None) == "the Python that made it is gone"

    def test_when_the_python_behind_it_was_removed(self, environment: Environment) -> None:
        config = environment.folder / "pyvenv.cfg"
        config.write_text(f"home = {environment.root / 'gone'}\nversion = 3.12.1\n", encoding="utf-8")

        assert reason_to_remake(environment, "3.12", None) == "the Python that made it is gone"

    def test_when_the_checkout_was_moved(self, environment: Environment) -> None:
        stamp = _stamp(environment.root / "before")

        assert reason_to_remake(environment, "3.12", stamp) == "it was made in another folder"


class TestTheRequirements:
    PROJECT = b"""
        [project]
        dependencies = ["one>=1", "two; sys_platform == 'linux'"]
        [project.optional-dependencies]
        test = ["three==3"]
    """

    def test_are_those_of_the_program(self) -> None:
        assert requirements(self.PROJECT, frozenset()) == ("one>=1", "two; sys_platform == 'linux'")

    def test_include_those_of_the_checks_where_wanted(self) -> None:
        assert requirements(self.PROJECT, frozenset({Part.TESTS}))[2:] == ("three==3",)


class TestTheConstraints:
    LINES = tuple(
        line for line in CONSTRAINTS.read_text(encoding="utf-8").splitlines() if not line.startswith("#")
    )

    def test_are_names_with_exact_versions_and_nothing_else(self) -> None:
        assert [line for line in self.LINES if not re.fullmatch(r"[A-Za-z0-9_.-]+==[0-9][\w.]*", line)] == []

    def test_pin_everything_that_the_project_asks_for_to_a_version_that_it_allows(self) -> None:
        pins = {canonicalize_name(name): version for name, version in (x.split("==") for x in self.LINES)}
        project = (ROOT / "pyproject.toml").read_bytes()
        wanted = [Requirement(text) for text in requirements(project, frozenset({Part.TESTS}))]

        assert len(pins) == len(self.LINES)
        for one in wanted:
            assert one.specifier.contains(pins[canonicalize_name(one.name)]), one


def test_variables_that_lead_python_elsewhere_are_left_out() -> None:
    variables = {"PATH": "/bin", "PYTHONPATH": "/else", "PYTHONHOME": "/else", "PYTHONUTF8": "1"}

    assert plain_variables(variables) == {"PATH": "/bin", "PYTHONUTF8": "1"}
