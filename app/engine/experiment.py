"""Carrying out a comparison with a loaded pair; schedule and figures are core.compare's."""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from app.core.answer_text import AnswerText
from app.core.compare import WARM_UP_TOKENS, Deviation, Place, deviations, schedule, warm_ups
from app.core.experiment import FirstDifference, Plan, PlannedRun, Run
from app.core.options import GenerationLimits
from app.core.protocol import Done
from app.engine.pair import ModelPair
from app.engine.stopping import StopSignal
from app.engine.thread import EngineThread
from app.engine.weighing import text_length

OnRun = Callable[[PlannedRun, int, int], None]  # what comes next, runs done, runs in all


class Laboratory:
    """Carries out a plan on one pair, each run from empty caches and with the same seed."""

    def __init__(self, engine: EngineThread, pair: ModelPair, plan: Plan) -> None:
        """`engine` is the thread on which the pair was loaded."""
        self._engine = engine
        self._pair = pair
        self._plan = plan
        self._prompts = {prompt.id: pair.prompt_tokens(prompt.messages) for prompt in plan.prompts}

    def run(self, on_run: OnRun) -> tuple[Run, ...]:
        """All planned runs in interleaved order, after short ones that warm the machine up.

        Raises OptionsError for a plan that cannot be carried out, and what `ModelPair.generate` raises.
        """
        plan = self._plan
        order = schedule(plan)
        for planned in warm_ups(plan):
            self._answer(planned, replace(plan.limits, max_tokens=WARM_UP_TOKENS))
        runs = []
        for done, planned in enumerate(order):
            on_run(planned, done, len(order))
            runs.append(self._answer(planned, plan.limits))
        return tuple(runs)

    def differences(self, runs: Sequence[Run]) -> dict[Place, FirstDifference]:
        """Where outputs differ, with the texts of both tokens and the target's logits for them."""
        found = deviations(runs, self._plan.variants)
        return {place: self._explained(deviation) for place, deviation in found.items()}

    def _explained(self, deviation: Deviation) -> FirstDifference:
        reference, difference = deviation.reference, deviation.difference
        before = reference.tokens[: difference.position]
        expected, found = difference.expected, difference.found
        if expected is None or found is None:  # nothing to weigh against the end
            length = text_length(self._pair.target.vocabulary, before)
            return difference.with_texts(self._text(expected), self._text(found), length)
        prompt, stop = self._prompts[reference.prompt], StopSignal()
        weighed = self._engine.call(lambda: self._pair.weigh(prompt, before, (expected, found), stop))
        named = difference.with_texts(self._text(expected), self._text(found), weighed.text_length)
        return named.with_logits(*weighed.logits)

    def _answer(self, planned: PlannedRun, limits: GenerationLimits) -> Run:
        pair, stop = self._pair, StopSignal()
        pair.forget()
        speculation = self._plan.variant(planned.variant).speculation
        prompt = self._prompts[planned.prompt]
        events = pair.generate(prompt, self._plan.sampling, speculation, limits, stop)
        tokens: list[int] = []
        text = AnswerText()
        rounds = 0
        for event in self._engine.iterate(events, stop):
            if isinstance(event, Done):
                stats = event.stats
            else:
                tokens += event.tokens
                rounds += 1
            text.add(event.pieces, rounds)
        return Run(
            planned.variant,
            planned.prompt,
            planned.repeat,
            tuple(tokens),
            text.text,
            stats,
            text.spans,
        )

    def _text(self, token: int | None) -> str | None:
        return None if token is None else self._pair.text_of(token)
