"""Carrying out a comparison with a loaded pair; schedule and figures are core.compare's."""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from app.core.compare import WARM_UP_TOKENS, schedule, warm_ups
from app.core.deviations import Deviation, Place, deviations
from app.core.experiment import FirstDifference, Plan, PlannedRun, Run
from app.core.options import GenerationLimits
from app.core.protocol import Done
from app.core.run_record import RunRecord
from app.engine.pair import ModelPair
from app.engine.stopping import StopSignal
from app.engine.thread import EngineThread

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
        """Where outputs differ, weighed by the target."""
        found = deviations(runs, self._plan.variants)
        return {place: self._weighed(deviation) for place, deviation in found.items()}

    def _weighed(self, deviation: Deviation) -> FirstDifference:
        prompt, sampling, stop = self._prompts[deviation.run.prompt], self._plan.sampling, StopSignal()
        found = self._engine.call(
            lambda: self._pair.weigh(prompt, sampling, deviation.shared, deviation.candidates, stop)
        )
        return deviation.difference.weighed(found)

    def _answer(self, planned: PlannedRun, limits: GenerationLimits) -> Run:
        pair, stop = self._pair, StopSignal()
        pair.forget()
        speculation = self._plan.variant(planned.variant).speculation
        prompt = self._prompts[planned.prompt]
        events = pair.generate(prompt, self._plan.sampling, speculation, limits, stop)
        record = RunRecord(planned)
        for event in self._engine.iterate(events, stop):
            if isinstance(event, Done):
                return record.end(event)
            record.add(event)
        raise RuntimeError("the answer ended without its totals")
