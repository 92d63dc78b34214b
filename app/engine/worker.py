"""The engine's side of the pipe: a thread on the commands, and one that carries them out.

The first only reads, so that Stop and the end of the input are heard in the middle of a long load or prompt.
The second does everything that computes: see thread.py for why that must be one and the same thread. This
module imports nothing native; what loads models is handed in.
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from time import monotonic, perf_counter
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, Protocol

from app.core.chat import Message
from app.core.errors import LoadCancelledError, TemplateError
from app.core.framing import FrameReader, command_from
from app.core.options import GenerationLimits, LoadOptions, SamplingOptions, SpeculationOptions
from app.core.pass_costs import PassCosts
from app.core.protocol import (
    AddDraft,
    Command,
    CostsMeasured,
    CostsProgressed,
    Done,
    DraftAdded,
    DraftRemoved,
    Ending,
    Event,
    Failed,
    FailureKind,
    Finished,
    Generate,
    Load,
    Loaded,
    LoadProgressed,
    MeasureCosts,
    Prefilled,
    Ready,
    Refusal,
    RemoveDraft,
    Request,
    Round,
    RoundFinished,
    Stop,
    Weigh,
    Weighed,
)
from app.core.weighing import Weighing
from app.engine.event_writer import EventWriter, WindowGoneError
from app.engine.failures import failure
from app.engine.stopping import InterruptedPassError, StopSignal

if TYPE_CHECKING:
    from app.engine.tokens import Tokens  # which imports native code

_READ_BYTES = 2**16
_PROGRESS_PAUSE_S = 0.05  # between two messages of progress

_Use = Generate | AddDraft | RemoveDraft | Weigh | MeasureCosts  # what needs a loaded model


class Pair(Protocol):
    """A loaded target, perhaps with its draft; see ModelPair."""

    @property
    def context_length(self) -> int: ...
    @property
    def has_draft(self) -> bool: ...
    @property
    def target_bytes(self) -> int: ...
    @property
    def draft_bytes(self) -> int: ...
    @property
    def refusal(self) -> Refusal | None: ...
    @property
    def draft_refusal(self) -> Refusal | None: ...
    @property
    def template_problem(self) -> TemplateError | None: ...

    def prompt_tokens(self, messages: Sequence[Message]) -> "Tokens": ...
    def generate(
        self,
        prompt: "Tokens",
        sampling: SamplingOptions,
        speculation: SpeculationOptions,
        limits: GenerationLimits,
        stop: StopSignal,
        on_prefill: Callable[[int, int], None] | None = None,
        *,
        draft: Path | None = None,
        trace: bool = False,
    ) -> Iterator[Round | Done]: ...
    def forget(self) -> None: ...
    def add_draft(self, path: Path, options: LoadOptions, stop: StopSignal) -> int | Refusal: ...
    def remove_draft(self, path: Path) -> None: ...
    def weigh(
        self,
        prompt: "Tokens",
        sampling: SamplingOptions,
        answer: Sequence[int],
        candidates: Sequence[int | None],
        stop: StopSignal,
    ) -> Weighing: ...
    def measure_costs(
        self,
        most: int,
        stop: StopSignal,
        draft: Path | None = None,
        on_progress: Callable[[int, int], None] | None = None,
    ) -> PassCosts: ...
    def prepare(
        self,
        speculation: SpeculationOptions,
        stop: StopSignal,
        on_progress: Callable[[int, int], None] | None = None,
        *,
        draft: Path | None = None,
        prompt: "Tokens | None" = None,
    ) -> PassCosts | None: ...
    def close(self) -> None: ...


class Loader(Protocol):
    """What loads pairs; see PairLoader."""

    def load(
        self,
        target: Path,
        draft: Path | None,
        options: LoadOptions,
        on_progress: Callable[[float], bool] | None = None,
    ) -> Pair: ...


class Engine(NamedTuple):
    """An opened engine: what it can do, and what loads models."""

    ready: Ready
    loader: Loader


def serve(commands: BinaryIO, events: BinaryIO, open_engine: Callable[[], Engine]) -> None:
    """Obeys until `commands` ends; then asks for a stop of what is under way, and waits for nothing.

    `commands` is unbuffered: its `read` gives what there is. Raises ProtocolError for what is no command,
    WindowGoneError, and whatever `open_engine` raises.
    """
    engine = open_engine()
    writer = EventWriter(events)
    worker = Worker(engine.loader, writer.send)
    frames = FrameReader()
    try:
        writer.send(engine.ready)
        while data := commands.read(_READ_BYTES):
            for content in frames.feed(data):
                worker.take(command_from(content))
    finally:
        worker.close()


class Worker:
    """Carries out requests, one after the other, on a thread of its own."""

    def __init__(self, loader: Loader, send: Callable[[Event], None]) -> None:
        self._loader = loader
        self._send = send
        self._pair: Pair | None = None
        self._stops: dict[int, StopSignal] = {}  # by request, from its arrival to its end
        self._requests: SimpleQueue[Request | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="engine", daemon=True)
        self._thread.start()

    def take(self, command: Command) -> None:
        """Accepts a request, or sets the stop signal of one. Does not wait."""
        if isinstance(command, Stop):
            stop = self._stops.get(command.request_id)
            if stop is not None:
                stop.set()
        else:
            self._stops[command.request_id] = StopSignal()
            self._requests.put(command)

    def close(self) -> None:
        """Stops what is under way and takes no more. Does not wait."""
        for stop in list(self._stops.values()):
            stop.set()
        self._requests.put(None)

    def _work(self) -> None:
        try:
            while (request := self._requests.get()) is not None:
                self._carry_out(request)
        except WindowGoneError:
            pass  # then there is nobody to work for
        finally:
            if self._pair is not None:
                self._pair.close()

    def _carry_out(self, request: Request) -> None:
        stop, id_ = self._stops[request.request_id], request.request_id
        try:
            event = self._load(request, stop) if isinstance(request, Load) else self._use(request, stop)
        except WindowGoneError:
            raise
        except InterruptedPassError:
            event = Failed(id_, FailureKind.CANCELLED, "This was stopped before it was done.")
        except Exception as error:  # noqa: BLE001 - all of them are told to the window
            event = failure(id_, error)
        del self._stops[id_]
        self._send(event)

    def _use(self, request: _Use, stop: StopSignal) -> Ending:
        pair, id_ = self._pair, request.request_id
        if pair is None:
            return Failed(id_, FailureKind.NOT_LOADED, "No model is loaded.")
        match request:
            case Generate():
                return self._generate(pair, request, stop)
            case AddDraft():
                added = pair.add_draft(request.draft, request.options, stop)
                if isinstance(added, Refusal):
                    return DraftAdded(id_, 0, added)
                return DraftAdded(id_, added, None)
            case RemoveDraft():
                pair.remove_draft(request.draft)
                return DraftRemoved(id_)
            case Weigh():
                prompt = pair.prompt_tokens(request.messages)
                found = pair.weigh(prompt, request.sampling, request.answer, request.candidates, stop)
                return Weighed(id_, found)
            case MeasureCosts():
                report = self._costs_report(id_)
                return CostsMeasured(id_, pair.measure_costs(request.most, stop, request.draft, report))

    def _load(self, request: Load, stop: StopSignal) -> Ending:
        if self._pair is not None:
            raise RuntimeError("this engine has loaded a model already")
        started = perf_counter()
        id_ = request.request_id
        report = _Throttle(lambda share, _: self._send(LoadProgressed(id_, share)))

        def on_progress(share: float) -> bool:
            report(share, 1.0)
            return not stop.is_set

        pair = self._loader.load(request.target, request.draft, request.options, on_progress)
        try:
            if stop.is_set:  # after the last time that it was asked for
                raise LoadCancelledError(f"Loading {request.target.name} was cancelled.")
            costs = pair.prepare(request.speculation, stop, self._costs_report(id_))
        except BaseException:
            pair.close()
            raise
        self._pair = pair
        return Loaded(
            request_id=id_,
            context_length=pair.context_length,
            has_draft=pair.has_draft,
            target_bytes=pair.target_bytes,
            draft_bytes=pair.draft_bytes,
            load_s=perf_counter() - started,
            refusal=pair.refusal,
            draft_refusal=pair.draft_refusal,
            template_problem=None if pair.template_problem is None else str(pair.template_problem),
            costs=costs,
        )

    def _generate(self, pair: Pair, request: Generate, stop: StopSignal) -> Ending:
        id_ = request.request_id
        prompt = pair.prompt_tokens(request.messages)
        if request.speculation.is_automatic:  # a fixed length can do without, and caches are worth more
            with suppress(InterruptedPassError):  # the answer hears the same stop, and ends as one stopped
                pair.prepare(
                    request.speculation,
                    stop,
                    self._costs_report(id_),
                    draft=request.draft,
                    prompt=None if request.fresh else prompt,  # what is read will be forgotten
                )
        if request.fresh:
            pair.forget()
        report = _Throttle(lambda done, of: self._send(Prefilled(id_, int(done), int(of))))
        for event in pair.generate(
            prompt,
            request.sampling,
            request.speculation,
            request.limits,
            stop,
            report,
            draft=request.draft,
            trace=request.trace,
        ):
            if isinstance(event, Done):
                return Finished(id_, event)
            self._send(RoundFinished(id_, event))
        raise RuntimeError("the answer ended without its totals")

    def _costs_report(self, id_: int) -> Callable[[int, int], None]:
        return _Throttle(lambda done, of: self._send(CostsProgressed(id_, int(done), int(of))))


class _Throttle:
    """Passes progress on at most twenty times a second, its end always."""

    def __init__(self, report: Callable[[float, float], None]) -> None:
        self._report = report
        self._next = 0.0

    def __call__(self, done: float, of: float) -> None:
        now = monotonic()
        if now >= self._next or done >= of:
            self._next = now + _PROGRESS_PAUSE_S
            self._report(done, of)
