"""The hub's library as on a new computer, and a hub on this one."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes.hub_server import HubServer


@pytest.fixture
def hub_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of the hub library: empty, without a token from anywhere, and left without connections."""
    from huggingface_hub import close_session, constants

    home = tmp_path / "hub home"
    for name in [name for name in os.environ if name.startswith(("HF_", "HUGGING_FACE"))]:
        monkeypatch.delenv(name)
    monkeypatch.setattr(constants, "HF_TOKEN_PATH", str(home / "token"))
    monkeypatch.setattr(constants, "HF_STORED_TOKENS_PATH", str(home / "stored_tokens"))
    close_session()
    yield home
    close_session()


@pytest.fixture
def hub(hub_home: Path) -> Iterator[HubServer]:
    """A hub without models."""
    with HubServer() as made:
        yield made
