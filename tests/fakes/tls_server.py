"""One GGUF file over an encrypted line, as the real hub gives it; silent after so many bytes when told to."""

import ssl
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any

from tests.fakes.hub_connection import parse_range
from tests.fakes.hub_content import Content

# for 127.0.0.1 alone, and trusted by nobody but tests
CERTIFICATE = """\
-----BEGIN CERTIFICATE-----
MIIBjzCCATagAwIBAgIUOX9r9j9XKSn0hmavj1KUwQFcxlkwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJMTI3LjAuMC4xMCAXDTI2MTEyOTIxMjIwNFoYDzIxMjYxMTA1
MjEyMjA0WjAUMRIwEAYDVQQDDAkxMjcuMC4wLjEwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQECDj7P3vZ2bGi63Qshv6xeqVXAWq4FsAhVWmJ5ZHNwO8vlr4O9nLb
2WfryMPP3puuV6tfy+L+ScenloLZul5co2QwYjAdBgNVHQ4EFgQU3Fu6ddMRdCfn
u4NI7r+BP32uCGkwHwYDVR0jBBgwFoAU3Fu6ddMRdCfnu4NI7r+BP32uCGkwDwYD
VR0TAQH/BAUwAwEB/zAPBgNVHREECDAGhwR/AAABMAoGCCqGSM49BAMCA0cAMEQC
IAknc5EPKZ0iyrfFfSDa6ZMGeHJvI+E/DBd6A8GDdavnAiBucbbo41r29PATj5h0
eEWeZgR43sDcLdENPyjaupL36Q==
-----END CERTIFICATE-----
"""
_KEY = """\
-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg4UPLvvSbQq2R+OMY
wNs3P/NNCL23wWXHfd7bp/NZuZWhRANCAAQECDj7P3vZ2bGi63Qshv6xeqVXAWq4
FsAhVWmJ5ZHNwO8vlr4O9nLb2WfryMPP3puuV6tfy+L+ScenloLZul5c
-----END PRIVATE KEY-----
"""
_PIECE = 1 << 16  # bytes
_PATIENCE = 20.0  # seconds


class TlsServer:
    """Serves `content` under every path; after `silent_after` bytes of an answer nothing more comes."""

    def __init__(self, content: Content, folder: Path, silent_after: int | None = None) -> None:
        """`folder` takes the certificate, as `certificate`."""
        self.certificate = folder / "certificate.pem"
        self.certificate.write_text(CERTIFICATE + _KEY)
        self.asked = threading.Event()
        self._ended = threading.Event()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate)
        facts = {"content": content, "context": context, "silent_after": silent_after}
        events = {"asked": self.asked, "ended": self._ended}
        self._server = _Server(("127.0.0.1", 0), type("Handler", (_Handler,), {**facts, **events}))
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))

    @property
    def endpoint(self) -> str:
        """The address for HF_ENDPOINT."""
        return f"https://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> "TlsServer":
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = False

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client may go whenever it likes."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    content: Content
    context: ssl.SSLContext
    silent_after: int | None
    asked: threading.Event
    ended: threading.Event

    def setup(self) -> None:
        self.request.settimeout(_PATIENCE)
        self.request = self.context.wrap_socket(self.request, server_side=True)
        super().setup()

    def finish(self) -> None:
        super().finish()
        self.request.close()

    def do_GET(self) -> None:
        size = self.content.size
        wanted = parse_range(self.headers["Range"], size)
        start, stop = wanted or (0, size)
        self.send_response(200 if wanted is None else 206)
        self.send_header("Content-Length", str(stop - start))
        self.send_header("ETag", f'"{self.content.sha256}"')
        self.send_header("X-Repo-Commit", "c0ffee")
        self.send_header("Connection", "close")
        if wanted is not None:
            self.send_header("Content-Range", f"bytes {start}-{stop - 1}/{size}")
        self.end_headers()
        self.close_connection = True
        if self.command == "HEAD":
            return
        end = stop if self.silent_after is None else min(stop, start + self.silent_after)
        for position in range(start, end, _PIECE):
            self.wfile.write(self.content.read(position, min(_PIECE, end - position)))
        self.asked.set()
        if end < stop:
            self.ended.wait(_PATIENCE)

    do_HEAD = do_GET  # noqa: N815

    def log_message(self, *_: object) -> None:
        """Nothing is logged."""
