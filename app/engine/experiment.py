"""Carrying out an on/off experiment with a loaded pair; schedule and figures are core.compare's."""

from collections.abc import Callable, Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.core.chat import Message, Role
from app.core.compare import FirstDifference, Mode, PlannedRun, Run, schedule
from app.core.options import GenerationLimits, SamplingOptions, SpeculationMode, SpeculationOptions
from app.core.prompts import Prompt
from app.core.protocol import Done
from app.engine.pair import ModelPair
from app.engine.stopping import StopSignal
from app.engine.thread import EngineThread
from app.engine.tokens import Tokens

OnRun = Callable[[PlannedRun, int, int], None]  # what comes next, runs done, runs in all


class Plan(Struct, frozen=True):
    """What is compared. `speculation.mode` is each run's own."""

    modes: tuple[Mode, ...]
    prompts: tuple[Prompt, ...]
    repeats: int
    sampling: SamplingOptions
    speculation: SpeculationOptions
    limits: GenerationLimits


class Laboratory:
    """Runs plans on one pair, each run from empty caches and with the same seed."""

    def __init__(self, engine: EngineThread, pair: ModelPair, plan: Plan) -> None:
        """`engine` is the thread on which the pair was loaded."""
        self._engine = engine
        self._pair = pair
        self._plan = plan
        self._prompts = {prompt.id: self._tokens(prompt) for prompt in plan.prompts}

    def run(self, on_run: OnRun) -> tuple[Run, ...]:
        """All planned runs in interleaved order; an unrecorded short one first warms the machine up."""
        plan = self._plan
        order = schedule(plan.modes, [prompt.id for prompt in plan.prompts], plan.repeats)
        self._answer(order[0], replace(plan.limits, max_tokens=8))
        runs = []
        for done, planned in enumerate(order):
            on_run(planned, done, len(order))
            runs.append(self._answer(planned, plan.limits))
        return tuple(runs)

    def explain(self, off: Run, difference: FirstDifference) -> FirstDifference:
        """A first difference with the texts of both tokens and the target's logits for them."""
        texts = [self._text(token) for token in (difference.expected, difference.found)]
        explained = difference.with_texts(*texts)
        if difference.expected is None or difference.found is None:
            return explained
        prefix = np.array(off.tokens[: difference.position], np.int32)
        text = np.concatenate((self._prompts[off.prompt], prefix))
        row = self._engine.call(lambda: self._pair.logits_after(text))
        return explained.with_logits(float(row[difference.expected]), float(row[difference.found]))

    def _answer(self, planned: PlannedRun, limits: GenerationLimits) -> Run:
        pair, stop = self._pair, StopSignal()
        pair.forget()
        mode = SpeculationMode(planned.mode.value)
        speculation = replace(self._plan.speculation, mode=mode)
        prompt = self._prompts[planned.prompt]
        events = pair.generate(prompt, self._plan.sampling, speculation, limits, stop)
        tokens: list[int] = []
        text = ""
        for event in self._engine.iterate(events, stop):
            text += "".join(piece.text for piece in event.pieces)
            if isinstance(event, Done):
                stats = event.stats
            else:
                tokens += event.tokens
        if mode is not SpeculationMode.DRAFT_MODEL:
            peak = stats.peak_rss_bytes - pair.draft_bytes  # loaded for the other runs, idle in this one
            stats = replace(stats, peak_rss_bytes=peak)
        return Run(planned.mode, planned.prompt, planned.repeat, tuple(tokens), text, stats)

    def _tokens(self, prompt: Prompt) -> Tokens:
        return self._pair.prompt_tokens(messages_of(prompt))

    def _text(self, token: int | None) -> str | None:
        return None if token is None else self._pair.target.vocabulary.special_text(token)


def messages_of(prompt: Prompt) -> Sequence[Message]:
    """A prompt as the beginning of a conversation."""
    system = [Message(Role.SYSTEM, prompt.system)] if prompt.system else []
    return [*system, Message(Role.USER, prompt.text)]
