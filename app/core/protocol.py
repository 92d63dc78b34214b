"""What the window and the engine process say to each other: messages, their framing, the version.

A frame is a length (four bytes, little-endian) and that many bytes of MessagePack holding one message. The
window sends commands, the engine answers with events; each carries the id of its request, so that what
arrives late for an abandoned request can be dropped. The first event is Ready. The engine ends when its
standard input closes.
"""

import os
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from app.core.chat import Message
from app.core.errors import SlipstreamError
from app.core.options import GenerationLimits, LoadOptions, SamplingOptions, SpeculationOptions
from app.core.pass_costs import PassCosts
from app.core.stats import GenerationStats, RoundStats
from app.core.trace import TracedRound

VERSION = 2
LONGEST_FRAME = 64 * 2**20  # bytes; more is no message of ours

_LENGTH_BYTES = 4


class TextPiece(Struct, frozen=True):
    """Some text of the answer, all from one source. Never splits a user-perceived character."""

    text: str
    from_draft: bool
    position: int  # in the draft, from 1; 0 where the target gave it
    probability: float | None  # the drafter's own, None where it has none


class Round(Struct, frozen=True):
    """One verification pass: the tokens it emitted, their text as far as it is whole, and its figures."""

    tokens: tuple[int, ...]
    pieces: tuple[TextPiece, ...]
    stats: RoundStats
    trace: TracedRound | None = None  # where it was asked for


class Done(Struct, frozen=True):
    """The end of an answer: text that was held back until now, and the totals."""

    pieces: tuple[TextPiece, ...]
    stats: GenerationStats


class Obstacle(StrEnum):
    """What keeps an answer from being drafted by a model, or at all."""

    TARGET_CANNOT_ROLL_BACK = "target_cannot_roll_back"
    DRAFT_CANNOT_ROLL_BACK = "draft_cannot_roll_back"
    INCOMPATIBLE = "incompatible"
    NOT_LOADED = "not_loaded"


class Refusal(Struct, frozen=True):
    """Why the target runs without its draft, or without any; `sentence` is for people."""

    obstacle: Obstacle
    sentence: str


# What the window asks for.


class Load(Struct, frozen=True, tag="load"):
    """Load a target and perhaps its draft; an engine process does so once. Answer: Loaded or Failed."""

    request_id: int
    target: Path
    draft: Path | None
    options: LoadOptions


class Generate(Struct, frozen=True, tag="generate"):
    """Answer a conversation. Answer: Prefilled and RoundFinished events, then Finished or Failed."""

    request_id: int
    messages: tuple[Message, ...]
    sampling: SamplingOptions
    speculation: SpeculationOptions
    limits: GenerationLimits
    draft: Path | None = None  # one that was added; None: the one loaded with the target
    fresh: bool = False  # from empty caches, for measuring
    trace: bool = False  # rounds carry what each drafted token was worth; costs a little time


class AddDraft(Struct, frozen=True, tag="add_draft"):
    """Load one more draft model beside the target, to compare with. Answer: DraftAdded or Failed."""

    request_id: int
    draft: Path
    options: LoadOptions  # the target's


class RemoveDraft(Struct, frozen=True, tag="remove_draft"):
    """Free a draft model that was added, if it is there. Answer: DraftRemoved."""

    request_id: int
    draft: Path


class Weigh(Struct, frozen=True, tag="weigh"):
    """Look at the place where two answers part: the target's logits for some tokens after the same text.

    `answer` are the tokens that both have after the conversation. Answer: Weighed or Failed.
    """

    request_id: int
    messages: tuple[Message, ...]
    answer: tuple[int, ...]
    candidates: tuple[int, ...]


class MeasureCosts(Struct, frozen=True, tag="measure_costs"):
    """Time target passes over 1 to `most` tokens, and drafting one token. Answer: CostsMeasured or Failed."""

    request_id: int
    most: int
    draft: Path | None = None  # one that was added; None: the one loaded with the target


class Stop(Struct, frozen=True, tag="stop"):
    """End a request early. One that is over, or unknown, is none of its business."""

    request_id: int


Request = Load | Generate | AddDraft | RemoveDraft | Weigh | MeasureCosts
Command = Request | Stop


# What the engine tells.


class Ready(Struct, frozen=True, tag="ready"):
    """The engine listens. `version` is this protocol's; the window refuses any other than its own."""

    version: int
    engine_version: str  # of llama-cpp-python
    supports_gpu: bool
    threads: int  # what "automatic" means here: the physical cores


class LoadProgressed(Struct, frozen=True, tag="load_progressed"):
    """How far a load is, from 0 to 1."""

    request_id: int
    share: float


class Loaded(Struct, frozen=True, tag="loaded"):
    """The models are in memory. Bytes are by how much each load made the process grow."""

    request_id: int
    context_length: int  # tokens, in force
    has_draft: bool
    target_bytes: int
    draft_bytes: int
    load_s: float
    refusal: Refusal | None  # why this target cannot be drafted for at all
    draft_refusal: Refusal | None  # why the draft that was asked for is missing
    template_problem: str | None  # a sentence: why a plain form is used in place of the model's template


class Prefilled(Struct, frozen=True, tag="prefilled"):
    """So many tokens of the prompt are read."""

    request_id: int
    done: int
    of: int


class RoundFinished(Struct, frozen=True, tag="round_finished"):
    """A round of an answer."""

    request_id: int
    round: Round


class Finished(Struct, frozen=True, tag="finished"):
    """An answer has ended, stopped ones included."""

    request_id: int
    done: Done


class DraftAdded(Struct, frozen=True, tag="draft_added"):
    """One more draft model is in memory, or why it is not."""

    request_id: int
    draft_bytes: int  # by which the process grew; 0 with a refusal
    refusal: Refusal | None


class DraftRemoved(Struct, frozen=True, tag="draft_removed"):
    """A draft model that was added is gone."""

    request_id: int


class Weighed(Struct, frozen=True, tag="weighed"):
    """The target's logits for the candidates, their texts, and how many characters the answer has before."""

    request_id: int
    logits: tuple[float, ...]
    texts: tuple[str, ...]
    text_length: int


class CostsMeasured(Struct, frozen=True, tag="costs_measured"):
    """What passes take here."""

    request_id: int
    costs: PassCosts


class FailureKind(StrEnum):
    """What kind of thing went wrong with a request, the engine itself being well."""

    CANCELLED = "cancelled"  # a load or a measurement that was stopped
    MODEL_FILE = "model_file"
    LOAD = "load"
    OPTIONS = "options"
    TEMPLATE = "template"
    GRAMMAR = "grammar"
    PROMPT_TOO_LONG = "prompt_too_long"
    ENGINE = "engine"
    OUT_OF_MEMORY = "out_of_memory"
    NOT_LOADED = "not_loaded"  # an answer was asked for and no model is there
    INTERNAL = "internal"  # a fault of the program


class Failed(Struct, frozen=True, tag="failed"):
    """A request that could not be done; `sentence` is for people, `log` holds lines for "Details"."""

    request_id: int
    kind: FailureKind
    sentence: str
    log: tuple[str, ...] = ()


Ending = (
    Loaded | Finished | DraftAdded | DraftRemoved | Weighed | CostsMeasured | Failed
)  # they end a request
Event = Ready | LoadProgressed | Prefilled | RoundFinished | Ending


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
