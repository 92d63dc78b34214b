"""Fixtures of the engine's tests."""

import pytest

from app.engine.llama import Library
from app.engine.memory import detect_features
from app.engine.pair_loader import PairLoader
from app.engine.vocab import VocabularyCache


@pytest.fixture
def loader(library: Library) -> PairLoader:
    """Loads pairs, of which nothing is known from earlier."""
    return PairLoader(library, VocabularyCache(None), detect_features())
