"""The stop flag of one request: set by any thread, seen by the loop and by native code."""

import ctypes


class StopSignal:
    """A flag that Python and llama.cpp read alike.

    llama.cpp asks its abort callback before every operation of a pass, a thousand times per token, so
    a callback into Python would cost more than the pass of a small model. The flag therefore is the
    first byte of a C string: the C library's own `strlen` serves as the callback, and answers 0 (go on)
    until that byte is set.
    """

    def __init__(self) -> None:
        self._text = ctypes.create_string_buffer(2)

    def set(self) -> None:
        """Asks for a stop. Safe from any thread, any number of times."""
        self._text[0] = b"\x01"

    @property
    def is_set(self) -> bool:
        """True once a stop was asked for."""
        return self._text[0] != b"\x00"

    @property
    def address(self) -> int:
        """Where native code finds the flag, as long as this object lives."""
        return ctypes.addressof(self._text)


class InterruptedPassError(Exception):
    """A pass over the model ended early because its stop signal was set."""
