"""A child process that speaks the engine's protocol and misbehaves on request.

`python fake_engine.py MOMENT:ACTION ...`. Moments: start (before Ready), load, prompt, answer (after each
round), stop, end (of the input), idle (when a model is loaded), term (SIGTERM). Actions: see `_ACTIONS`,
besides `ignore` for stop, end and term, and `version` for start. `ACTION@FILE` does it only where FILE is
missing, and makes it: once, over all children.

A prompt of "wait" is answered until it is stopped, "refuse" is refused, "echo" gets the request back, and
any other three rounds. A target called "slow.gguf" loads until it is stopped, "broken.gguf" cannot be
loaded, and a draft called "misfit.gguf" does not fit.
"""

import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

from app.core.protocol import (
    VERSION,
    Done,
    Event,
    Failed,
    FailureKind,
    Finished,
    FrameReader,
    Generate,
    Load,
    Loaded,
    LoadProgressed,
    Obstacle,
    Prefilled,
    Ready,
    Refusal,
    Round,
    RoundFinished,
    Stop,
    TextPiece,
    command_from,
    frame,
)
from app.core.stats import DraftSource, RoundStats, StatsRecorder, StopReason

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
        self._is_loading = False
        if rules.get("term") == "ignore":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)

    def start(self) -> None:
        """Says that it is ready, or does otherwise."""
        self.reach("start")
        version = VERSION + 1 if self._rules.get("start") == "version" else VERSION
        send(Ready(version, READY.engine_version, READY.supports_gpu, READY.threads))
        _say(f"{LOG_LINE}\n")

    def obey(self, command: Load | Generate | Stop) -> None:
        """Carries out a command as told by the rules."""
        match command:
            case Load():
                self._load(command)
            case Generate():
                self._generate(command)
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
            self._is_loading = True
            return
        refusal = None
        if load.draft is not None and load.draft.name == "misfit.gguf":
            refusal = Refusal(Obstacle.INCOMPATIBLE, "misfit.gguf does not fit.")
        send(
            Loaded(
                id_,
                context_length=load.options.context_length,
                has_draft=load.draft is not None and refusal is None,
                target_bytes=1000,
                draft_bytes=100,
                load_s=0.1,
                refusal=None,
                draft_refusal=refusal,
                template_problem=None,
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

    def _stop(self, command: Stop) -> None:
        if self._is_loading:
            send(Failed(command.request_id, FailureKind.CANCELLED, "The load was cancelled."))
        else:
            send(Finished(command.request_id, done(StopReason.STOPPED)))


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
