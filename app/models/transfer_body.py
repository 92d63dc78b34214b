"""The bytes of an answer, as fast as Python can take them. Imported late, because httpx2 takes its time."""

import socket
import ssl
from collections.abc import Iterator

import httpx2

from app.models.hub_words import hub_errors

PIECE_BYTES = 256 << 10


def pieces(response: httpx2.Response, repo: str, seconds: float) -> Iterator[bytes | memoryview]:
    """The body piece by piece; each is good until the next one. Raises HubError.

    After the first piece nothing is left between the socket and the parser of HTTP, so where the length is
    stated the rest is read from the socket itself: that takes a fraction of the processor's time.
    """
    with hub_errors(repo):
        polite = response.iter_raw()
        connection = _socket_of(response)
        if connection is None:
            yield from polite
            return
        left = int(response.headers["Content-Length"])
        for first in polite:
            left -= len(first)
            yield first
            break
        buffer = memoryview(bytearray(min(PIECE_BYTES, max(left, 1))))
        connection.settimeout(seconds)
        while left > 0:
            count = _receive(connection, buffer[:left], response.request)
            left -= count
            yield buffer[:count]


def _socket_of(response: httpx2.Response) -> socket.socket | None:
    """The socket, where it carries this body and nothing else; it is not read behind a proxy's encryption."""
    connection = response.extensions["network_stream"].get_extra_info("socket")
    is_plain = (
        response.http_version in ("HTTP/1.1", "HTTP/1.0") and "Transfer-Encoding" not in response.headers
    )
    if not is_plain or not response.headers.get("Content-Length", "").isdigit():
        return None
    is_encrypted = response.url.scheme == "https"
    if isinstance(connection, socket.socket) and isinstance(connection, ssl.SSLSocket) == is_encrypted:
        return connection
    return None


def _receive(connection: socket.socket, buffer: memoryview, request: httpx2.Request) -> int:
    try:
        count = connection.recv_into(buffer)
    except TimeoutError as error:
        raise httpx2.ReadTimeout("", request=request) from error
    except (OSError, ValueError) as error:  # ValueError: of an encrypted line that was closed
        raise httpx2.ReadError("", request=request) from error
    if count == 0:
        raise httpx2.RemoteProtocolError("", request=request)
    return count
