"""The switch, and what starting costs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import app
from app.bootstrap import engine_command


def test_the_engine_is_started_with_this_python() -> None:
    assert engine_command() == (sys.executable, "-P", "-m", "app", "--engine")


def test_a_bundle_starts_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)

    assert engine_command() == (sys.executable, "--engine")


@pytest.mark.parametrize(
    ("modules", "heavy"),
    [
        ("app.__main__", "PySide6 llama_cpp numpy msgspec"),
        ("app.engine.process", "PySide6 llama_cpp numpy psutil"),  # until the pipes are out of reach
        ("app.ui.session, app.ui.engine_words", "llama_cpp numpy"),
    ],
)
def test_nothing_heavy_is_imported_early(modules: str, heavy: str) -> None:
    program = f"import sys, {modules}; print(*sorted(set({heavy.split()}) & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-P", "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(Path(app.__file__).parent.parent)},
    )

    assert done.stdout.strip() == ""
