"""Fixtures of the engine's tests."""

from pathlib import Path

import pytest

from app.engine.llama import Library
from app.engine.memory import detect_features
from app.engine.pair_loader import PairLoader
from app.engine.vocab import VocabularyCache
from tests.fakes.tiny_gguf import CHATML, write_llama


@pytest.fixture
def loader(library: Library) -> PairLoader:
    """Loads pairs, of which nothing is known from earlier."""
    return PairLoader(library, VocabularyCache(None), detect_features())


@pytest.fixture
def target(tmp_path: Path) -> Path:
    """The file of a small target."""
    return write_llama(tmp_path / "target.gguf", chat_template=CHATML)


@pytest.fixture
def draft(tmp_path: Path) -> Path:
    """That of a draft model which is mostly right."""
    return write_llama(tmp_path / "draft.gguf", noise=0.03)
