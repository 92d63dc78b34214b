"""Fixtures that every test may use."""

import pytest
from hypothesis import settings

from app.engine.llama import Library

settings.register_profile("slipstream", deadline=None)  # a busy machine is not a failing one
settings.load_profile("slipstream")


@pytest.fixture(scope="session")
def library() -> Library:
    """llama.cpp, loaded once for all tests."""
    return Library()
