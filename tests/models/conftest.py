"""The hub's library as on a new computer, a hub on this one, and queues with scripted transfers."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.models.hub import Hub
from app.models.hub_client import HubClient
from tests.fakes.hub_server import TOKEN, HubServer
from tests.fakes.scripted_transfer import ScriptedDownloads


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


@pytest.fixture
def open_downloads() -> Iterator[Callable[..., ScriptedDownloads]]:
    """Makes queues, and closes them afterwards."""
    made: list[ScriptedDownloads] = []

    def make(*arguments: object, **options: object) -> ScriptedDownloads:
        made.append(ScriptedDownloads(*arguments, **options))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for downloads in made:
        downloads.queue.close()


@pytest.fixture
def downloads(open_downloads: Callable[..., ScriptedDownloads]) -> ScriptedDownloads:
    """A queue that remembers nothing."""
    return open_downloads()


@pytest.fixture
def client(hub: HubServer, tmp_path: Path) -> Hub:
    return HubClient(tmp_path / "headers", hub.endpoint)


@pytest.fixture
def signed_in(hub_home: Path) -> None:
    """Ann's token is kept on this computer."""
    hub_home.mkdir()
    (hub_home / "token").write_text(TOKEN)
