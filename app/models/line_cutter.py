"""Ends a request from another thread, however long the server is silent."""

import logging
import socket
from collections.abc import Mapping
from threading import Lock
from typing import Any, Protocol

from app.models.transfer_events import TransferStopped

_log = logging.getLogger(__name__)


class _Stream(Protocol):
    def get_extra_info(self, info: str) -> Any: ...


class LineCutter:
    """Knows the socket that one thread's request waits on.

    `watch` is the request's "trace" extension. A request that goes out over a connection that somebody else
    opened stays unknown until it is answered.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._stream: _Stream | None = None
        self._opened: _Stream | None = None
        self._is_cut = False

    def watch(self, event: str, info: Mapping[str, Any]) -> None:
        """Follows the request from step to step."""
        begins = event.endswith(".send_request_headers.started")
        with self._lock:
            if event.endswith((".connect_tcp.complete", ".start_tls.complete")):
                self._opened = self._stream = info["return_value"]
            elif begins:
                self._stream, self._opened = self._opened, None
            if self._is_cut:
                self._shut_down()
                if begins:  # in other places an exception would leave something open
                    raise TransferStopped

    def answered(self, stream: _Stream) -> None:
        """The answer comes over this stream."""
        with self._lock:
            self._stream = stream
            if self._is_cut:
                raise TransferStopped

    def done(self) -> None:
        """Nothing is under way."""
        with self._lock:
            self._stream = self._opened = None

    def cut(self) -> None:
        """Whoever waits for the server gets an error at once, now and ever after."""
        with self._lock:
            self._is_cut = True
            self._shut_down()

    def _shut_down(self) -> None:
        waited_on = None if self._stream is None else self._stream.get_extra_info("socket")
        if isinstance(waited_on, socket.socket):
            try:
                # not SSLSocket's own: that one takes the encryption away from under the thread that reads
                socket.socket.shutdown(waited_on, socket.SHUT_RDWR)
            except OSError as error:
                _log.debug("The line was gone already: %s", error)
