"""The bytes of an answer, read past the parser of HTTP where that is safe and through it where it is not."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import httpx2
import pytest

from app.models.hub_problems import HubError, HubProblem
from app.models.transfer_body import pieces

BODY = bytes(range(256)) * 4000


@contextmanager
def answering(*sent: bytes, then: threading.Event | None = None) -> Iterator[str]:
    """A server that sends these bytes to one request, and hangs up; but only after `then`."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(65_536)
                for piece in sent:
                    connection.sendall(piece)
                if then is not None:
                    then.wait(20)

        thread = threading.Thread(target=answer)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/"
        thread.join()


def head(*headers: str) -> bytes:
    return "\r\n".join(["HTTP/1.1 200 OK", *headers, "", ""]).encode()


def fetch(address: str, seconds: float = 10) -> bytes:
    with httpx2.Client(timeout=seconds) as client, client.stream("GET", address) as response:
        return b"".join(bytes(piece) for piece in pieces(response, "a/b", seconds))


@pytest.mark.parametrize("cut", [0, 1, 1000, len(BODY) - 1, len(BODY)])
def test_with_a_length_however_it_is_cut(cut: int) -> None:
    first = head(f"Content-Length: {len(BODY)}") + BODY[:cut]
    with answering(first, BODY[cut:]) as address:
        assert fetch(address) == BODY


def test_nothing_after_the_end_belongs_to_it() -> None:
    with answering(head("Content-Length: 5") + b"12345", b"HTTP/1.1 200 OK\r\n\r\n") as address:
        assert fetch(address) == b"12345"


def test_without_a_length() -> None:
    with answering(head("Connection: close"), BODY) as address:
        assert fetch(address) == BODY


def test_in_chunks() -> None:
    with answering(head("Transfer-Encoding: chunked"), b"3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n") as address:
        assert fetch(address) == b"abcde"


@pytest.mark.parametrize("count", [0, 1000, 300_000])
def test_an_early_end(count: int) -> None:
    with answering(head(f"Content-Length: {len(BODY)}"), BODY[:count]) as address:
        with pytest.raises(HubError) as raised:
            fetch(address)
        assert raised.value.problem is HubProblem.NO_NETWORK


@pytest.mark.parametrize("count", [0, 1000, 300_000])
def test_silence(count: int) -> None:
    over = threading.Event()
    sent = head(f"Content-Length: {len(BODY)}"), BODY[:count]
    with answering(*sent, then=over) as address:
        with pytest.raises(HubError) as raised:
            fetch(address, 0.05)
        over.set()
        assert raised.value.problem is HubProblem.STALLED
