"""What the window and the engine process say to each other; framing.py makes bytes of it.

The window sends commands, the engine answers with events; each carries the id of its request, so that what
arrives late for an abandoned request can be dropped. The first event is Ready. The engine ends when its
standard input closes.
"""

from enum import StrEnum
from pathlib import Path

from msgspec import Struct

from app.core.chat import Message
from app.core.drafting_state import DraftingState
from app.core.options import GenerationLimits, LoadOptions, SamplingOptions, SpeculationOptions
from app.core.pass_costs import PassCosts
from app.core.stats import GenerationStats, RoundStats
from app.core.trace import TracedRound
from app.core.weighing import Weighing

VERSION = 4


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
    drafting: DraftingState | None = None  # where what passes cost is known


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
    """Load a target and perhaps its draft; an engine process does so once.

    Where something drafts and what passes cost here is not known yet, it is measured.
    Answer: LoadProgressed and perhaps CostsProgressed events, then Loaded or Failed.
    """

    request_id: int
    target: Path
    draft: Path | None
    options: LoadOptions
    speculation: SpeculationOptions = SpeculationOptions()  # that answers will ask for at first


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
    """Look at the place where two answers part: how the target stands to what follows the same text.

    `answer` are the tokens that both have after the conversation, `sampling` is what both were drawn with.
    None among the one or two candidates stands for the end of the answer. Answer: Weighed or Failed.
    """

    request_id: int
    messages: tuple[Message, ...]
    sampling: SamplingOptions
    answer: tuple[int, ...]
    candidates: tuple[int | None, ...]


class MeasureCosts(Struct, frozen=True, tag="measure_costs"):
    """Time target passes over 1 to `most` tokens, and drafting one token.

    Answer: CostsProgressed events, then CostsMeasured or Failed.
    """

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
    costs: PassCosts | None = None  # where they are known


class Prefilled(Struct, frozen=True, tag="prefilled"):
    """So many tokens of the prompt are in the context, those among them that were there already."""

    request_id: int
    done: int
    of: int  # all of the prompt


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
    """How the target stands to the candidates."""

    request_id: int
    weighing: Weighing


class CostsProgressed(Struct, frozen=True, tag="costs_progressed"):
    """So many passes are timed, of as many as are known to be needed: more, where their times disagree."""

    request_id: int
    done: int
    of: int


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
Event = Ready | LoadProgressed | Prefilled | RoundFinished | CostsProgressed | Ending
