"""`slipstream chat`: a conversation in the terminal."""

import sys
import unicodedata
from argparse import Namespace
from collections.abc import Callable

from app.bootstrap import pair_loader
from app.commands.arguments import load_options, sampling_options, speculation_options
from app.commands.interrupts import load_progress, on_ctrl_c
from app.commands.preparation import prepare
from app.core.chat import Message, Role
from app.core.errors import PromptTooLongError, TemplateError
from app.core.options import GenerationLimits, SpeculationMode, SpeculationOptions
from app.core.protocol import Done, TextPiece
from app.core.stats import GenerationStats, StopReason
from app.engine.pair import ModelPair
from app.engine.stopping import StopSignal
from app.engine.thread import EngineThread
from app.engine.tokens import Tokens
from app.figures import bytes_text, duration_text, percent_text, rate_text, times_text
from app.tables import printable
from app.terminal import ProgressBar

_ACCEPTED = "\x1b[4;36m"  # underlined and coloured, so that it is told apart without colours too
_FAINT = "\x1b[2m"
_PLAIN = "\x1b[0m"

_ENDINGS = {
    StopReason.END_OF_GENERATION: "finished",
    StopReason.STOP_STRING: "stop string",
    StopReason.MAX_TOKENS: "token limit reached",
    StopReason.CONTEXT_FULL: "context full",
    StopReason.STOPPED: "stopped",
}


def run(arguments: Namespace) -> int:
    """Chats until the input ends; returns the exit code. Ctrl+C stops an answer, not the program."""
    mode = SpeculationMode.OFF if arguments.draft is None else SpeculationMode.DRAFT_MODEL
    mode = SpeculationMode.PROMPT_LOOKUP if arguments.lookup else mode
    with EngineThread() as engine:
        conversation = Conversation(
            engine,
            arguments,
            speculation_options(arguments, mode),
            [Message(Role.SYSTEM, arguments.system)] if arguments.system else [],
        )
        try:
            conversation.hold()
        finally:
            conversation.close()
    return 0


class Conversation:
    """The loaded pair, what was said, and how answers are generated."""

    def __init__(
        self,
        engine: EngineThread,
        arguments: Namespace,
        speculation: SpeculationOptions,
        messages: list[Message],
    ) -> None:
        self._engine = engine
        self._sampling = sampling_options(arguments)
        self._speculation = speculation
        self._limits = GenerationLimits(arguments.max_tokens, tuple(arguments.stop))
        self._messages = messages
        self._colours = sys.stdout.isatty()
        self._pair = _loaded(engine, arguments, speculation)

    def hold(self) -> None:
        """Asks, answers and asks again, until the input ends."""
        prepare(self._engine, self._pair, self._speculation)
        while True:
            try:
                text = input("> " if sys.stdin.isatty() else "")
            except (EOFError, KeyboardInterrupt):
                print()
                return
            if text.strip():
                self._reply(text)

    def close(self) -> None:
        """Frees the models."""
        self._pair.close()

    def _reply(self, text: str) -> None:
        asked = [*self._messages, Message(Role.USER, text)]
        try:
            prompt = self._pair.prompt_tokens(asked)
            answer, stats = self._answer(prompt)
        except (PromptTooLongError, TemplateError) as error:
            _complain(str(error))
            return
        self._messages = [*asked, Message(Role.ASSISTANT, answer)]
        faint, plain = (_FAINT, _PLAIN) if self._colours else ("", "")
        print(f"\n{faint}{summary(stats)}{plain}\n")

    def _answer(self, prompt: Tokens) -> tuple[str, GenerationStats]:
        """Streams one answer; Ctrl+C ends it where it is."""
        stop = StopSignal()
        text = ""
        with ProgressBar("Reading the prompt") as bar, on_ctrl_c(stop.set):
            events = self._pair.generate(
                prompt, self._sampling, self._speculation, self._limits, stop, _progress(bar)
            )
            for event in self._engine.iterate(events, stop):
                bar.clear()
                text += self._shown(event.pieces)
                if isinstance(event, Done):
                    stats = event.stats
        return text, stats

    def _shown(self, pieces: tuple[TextPiece, ...]) -> str:
        for piece in pieces:
            marked = self._colours and piece.from_draft
            text = _without_controls(piece.text)
            print(f"{_ACCEPTED}{text}{_PLAIN}" if marked else text, end="", flush=True)
        return "".join(piece.text for piece in pieces)


def summary(stats: GenerationStats) -> str:
    """One line under an answer."""
    parts = [rate_text(stats.tok_per_s), f"{stats.generated_tokens} tokens"]
    if stats.time_to_first_token_s is not None:
        parts.append(f"first after {duration_text(stats.time_to_first_token_s)}")
    if stats.tested:
        share = percent_text(stats.acceptance_rate)
        parts.append(f"accepted {stats.accepted} of {stats.tested} draft tokens ({share})")
        parts.append(f"{percent_text(stats.share_from_draft)} from the draft")
        if stats.estimated_speedup is not None:
            parts.append(f"about {times_text(stats.estimated_speedup)} plain (estimated)")
    return " · ".join([*parts, bytes_text(stats.peak_rss_bytes), _ENDINGS[stats.stop_reason]])


def _loaded(engine: EngineThread, arguments: Namespace, speculation: SpeculationOptions) -> ModelPair:
    options = load_options(arguments, speculation.longest)
    loader = engine.call(pair_loader)
    with load_progress() as show:
        pair = engine.call(lambda: loader.load(arguments.target, arguments.draft, options, show))
    refusal = pair.refusal or pair.draft_refusal  # the first says all where the target is the reason
    if refusal is not None:
        _complain(refusal.sentence)
    if pair.template_problem is not None:
        _complain(f"{pair.template_problem} A plain form is used instead.")
    return pair


def _complain(sentence: str) -> None:
    print(f"slipstream: {printable(sentence)}", file=sys.stderr)


def _progress(bar: ProgressBar) -> Callable[[int, int], None]:
    """Shows how much of a long prompt is read."""
    return lambda done, of: bar.update(done / of)


def _without_controls(text: str) -> str:
    """The text without what would move the cursor or change the terminal."""
    return "".join(each for each in text if each in "\n\t" or unicodedata.category(each) != "Cc")
