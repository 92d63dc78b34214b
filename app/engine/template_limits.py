"""Limits of time and memory for Jinja templates from strangers, and the meter that keeps them.

While a template is rendered, a trace function looks at the clock at each line of it and at each call
that Jinja makes for it. Whatever makes a text, a list or a number goes through the meter: beforehand
where the result can be much larger than what went in. That keeps every single operation short, so that
the clock is looked at often.
"""

import sys
from collections.abc import Callable, Iterable
from inspect import CO_GENERATOR
from time import monotonic, thread_time
from types import FrameType
from typing import Any, TypeAlias, TypeVar

from msgspec import Struct

Value = TypeVar("Value")
TraceFunction: TypeAlias = Callable[[FrameType, str, Any], Any]

FILE_NAME = "<chat template>"  # of a template's compiled code, which tells its frames apart
DEEPEST = 64  # lists in lists, and macros that call macros
PER_PIECE = 64  # bytes that a short str and the reference to it take

_MOST_BITS = 256  # of a whole number
_CHECKED_MODULES = ("jinja2.", __name__.removesuffix("limits"))


class TemplateLimits(Struct, frozen=True):
    """What one compilation or rendering may use. The sizes grow with the input's own."""

    seconds: float = 2.0  # of computing; waiting for a busy machine does not count
    value_bytes: int = 2 * 1024 * 1024  # of one text or list, the output too; of all together 16 times it


DEFAULT_LIMITS = TemplateLimits()


class LimitError(BaseException):
    """A limit is reached. Not an Exception, so that no handler inside Jinja takes it for its own."""


class Meter:
    """What one compilation or rendering may still use. Every method may raise LimitError."""

    def __init__(self, limits: TemplateLimits, input_bytes: int) -> None:
        """Counts from now, in this thread. `input_bytes` is the size of what the template is given."""
        self._seconds = limits.seconds
        self._earliest_end = monotonic() + limits.seconds  # a thread computes no longer than time passes
        self._end = thread_time() + limits.seconds
        self.largest = limits.value_bytes + 4 * input_bytes
        self._left = 16 * limits.value_bytes + 256 * input_bytes  # some templates copy the text per message
        self._depth = 0
        self.trace = self._tracer()

    def _tracer(self) -> TraceFunction:
        """For sys.settrace: looks at the clock, and raises where the exception is sure to arrive.

        One that is raised in a finaliser is lost, and the tracing with it. Foreign finalisers run at any
        time, and closing a generator counts as calling it.
        """
        earliest_end = self._earliest_end

        def trace(frame: FrameType, event: str, _argument: object) -> TraceFunction | None:
            own = frame.f_code.co_filename == FILE_NAME
            if (
                monotonic() > earliest_end
                and (event == "line" or (event == "call" and not frame.f_code.co_flags & CO_GENERATOR))
                and (own or str(frame.f_globals.get("__name__")).startswith(_CHECKED_MODULES))
            ):
                self.check_time()
            return trace if own else None

        return trace

    def check_time(self) -> None:
        """Refuses to go on after the time limit."""
        if monotonic() > self._earliest_end and thread_time() > self._end:
            raise LimitError(f"it takes longer than {self._seconds:g} seconds")

    def check_bits(self, bits: int) -> None:
        """Refuses a whole number of so many bits if that is too many."""
        if bits > _MOST_BITS:
            raise LimitError("it computes numbers that are too large")

    def check_size(self, size: int) -> None:
        """Refuses a value of so many bytes, which is about to be made, if that is too much for one."""
        if size > self.largest:
            raise LimitError("it makes texts or lists that are too large")

    def reserve(self, size: int) -> None:
        """Counts a value of so many bytes, which is about to be made and not to be admitted."""
        self.check_size(size)
        self._left -= size
        if self._left < 0:
            raise LimitError("it makes too many texts or lists")

    def weigh(self, value: object) -> int:
        """The bytes of a value with all that is in it; what is in it twice counts twice.

        As this is limited for every list, comparing, hashing or printing any value takes limited time. The
        memory alone would not do: a list that contains another one twice, which again does so, is small.
        """
        weight = sys.getsizeof(value)
        containers = [(value, 0)]
        while containers:
            container, depth = containers.pop()
            if isinstance(container, dict):
                parts: Iterable[object] = (*container, *container.values())
            elif isinstance(container, list | tuple):
                parts = container
            else:
                continue
            for part in parts:
                weight += sys.getsizeof(part)
                if isinstance(part, dict | list | tuple):
                    containers.append((part, depth + 1))
            self.check_size(weight)
            if depth > DEEPEST:
                raise LimitError("it makes lists that are too deep")
        return weight

    def longest_text(self, value: object) -> int:
        """At least as many characters as `str` makes of a value."""
        return len(value) if isinstance(value, str) else 4 * self.weigh(value) + 400  # 1e308 has 309 digits

    def admit(self, value: Value) -> Value:
        """Counts a value that has just been made, and returns it."""
        if sys.gettrace() is not self.trace:  # switched off by an exception that got lost
            raise LimitError("it evades the time limit")
        if isinstance(value, str):
            self.reserve(sys.getsizeof(value))
        elif isinstance(value, dict | list | tuple):
            self.weigh(value)
            self.reserve(sys.getsizeof(value))
        elif isinstance(value, int):
            self.check_bits(value.bit_length())
        return value

    def enter(self) -> None:
        """Counts a call that is about to be made; `leave` takes it back."""
        if self._depth == DEEPEST:
            raise LimitError("its macros call each other too deeply")
        self._depth += 1

    def leave(self) -> None:
        """Ends a call."""
        self._depth -= 1
