"""The same over an encrypted line, where a socket is not what it seems."""

import threading
from pathlib import Path

import pytest

from app.models.hub import RemoteFile
from app.models.part_file import part_path
from app.models.publishing import held_bytes
from app.models.transfer import Transfer
from app.models.transfer_events import TransferStopped
from tests.fakes.hub_content import GeneratedContent
from tests.fakes.tls_server import TlsServer
from tests.fakes.transfers import Running, ToldEvents

CONTENT = GeneratedContent(34_000_000)
FILE = RemoteFile("m.gguf", CONTENT.size, CONTENT.sha256)


@pytest.fixture
def folder(hub_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "certificate.pem"))
    return tmp_path


def transfer(server: TlsServer, folder: Path, events: ToldEvents) -> Transfer:
    return Transfer("a/b", "c0ffee", FILE, folder / "m.gguf", events, endpoint=server.endpoint)


def test_the_file_comes_whole(folder: Path) -> None:
    with TlsServer(CONTENT, folder) as server:
        transfer(server, folder, ToldEvents()).run()
    assert part_path(folder / "m.gguf").read_bytes() == CONTENT.read(0, CONTENT.size)


@pytest.mark.parametrize("after", [0, 300_000])
def test_a_stop_ends_it_while_the_server_says_nothing(folder: Path, after: int) -> None:
    events = ToldEvents()
    before = set(threading.enumerate())
    with TlsServer(CONTENT, folder, silent_after=after) as server:
        running = Running(transfer(server, folder, events))
        assert server.asked.wait(20)
        events.wait_for(lambda: events.counts[-1:] == [4 * after])
        running.stop()
        with pytest.raises(TransferStopped):
            running.end()
        left = [thread for thread in set(threading.enumerate()) - before if thread.name == "transfer"]
    assert left == []
    assert held_bytes(folder / "m.gguf") == 4 * after
