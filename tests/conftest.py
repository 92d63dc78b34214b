"""Fixtures that every test may use."""

from pathlib import Path

import pytest
from hypothesis import settings

from app.engine.llama import Library
from tests.fakes.tiny_gguf import CHATML, write_llama

settings.register_profile("slipstream", deadline=None)  # a busy machine is not a failing one
settings.load_profile("slipstream")


@pytest.fixture(scope="session")
def library() -> Library:
    """llama.cpp, loaded once for all tests."""
    return Library()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of its own for everything that the program keeps."""
    folder = tmp_path / "home"
    monkeypatch.setenv("SLIPSTREAM_HOME", str(folder))
    return folder


@pytest.fixture
def target(tmp_path: Path) -> str:
    """The path of a tiny model that can chat."""
    return str(write_llama(tmp_path / "target.gguf", chat_template=CHATML))


@pytest.fixture
def draft(tmp_path: Path) -> str:
    """The path of one that nearly agrees with it."""
    return str(write_llama(tmp_path / "draft.gguf", noise=0.03))
