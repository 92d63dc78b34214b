"""Answers that drip in: a server that always sends a little keeps nobody waiting for ever."""

import gzip
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.models import hub_http_client, hub_pictures, hub_reading
from app.models.hub import HubModel, SortOrder
from app.models.hub_account import HubAccount
from app.models.hub_client import HubClient
from app.models.hub_pictures import read_elsewhere
from app.models.hub_problems import HubError, HubProblem
from tests.fakes.hub_content import Content
from tests.fakes.hub_faults import Fault
from tests.fakes.hub_server import TOKEN, HubServer
from tests.fakes.tiny_gguf import write_llama

PICTURE = b"\x89PNG" + bytes(96)


@pytest.fixture
def client(hub: HubServer, tmp_path: Path) -> HubClient:
    return HubClient(tmp_path / "headers", hub.endpoint)


@pytest.fixture
def model(hub: HubServer, client: HubClient, tmp_path: Path) -> HubModel:
    """A repository of which each file takes two seconds and more, while a tenth of one is allowed."""
    files: dict[str, bytes | str | Path | Content] = {
        "m-Q4_K_M.gguf": write_llama(tmp_path / "m.gguf"),
        "p.png": PICTURE,
    }
    hub.add_model("pub/m", files, card="a word " * 20)
    return client.describe("pub/m")


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub_reading, "READ_SECONDS", 0.1)
    monkeypatch.setattr(hub_reading, "LEAST_RATE", 1e9)
    monkeypatch.setattr(hub_pictures, "PICTURE_SECONDS", 0.1)
    monkeypatch.setattr("app.models.hub_client.PICTURE_SECONDS", 0.1)
    monkeypatch.setattr(hub_http_client, "ANSWER_SECONDS", 0.1)


def problem(ask: Callable[[], object]) -> HubProblem:
    with pytest.raises(HubError) as caught:
        ask()
    return caught.value.problem


def test_a_large_piece_may_take_as_long_as_a_poor_line_needs(
    hub: HubServer, client: HubClient, tmp_path: Path, impatient: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its 50 kB take twice as long as is allowed for a few."""
    monkeypatch.setattr(hub_reading, "LEAST_RATE", 1000)
    long = write_llama(tmp_path / "long.gguf").read_bytes().ljust(50_000, b"\0")
    hub.add_model("pub/long", {"long-Q4_K_M.gguf": long})
    monkeypatch.setattr(hub_http_client, "ANSWER_SECONDS", 60.0)
    model = client.describe("pub/long")
    hub.faults.set("long-Q4_K_M.gguf", Fault(bytes_per_second=250_000))
    assert client.header(model, model.models[0]).exists()


@pytest.mark.parametrize("file", ["README.md", "p.png", "m-Q4_K_M.gguf"])
def test_a_file_that_drips_is_given_up(
    file: str, hub: HubServer, client: HubClient, model: HubModel, impatient: None
) -> None:
    size = hub.content("pub/m", file).size
    hub.faults.set(file, Fault(bytes_per_second=size // 2))
    asks: dict[str, Callable[[], object]] = {
        "README.md": lambda: client.card(model),
        "p.png": lambda: client.picture(model, "p.png"),
        "m-Q4_K_M.gguf": lambda: client.header(model, model.models[0]),
    }

    assert problem(asks[file]) is HubProblem.STALLED
    assert not [thread for thread in threading.enumerate() if isinstance(thread, threading.Timer)]


def test_so_is_an_answer_that_is_read_as_a_whole(
    hub: HubServer, client: HubClient, model: HubModel, impatient: None
) -> None:
    hub.faults.set("/api", Fault(bytes_per_second=100))

    assert problem(lambda: next(client.search("m", SortOrder.BEST_MATCH))) is HubProblem.STALLED
    assert problem(lambda: client.describe("pub/m")) is HubProblem.STALLED
    assert problem(lambda: HubAccount(hub.endpoint).check(TOKEN)) is HubProblem.STALLED


def test_what_comes_in_time_is_taken(client: HubClient, model: HubModel) -> None:
    assert client.picture(model, "p.png") == PICTURE
    assert client.card(model).startswith("a word")
    assert not [thread for thread in threading.enumerate() if isinstance(thread, threading.Timer)]


class Dripping:
    """A server that says `begin` to whoever comes, then one byte after the other of `rest`, then hangs up."""

    def __init__(self, begin: bytes, rest: bytes) -> None:
        self._begin, self._rest = begin, rest
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://pictures.example:{self._listener.getsockname()[1]}/a.png"
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def _serve(self) -> None:
        line, _ = self._listener.accept()
        with line:
            try:
                line.recv(1 << 16)
                line.sendall(self._begin)
                for place in range(len(self._rest)):
                    if self._over.wait(0.01):
                        return
                    line.sendall(self._rest[place : place + 1])
            except OSError:  # the other side has hung up
                return

    def close(self) -> None:
        self._over.set()
        self._listener.close()
        self._thread.join()


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n"


class TestStrangersServers:
    @pytest.fixture
    def serve(self, hub_home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., str]]:
        monkeypatch.setattr(hub_pictures, "is_public", lambda _: True)
        made: list[Dripping] = []

        def start(begin: bytes, rest: bytes) -> str:
            made.append(Dripping(begin, rest))
            return made[-1].address

        yield start
        for server in made:
            server.close()

    @pytest.mark.parametrize(
        ("begin", "rest"),
        [
            (HEAD + b"Content-Length: 200\r\n\r\n", bytes(200)),
            (HEAD + b"\r\n", bytes(200)),  # ends when the server hangs up
            (HEAD + b"Content-Encoding: gzip\r\n\r\n", gzip.compress(b"x")[:3] + b"\x08" + bytes(200)),
            (b"HTTP/1.1 200 OK\r\n", HEAD[17:] + b"X-Long: " + b"x" * 200 + b"\r\n\r\n"),
            (b"HTTP/1.1 302 Found\r\nLocation: ", b"/" * 200 + b"\r\n\r\n"),
        ],
        ids=["body", "body-without-length", "packed-body", "head", "redirect"],
    )
    def test_however_it_drips_it_is_given_up(
        self, begin: bytes, rest: bytes, serve: Callable[..., str], impatient: None
    ) -> None:
        address = serve(begin, rest)
        ask = lambda: read_elsewhere(address, "https://huggingface.co", lambda *_: ["127.0.0.1"])  # noqa: E731

        assert problem(ask) is HubProblem.STALLED

    def test_one_that_is_merely_slow_is_heard_out(self, serve: Callable[..., str]) -> None:
        address = serve(HEAD + b"\r\n", b"five!")

        assert read_elsewhere(address, "https://huggingface.co", lambda *_: ["127.0.0.1"]) == b"five!"
