"""One connection to the loopback hub: takes requests and sends bytes, wrongly when told to."""

import json
import re
import select
import socket
import struct
from collections.abc import Mapping
from functools import partial
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.fakes.hub_content import BytesContent, Content, content_etag
from tests.fakes.hub_faults import LOGIN_PAGE, Fault, Faults, Port
from tests.fakes.hub_requests import Request, Requests

_PIECE = 1 << 20  # bytes; faults are looked at between pieces
_RANGE = re.compile(r"bytes=(\d*)-(\d*)")
_SHORT_WAIT = 0.02  # seconds


class BadRangeError(Exception):
    """A range that lies outside the file."""


def parse_range(header: str | None, size: int) -> tuple[int, int] | None:
    """From where to where; None where there is no range that this server honours, as several at once."""
    found = _RANGE.fullmatch(header.strip()) if header else None
    if found is None or found.groups() == ("", ""):
        return None
    first, last = found.groups()
    if not first:
        if int(last) == 0:
            raise BadRangeError
        return max(0, size - int(last)), size
    start = int(first)
    stop = min(int(last) + 1, size) if last else size
    if start >= size or stop <= start:
        raise BadRangeError
    return start, stop


class HubConnection(BaseHTTPRequestHandler):
    """What both ports have in common."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    port: Port
    faults: Faults
    requests: Requests
    carried = 0  # bytes of files that this connection has carried

    def answer(self) -> None:
        """Answers `self.request_seen`."""
        raise NotImplementedError

    def do_GET(self) -> None:
        """Logs a request and answers it, unless something is to go wrong."""
        self.request_seen = Request(
            self.port,
            self.command,
            self.path,
            range=self.headers["Range"],
            if_range=self.headers["If-Range"],
            authorised=self.headers["Authorization"] is not None,
        )
        self.requests.add(self.request_seen)
        refusal = self.faults.refusal(self.port, self.path)
        if self.faults.asks_for_login:
            self.send_login_page()
        elif refusal is not None:
            self.send_whole(refusal.status, refusal.body, "text/html", refusal.headers)
        else:
            self.answer()

    do_HEAD = do_GET  # noqa: N815
    do_POST = do_GET  # noqa: N815

    def log_message(self, *_: object) -> None:
        """The log is kept elsewhere."""

    def send_head(self, status: int, headers: Mapping[str, str]) -> None:
        """The status and the headers."""
        self.request_seen.status = status
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()

    def send_whole(
        self, status: int, body: bytes, kind: str, headers: Mapping[str, str] | None = None
    ) -> None:
        """A small answer, without faults."""
        self.send_head(status, {"Content-Type": kind, "Content-Length": str(len(body)), **(headers or {})})
        if self.command != "HEAD":
            self.wfile.write(body)

    def send_login_page(self) -> None:
        """What a network says that wants a sign-in first."""
        self.send_whole(200, LOGIN_PAGE, "text/html; charset=utf-8")

    def send_json(self, value: Any, headers: Mapping[str, str] | None = None) -> None:
        """Data, with the faults of "/api"."""
        body = BytesContent(json.dumps(value).encode())
        self.send_file("/api", body, {"Content-Type": "application/json; charset=utf-8", **(headers or {})})

    def send_problem(
        self, status: int, message: str, code: str | None = None, headers: Mapping[str, str] | None = None
    ) -> None:
        """A refusal, worded as the hub words them."""
        plain = message.encode("ascii", "replace").decode()
        named = {"X-Error-Message": plain, **({"X-Error-Code": code} if code else {}), **(headers or {})}
        body = json.dumps({"error": message}).encode()
        self.send_whole(status, body, "application/json; charset=utf-8", named)

    def send_file(self, file: str, content: Content, headers: Mapping[str, str]) -> None:
        """A file or a range of it, with the faults of its name."""
        self.request_seen.file = file
        fault, cleared = self.faults.for_request(file), self.faults.cleared
        if fault.silent and not self._wait_in_silence(file, fault, cleared):
            return
        if fault.login_page:
            self.send_login_page()
            return
        etag = headers.get("ETag", content_etag(content))
        try:
            wanted = None if fault.ignore_range else parse_range(self._range_header(etag), content.size)
        except BadRangeError:
            self.send_whole(416, b"", "text/plain", {"Content-Range": f"bytes */{content.size}"})
            return
        start, stop = wanted or (0, content.size)
        head = {"ETag": etag, "Accept-Ranges": "bytes", **headers, "Content-Length": str(stop - start)}
        if wanted is not None:
            head["Content-Range"] = f"bytes {start}-{stop - 1}/{content.size}"
        self.request_seen.start = start
        self.send_head(206 if wanted is not None else 200, head)
        if self.command != "HEAD":
            self.connection.setblocking(False)
            self._send_bytes(file, content, start, stop, fault, cleared)
            self.connection.setblocking(True)

    def _range_header(self, etag: str) -> str | None:
        condition = self.headers["If-Range"]
        return self.headers["Range"] if condition in (None, etag) else None

    def _send_bytes(
        self, file: str, content: Content, start: int, stop: int, own: Fault, cleared: int
    ) -> None:
        position = start
        while position < stop:
            fault = self._fault_now(file, own, cleared)
            end = stop - fault.stop_short
            if fault.stall_after is not None:
                end = min(end, start + fault.stall_after)
            if fault.stop_at is not None:
                end = min(end, fault.stop_at)
            if position >= end:
                if not self._wait_in_silence(file, own, cleared):
                    return
                continue
            count = min(end - position, _PIECE)
            if fault.drop_every is not None:
                if self.carried >= fault.drop_every:
                    self._hang_up(fault.reset)
                    return
                count = min(count, fault.drop_every - self.carried)
            if fault.bytes_per_second is not None:
                count = min(count, max(1, int(fault.bytes_per_second * _SHORT_WAIT)))
                self.faults.wait(_SHORT_WAIT)
            select.select([], [self.connection], [])
            sending = partial(self._send_some, content, position, count, fault.flip_at)
            sent = self.requests.count(self.request_seen, sending)
            position += sent
            self.carried += sent

    def _send_some(self, content: Content, position: int, count: int, flip_at: int | None) -> int:
        if flip_at == position:
            sent: int = self.connection.send(bytes([content.read(position, 1)[0] ^ 1]))
            return sent
        if flip_at is not None and position < flip_at:
            count = min(count, flip_at - position)
        sent = content.send(self.connection, position, count)
        assert sent > 0, "the file became shorter while it was being served"
        return sent

    def _fault_now(self, file: str, own: Fault, cleared: int) -> Fault:
        if own.times is not None and self.faults.cleared == cleared:
            return own
        return self.faults.now(file)

    def _wait_in_silence(self, file: str, own: Fault, cleared: int) -> bool:
        """Whether there is somebody to go on for once the silence is over."""
        while self._fault_now(file, own, cleared).withholds:
            if self.faults.ended or self._is_gone():
                self.close_connection = True
                return False
            self.faults.wait(_SHORT_WAIT)
        return True

    def _is_gone(self) -> bool:
        ready, _, _ = select.select([self.connection], [], [], 0)
        return bool(ready) and self.connection.recv(1, socket.MSG_PEEK) == b""

    def _hang_up(self, reset: bool) -> None:
        self.close_connection = True
        if reset:  # closing it then sends a reset in place of an end
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
        else:
            self.connection.shutdown(socket.SHUT_RDWR)
