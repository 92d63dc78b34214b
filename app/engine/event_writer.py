"""Events on their way to the window."""

import threading
from typing import BinaryIO

from app.core.framing import frame
from app.core.protocol import Event


class WindowGoneError(Exception):
    """Nobody reads the events any more."""


class EventWriter:
    """Writes whole frames, from any thread."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._lock = threading.Lock()

    def send(self, event: Event) -> None:
        """Writes one event. Raises WindowGoneError."""
        left = memoryview(frame(event))
        with self._lock:
            try:
                while left:
                    left = left[self._stream.write(left) :]
                self._stream.flush()
            except (OSError, ValueError) as error:  # the latter where the stream was closed on this side
                raise WindowGoneError from error
