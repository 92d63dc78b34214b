"""A child process that speaks the engine's protocol and misbehaves on request.

`python fake_engine.py MOMENT:ACTION ...`. Moments: start (before Ready), load, prompt, answer (after each
round), stop, end (of the input), idle (when a model is loaded), term (SIGTERM), draft (one more is to be
loaded), weigh, measure. Actions: see `_ACTIONS`, besides `ignore` for stop, end and term, `version` for
start, and `wait` for weigh and measure, which then go on until they are stopped. `ACTION@FILE` does it only
where FILE is missing, and makes it: once, over all children.

A prompt of "wait" is answered until it is stopped, "refuse" is refused, "echo" gets the request back, and
any other three rounds. A target called "slow.gguf" loads until it is stopped, "broken.gguf" cannot be
loaded, and a draft called "misfit.gguf" does not fit; the same for drafts that are added. Fresh answers are
those of `pretended_trials`; where their prompt is "differ", drafting changes the last token.
"""

import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from app.core.framing import FrameReader, command_from, frame
from app.core.options import SpeculationMode
from app.core.protocol import (
    VERSION,
    AddDraft,
    Command,
    CostsMeasured,
    CostsProgressed,
    Done,
    DraftAdded,
    DraftRemoved,
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
    RemoveDraft,
    Request,
    Round,
    RoundFinished,
    Stop,
    TextPiece,
    Weigh,
)
from app.core.stats import DraftSource, RoundStats, StatsRecorder, StopReason
from tests.fakes.pretended_trials import COSTS, DRAFT_BYTES, measured, measured_rounds, refusal_of, weighed

READY = Ready(VERSION, "fake 1.0", supports_gpu=False, threads=2)
ROUND = Round(
    (5,), (TextPiece("word ", False, 0, None),), RoundStats(DraftSource.NONE, 0, 0, 0, 1, 0.0, 0.01, 0.0)
)
LOG_LINE = "llama_something: a line of the log"


def main(rules: list[str]) -> None:
    """Obeys until the input ends."""
    engine = FakeEngine(dict(rule.split(":", 1) for rule in rules))
    engine.start()
    frames = FrameReader()
    while data := os.read(0, 65536):
        for content in frames.feed(data):
            engine.obey(command_from(content))
    engine.reach("end")


class FakeEngine:
    """The child's side."""

    def __init__(self, rules: dict[str, str]) -> None:
        self._rules = rules
        self._at_stop: Failed | Finished | None = None  # what a Stop is answered with; None: three rounds
        self._own_draft: Path | None = None  # loaded with the target
        self._drafts: set[Path] = set()  # that were added
        if rules.get("term") == "ignore":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)

    def start(self) -> None:
        """Says that it is ready, or does otherwise."""
        self.reach("start")
        version = VERSION + 1 if self._rules.get("start") == "version" else VERSION
        send(Ready(version, READY.engine_version, READY.supports_gpu, READY.threads))
        _say(f"{LOG_LINE}\n")

    def obey(self, command: Command) -> None:
        """Carries out a command as told by the rules."""
        match command:
            case Load():
                self._load(command)
            case Generate(fresh=True):
                self._measure(command)
            case Generate():
                self._generate(command)
            case AddDraft():
                self._add_draft(command)
            case RemoveDraft():
                self._drafts.discard(command.draft)
                send(DraftRemoved(command.request_id))
            case Weigh() if not self._waits("weigh", command):
                send(weighed(command))
            case MeasureCosts() if not self._waits("measure", command):
                self._measure_costs(command)
            case Stop() if self._rules.get("stop") != "ignore":
                self.reach("stop")
                self._stop(command)

    def reach(self, moment: str) -> None:
        """Does what the rules want at a moment."""
        action, _, once = self._rules.get(moment, "").partition("@")
        if once:
            if Path(once).exists():
                return
            Path(once).touch()
        if action in _ACTIONS:
            _ACTIONS[action]()
        elif action == "ignore" and moment == "end":
            hang()

    def _load(self, load: Load) -> None:
        id_ = load.request_id
        send(LoadProgressed(id_, 0.5))
        self.reach("load")
        if load.target.name == "broken.gguf":
            send(Failed(id_, FailureKind.LOAD, "broken.gguf cannot be loaded.", ("why not",)))
            return
        if load.target.name == "slow.gguf":
            self._at_stop = cancelled(id_)
            return
        costs = COSTS if load.speculation.mode is not SpeculationMode.OFF else None
        if costs is not None:
            send(CostsProgressed(id_, 1, 2))
        refusal = refusal_of(load.draft)
        self._own_draft = load.draft if refusal is None else None
        send(
            Loaded(
                id_,
                context_length=load.options.context_length,
                has_draft=self._own_draft is not None,
                target_bytes=1000,
                draft_bytes=100,
                load_s=0.1,
                refusal=None,
                draft_refusal=refusal,
                template_problem=None,
                costs=costs,
            )
        )
        self.reach("idle")

    def _generate(self, request: Generate) -> None:
        id_ = request.request_id
        text = request.messages[-1].content
        if text == "refuse":
            send(Failed(id_, FailureKind.PROMPT_TOO_LONG, "Too long."))
            return
        send(Prefilled(id_, 1, 2))
        self.reach("prompt")
        send(Prefilled(id_, 2, 2))
        if text == "echo":  # the request as the engine sees it
            words = f"{[m.content for m in request.messages]} seed {request.sampling.seed}"
            send(RoundFinished(id_, Round((5,), (TextPiece(words, False, 0, None),), ROUND.stats)))
        for _ in range(3):
            send(RoundFinished(id_, ROUND))
            self.reach("answer")
        if text != "wait":
            send(Finished(id_, done(StopReason.END_OF_GENERATION)))

    def _measure(self, request: Generate) -> None:
        """A fresh answer."""
        id_ = request.request_id
        text = request.messages[-1].content
        if text == "refuse":
            send(Failed(id_, FailureKind.PROMPT_TOO_LONG, "Too long."))
            return
        if self._lacks(id_, request.draft):
            return
        speculation = request.speculation
        uses_draft = speculation.mode is SpeculationMode.DRAFT_MODEL
        if uses_draft and request.draft is None and self._own_draft is None:
            uses_draft, speculation = False, replace(speculation, mode=SpeculationMode.OFF)
        rounds = measured_rounds(speculation, differs=text == "differ", trace=request.trace)
        send(Prefilled(id_, 7, 7))
        self.reach("prompt")
        for each in rounds:
            send(RoundFinished(id_, each))
            self.reach("answer")
        reason = StopReason.STOPPED if text == "wait" else StopReason.END_OF_GENERATION
        finished = Finished(id_, measured(rounds, uses_draft=uses_draft, reason=reason))
        if text == "wait":
            self._at_stop = finished
        else:
            send(finished)

    def _add_draft(self, request: AddDraft) -> None:
        id_, name = request.request_id, request.draft.name
        self.reach("draft")
        refusal = refusal_of(request.draft)
        if name == "broken.gguf":
            send(Failed(id_, FailureKind.LOAD, "broken.gguf cannot be loaded.", ("why not",)))
        elif name == "slow.gguf":
            self._at_stop = cancelled(id_)
        elif refusal is not None:
            send(DraftAdded(id_, 0, refusal))
        else:
            self._drafts.add(request.draft)
            send(DraftAdded(id_, DRAFT_BYTES, None))

    def _measure_costs(self, request: MeasureCosts) -> None:
        if self._lacks(request.request_id, request.draft):
            return
        has_draft = (request.draft or self._own_draft) is not None
        of = len(COSTS.lengths[: request.most])
        send(CostsProgressed(request.request_id, of - 1, of))
        costs = replace(COSTS, lengths=COSTS.lengths[:of], target_s=COSTS.target_s[:of])
        costs = costs if has_draft else replace(costs, draft_s=None)
        send(CostsMeasured(request.request_id, costs))

    def _lacks(self, request_id: int, draft: Path | None) -> bool:
        """Says so where a draft model was not added."""
        if draft in (None, self._own_draft, *self._drafts):
            return False
        send(Failed(request_id, FailureKind.OPTIONS, f"{draft} is not there."))
        return True

    def _waits(self, moment: str, request: Request) -> bool:
        self.reach(moment)
        if self._rules.get(moment) != "wait":
            return False
        self._at_stop = cancelled(request.request_id)
        return True

    def _stop(self, command: Stop) -> None:
        answer, self._at_stop = self._at_stop, None
        send(answer or Finished(command.request_id, done(StopReason.STOPPED)))


def cancelled(request_id: int) -> Failed:
    """The answer to a request that was stopped in time."""
    return Failed(request_id, FailureKind.CANCELLED, "This was stopped.")


def done(reason: StopReason) -> Done:
    """Totals of three rounds."""
    recorder = StatsRecorder(0.0, 7)
    for moment in range(1, 4):
        recorder.add(ROUND.stats, float(moment))
    return Done((), recorder.finish(reason, 1_000_000))


def send(event: Event) -> None:
    """Writes a whole frame."""
    os.write(1, frame(event))


def hang() -> None:
    """Hears nothing any more, not even the end of its input."""
    while True:
        time.sleep(60)


def _say(text: str) -> None:
    os.write(2, text.encode())


def _out_of_memory() -> None:
    _say("terminate called after throwing an instance of 'std::bad_alloc'\n  what():  std::bad_alloc\n")
    os.abort()


def _chatter() -> None:
    for number in range(1000):
        _say(f"line {number}\n")


_ACTIONS: dict[str, Callable[[], object]] = {
    "hang": hang,
    "abort": os.abort,
    "kill": lambda: os.kill(os.getpid(), 9),
    "exit0": lambda: os._exit(0),
    "exit7": lambda: os._exit(7),
    "exit137": lambda: os._exit(137),
    "bad_alloc": _out_of_memory,
    "junk": lambda: os.write(1, b"printf was here\n"),
    "nonsense": lambda: os.write(1, b"\x04\x00\x00\x00junk"),
    "half": lambda: (os.write(1, frame(LoadProgressed(1, 0.7))[:-3]), os._exit(7)),
    "stale": lambda: send(RoundFinished(999, ROUND)),
    "early": lambda: send(LoadProgressed(1, 0.1)),
    "again": lambda: send(READY),
    "chatter": _chatter,
    "unfinished_line": lambda: _say("GGML_ASSERT(x) failed"),
}


if __name__ == "__main__":
    main(sys.argv[1:])
