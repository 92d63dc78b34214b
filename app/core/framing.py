"""Messages of the protocol as bytes in a pipe.

A frame is a length (four bytes, little-endian) and that many bytes of MessagePack holding one message.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from app.core.errors import SlipstreamError
from app.core.protocol import Command, Event

LONGEST_FRAME = 64 * 2**20  # bytes; more is no message of ours

_LENGTH_BYTES = 4


class ProtocolError(SlipstreamError):
    """Bytes that are no message of this protocol."""


class FrameReader:
    """Takes bytes as they come and gives whole frames."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The frames that `data` completes, without their lengths. Raises ProtocolError at an absurd one."""
        self._buffer += data
        while len(self._buffer) >= _LENGTH_BYTES:
            length = int.from_bytes(self._buffer[:_LENGTH_BYTES], "little")
            if length > LONGEST_FRAME:
                raise ProtocolError(f"A message of {length} bytes cannot be one of ours.")
            end = _LENGTH_BYTES + length
            if len(self._buffer) < end:
                return
            content = bytes(self._buffer[_LENGTH_BYTES:end])
            del self._buffer[:end]
            yield content


def frame(message: Command | Event) -> bytes:
    """A message as it goes through a pipe. Half characters, as file names may hold, become question marks."""
    try:
        content = msgspec.msgpack.encode(message, enc_hook=_encoded)
    except UnicodeEncodeError:
        plain = msgspec.to_builtins(message, builtin_types=(bytes,), enc_hook=_encoded)
        content = msgspec.msgpack.encode(_whole(plain))
    return len(content).to_bytes(_LENGTH_BYTES, "little") + content


def command_from(content: bytes) -> Command:
    """The command in a frame. Raises ProtocolError."""
    try:
        return msgspec.msgpack.decode(content, type=Command, dec_hook=_decoded)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise ProtocolError(f"The engine received a command that it does not understand: {error}.") from error


def event_from(content: bytes) -> Event:
    """The event in a frame. Raises ProtocolError."""
    try:
        return msgspec.msgpack.decode(content, type=Event, dec_hook=_decoded)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise ProtocolError(f"The engine sent a message that is not understood: {error}.") from error


def _encoded(value: object) -> bytes:
    """Paths travel as the bytes that the system knows them by, which need not be valid text."""
    if isinstance(value, Path):
        return os.fsencode(value)
    raise NotImplementedError(f"{type(value)} cannot be sent")


def _decoded(wanted: type, value: Any) -> Path:
    if wanted is Path and isinstance(value, bytes):
        return Path(os.fsdecode(value))
    raise NotImplementedError(f"{wanted} cannot be received")


def _whole(value: Any) -> Any:
    """The same without surrogates in its texts."""
    if isinstance(value, str):
        return value.encode(errors="replace").decode()
    if isinstance(value, dict):
        return {key: _whole(each) for key, each in value.items()}
    return [_whole(each) for each in value] if isinstance(value, list | tuple) else value
