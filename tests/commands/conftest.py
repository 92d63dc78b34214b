"""What the tests of commands that ask the hub have in common."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes.command_line import CommandLine
from tests.fakes.hub_server import HubServer


@pytest.fixture
def hub() -> Iterator[HubServer]:
    """A hub without models."""
    with HubServer() as server:
        yield server


@pytest.fixture
def slipstream(hub: HubServer, tmp_path: Path) -> CommandLine:
    """The command line that asks it."""
    return CommandLine(hub, tmp_path / "home é")
