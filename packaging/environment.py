"""The environment in `.venv`: made once, with the packages of pyproject.toml as constraints.txt pins them."""

import hashlib
import importlib.util
import json
import os
import shutil
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import system_packages
from failures import SetupError, failure, not_found
from long_command import StatusLine, run_logged
from system_packages import Family, Tool

ROOT = Path(__file__).resolve().parent.parent
_STAMP = "set-up.json"
_LOG = "setup.log"
_CORE_MINUTES = 14  # what building llama-cpp-python took, in minutes of one core


class Part(StrEnum):
    """What a command may want besides the packages that the program itself needs."""

    TESTS = "tests"  # the packages of the checks
    WINDOW = "window"  # the system's libraries that Qt needs
    DISPLAY = "display"  # a display in memory, for tests of the window


@dataclass(frozen=True)
class Environment:
    """A virtual environment in `folder` and the checkout in `root` that it serves."""

    root: Path
    folder: Path

    @property
    def python(self) -> Path:
        """Its Python."""
        return self.folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

    def script(self, name: str) -> Path:
        """A command that a package installed there."""
        return self.folder / (f"Scripts/{name}.exe" if os.name == "nt" else f"bin/{name}")

    @property
    def log(self) -> Path:
        """Where everything that set-up runs is written."""
        return self.folder / _LOG


@dataclass(frozen=True)
class Stamp:
    """What was set up: the fingerprint of what it was made from, the checkout's folder, and the parts."""

    fingerprint: str
    root: str
    parts: frozenset[Part]

    def covers(self, wanted: "Stamp") -> bool:
        """Whether nothing is left to do for `wanted`."""
        return self.fingerprint == wanted.fingerprint and wanted.parts <= self.parts


def fingerprint(project: bytes, constraints: bytes, python: str) -> str:
    """One text that changes with the constraints, the Python version, and what pyproject.toml has installed.

    The settings of the checks, which are in pyproject.toml as well, do not count.
    """
    table = tomllib.loads(project.decode("utf-8"))
    installed = [table["project"], table.get("build-system"), table.get("tool", {}).get("setuptools")]
    digest = hashlib.sha256()
    for part in (json.dumps(installed, sort_keys=True).encode(), constraints, python.encode()):
        digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()


def read_stamp(folder: Path) -> Stamp | None:
    """The stamp in `folder`; None where set-up has not come to its end there."""
    try:
        fields = json.loads((folder / _STAMP).read_text(encoding="utf-8"))
        return Stamp(fields["fingerprint"], fields["root"], frozenset(Part(part) for part in fields["parts"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write_stamp(folder: Path, stamp: Stamp) -> None:
    """Note what is set up, in one step."""
    fields = {"fingerprint": stamp.fingerprint, "root": stamp.root, "parts": sorted(stamp.parts)}
    draft = folder / (_STAMP + ".new")
    draft.write_text(json.dumps(fields), encoding="utf-8")
    draft.replace(folder / _STAMP)


def reason_to_remake(environment: Environment, python: str, stamp: Stamp | None) -> str:
    """Why the environment that is there cannot serve Python `python` ("3.11") here; empty where it can."""
    try:
        lines = (environment.folder / "pyvenv.cfg").read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return "it is not complete"
    fields = {name.strip(): value.strip() for name, _, value in (line.partition("=") for line in lines)}
    made_by = ".".join(fields.get("version", fields.get("version_info", "")).split(".")[:2])
    if made_by != python:
        return f"it was made by Python {made_by or 'of an unknown version'}"
    if not environment.python.exists() or not Path(fields.get("home", "")).is_dir():
        return "the Python that made it is gone"
    if stamp is not None and stamp.root != str(environment.root):
        return "it was made in another folder"
    return ""


def requirements(project: bytes, parts: frozenset[Part]) -> tuple[str, ...]:
    """The packages that pyproject.toml asks for, with those of its extra `test` where they are wanted."""
    table = tomllib.loads(project.decode("utf-8"))["project"]
    extra = table["optional-dependencies"]["test"] if Part.TESTS in parts else []
    return (*table["dependencies"], *extra)


def plain_variables(variables: Mapping[str, str]) -> dict[str, str]:
    """The environment variables without those that would point Python somewhere else."""
    unwanted = ("PYTHONHOME", "PYTHONPATH", "__PYVENV_LAUNCHER__")
    return {name: value for name, value in variables.items() if name not in unwanted}


def prepare(parts: frozenset[Part]) -> Environment:
    """Set up what is not set up yet.

    Raises `SetupError` where something is missing that set-up may not install itself, or a command failed.
    """
    return _Setup(parts).run()


class _Setup:
    """One set-up, step by step."""

    def __init__(self, parts: frozenset[Part]) -> None:
        self._status = StatusLine(sys.stderr)
        self._system = system_packages.this_system()
        self._environment = Environment(ROOT, ROOT / ".venv")
        self._version = f"{sys.version_info[0]}.{sys.version_info[1]}"
        self._project = (ROOT / "pyproject.toml").read_bytes()
        self._constraints = ROOT / "packaging" / "constraints.txt"
        marks = fingerprint(self._project, self._constraints.read_bytes(), self._version)
        self._wanted = Stamp(marks, str(ROOT), parts)

    def run(self) -> Environment:
        folder = self._environment.folder
        done = read_stamp(folder)
        reason = reason_to_remake(self._environment, self._version, done) if folder.exists() else ""
        if not reason and done is not None and done.covers(self._wanted):
            return self._environment
        packages = self._missing_from_system()
        if reason:
            self._remove(reason)
            done = None
        self._start_log()
        if packages:
            self._install_in_system(packages)
        same = done is not None and done.fingerprint == self._wanted.fingerprint
        before = done.parts if done is not None and same else frozenset[Part]()
        if not same or Part.TESTS in self._wanted.parts - before:
            self._make()
            (folder / _STAMP).unlink(missing_ok=True)  # half of an installation is none
            self._install()
        write_stamp(folder, Stamp(self._wanted.fingerprint, str(ROOT), before | self._wanted.parts))
        self._status.say(f"Set up in {self._status.elapsed}.")
        return self._environment

    def _missing_from_system(self) -> tuple[str, ...]:
        """The Debian packages to install; raises SetupError for what has to be installed by hand."""
        family = self._system.family
        compiler = system_packages.compiler_present(family, os.environ)
        ensurepip = importlib.util.find_spec("ensurepip") is not None
        if family is not Family.DEBIAN:
            if not compiler:
                cause = not_found(Tool.COMPILER, self._system)
                raise SetupError(f"llama-cpp-python could not be built: {cause}")
            return ()
        packages = system_packages.missing_packages(
            system_packages.debian_packages(
                self._version,
                compiler=not compiler,
                ensurepip=not ensurepip and Path(sys.base_prefix) == Path("/usr"),
                qt=Part.WINDOW in self._wanted.parts,
                display=Part.DISPLAY in self._wanted.parts,
            )
        )
        if packages and not self._system.root:
            line = system_packages.line_to_run(self._system, packages)
            raise SetupError(f"Packages of the system are missing. Install them and start again:\n    {line}")
        return packages

    def _install_in_system(self, packages: Sequence[str]) -> None:
        self._status.say(f"Installing packages of the system: {' '.join(packages)}")
        refresh, install = system_packages.apt_commands(packages)
        self._run(refresh, "refreshing the lists of apt-get")  # lists that are old may still serve
        self._must(install, "installing packages of the system", "They could not be installed")

    def _remove(self, reason: str) -> None:
        folder = self._environment.folder
        if Path(sys.prefix) == folder:
            raise SetupError(f"{folder} has to be made again, as {reason}. Start with a Python outside it.")
        self._status.say(f"Making {folder} again, as {reason}.")
        try:
            if folder.is_symlink() or folder.is_file():
                folder.unlink()
            else:
                shutil.rmtree(folder)
        except OSError as error:
            raise SetupError(f"{folder} cannot be removed ({error}). Remove it by hand.") from error

    def _start_log(self) -> None:
        self._environment.folder.mkdir(exist_ok=True)
        self._environment.log.write_bytes(b"")

    def _make(self) -> None:
        """Make the environment, unless one with a working pip is there."""
        if self._environment.python.exists():
            if (
                self._run([str(self._environment.python), "-I", "-m", "pip", "--version"], "checking pip")
                == 0
            ):
                return
            self._remove("its pip does not work")
            self._start_log()
        make = [sys.executable, "-I", "-m", "venv", str(self._environment.folder)]
        self._must(make, "making .venv", "The environment in .venv could not be made")

    def _install(self) -> None:
        minutes = max(1, round(_CORE_MINUTES / (os.cpu_count() or 1)))
        self._status.say(
            "Installing the packages of Slipstream. llama-cpp-python is built for this machine, which takes "
            f"about {minutes} min the first time; pip keeps the result."
        )
        pip = [str(self._environment.python), "-I", "-u", "-m", "pip", "install", "--verbose", "--no-input"]
        pip += ["--disable-pip-version-check", "--progress-bar", "off"]
        wanted = requirements(self._project, self._wanted.parts)
        packages = [*pip, "--constraint", str(self._constraints), *wanted]
        self._must(packages, "installing packages", "The packages of Slipstream could not be installed")
        itself = [*pip, "--no-deps", "--editable", str(ROOT)]
        self._must(itself, "installing slipstream", "The command slipstream could not be installed")

    def _must(self, command: Sequence[str], doing: str, otherwise: str) -> None:
        """Run a command that has to succeed; `otherwise` says what could not be done."""
        log = self._environment.log
        start = log.stat().st_size
        if self._run(command, doing) != 0:
            written = log.read_bytes()[start:].decode("utf-8", "replace")
            raise failure(otherwise, written, log, self._system)

    def _run(self, command: Sequence[str], doing: str) -> int:
        variables = plain_variables(os.environ)
        variables.pop("SOURCE_DATE_EPOCH", None)  # with it llama.cpp is built for any processor, and slower
        variables |= {"LC_ALL": "C.UTF-8", "LANGUAGE": "", "DEBIAN_FRONTEND": "noninteractive"}
        with self._environment.log.open("ab") as log:
            return run_logged(command, log, self._status, doing, variables)
