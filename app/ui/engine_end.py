"""How an engine process ended: what the window can tell from outside."""

from collections.abc import Sequence
from enum import StrEnum

from msgspec import Struct


class Activity(StrEnum):
    """What an engine is doing."""

    STARTING = "starting"  # until it says that it is ready
    IDLE = "idle"
    LOADING = "loading"
    READING = "reading"  # the prompt
    ANSWERING = "answering"
    MEASURING = "measuring"  # what passes cost, or what answers differ in


class EndKind(StrEnum):
    """Why an engine is no more."""

    CLOSED = "closed"  # as asked
    CRASHED = "crashed"  # a fault in native code, an abort
    KILLED = "killed"  # from outside; most often the system's answer to a lack of memory
    OUT_OF_MEMORY = "out_of_memory"  # its last words say so
    EXITED = "exited"  # by itself, though nobody asked
    UNRESPONSIVE = "unresponsive"  # it did not hear Stop, and was ended
    NOT_STARTED = "not_started"  # the program could not be run at all
    WRONG_VERSION = "wrong_version"  # it speaks another protocol
    BAD_MESSAGE = "bad_message"  # it sent what is no message


class EngineEnd(Struct, frozen=True):
    """The end of an engine process."""

    kind: EndKind
    code: int | None  # the exit code, or the signal of a crash; None where there was no process
    during: Activity
    log: tuple[str, ...] = ()  # its last lines, for "Details"


_ENDING_SIGNALS = (9, 15)  # SIGKILL, and SIGTERM, which earlyoom and its like send first
_KILLED_EXIT_CODES = (137, 143)  # the same, as a shell reports them
_OUT_OF_MEMORY_CODES = (0xC0000017, 0xC000012D)  # Windows: no memory, commitment limit
_OUT_OF_MEMORY_WORDS = (
    "bad_alloc",
    "failed to allocate",
    "insufficient memory",
    "cannot allocate memory",
    "out of memory",
    "memoryerror",
)
_LAST_WORDS = 80  # lines; what was said before may be of a failure that was got over


def kind_of_end(crashed: bool, code: int, log: Sequence[str]) -> EndKind:
    """Why a process ended that nobody asked to. `code` is the signal where it crashed, on Unix."""
    if (code & 0xFFFFFFFF) in _OUT_OF_MEMORY_CODES:
        return EndKind.OUT_OF_MEMORY
    if code in (_ENDING_SIGNALS if crashed else _KILLED_EXIT_CODES):
        return EndKind.KILLED
    last_words = "\n".join(log[-_LAST_WORDS:]).lower()
    if code != 0 and any(words in last_words for words in _OUT_OF_MEMORY_WORDS):
        return EndKind.OUT_OF_MEMORY
    return EndKind.CRASHED if crashed else EndKind.EXITED
