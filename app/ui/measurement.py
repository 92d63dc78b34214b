"""What a comparison has measured so far, and the experiment that it makes."""

import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from app.core.compare import experiment_of
from app.core.deviations import Place, deviations
from app.core.experiment import Experiment, FirstDifference, MemoryUse, Plan, PlannedRun, Run
from app.core.protocol import Done, Round
from app.core.run_record import RunRecord
from app.core.weighing import Weighing
from app.ui.comparison_facts import Facts
from app.ui.comparison_steps import WeighDifference
from app.ui.session_state import Running


class Measurement:
    """Collects rounds into runs, and runs into an experiment. One for each comparison."""

    def __init__(
        self,
        plan: Plan,
        running: Running,
        facts: Facts,
        drafts: dict[str, Path],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`plan` names the draft models by their identities; `drafts` are those added, by variants' ids."""
        self.plan = plan
        self._running = running
        self._facts = facts
        self._drafts = drafts
        self._clock = clock
        self._created = time.time()
        self._runs: list[Run] = []
        self._record: RunRecord | None = None  # of the run under way
        self._seconds: list[tuple[str, float]] = []  # of each run, with its variant
        self._draft_bytes: dict[Path, int] = {}
        self._differences: dict[Place, FirstDifference] = {}
        self._began = 0.0

    @property
    def context_length(self) -> int:
        """Tokens that a prompt and its answer can have together."""
        return self._running.loaded.context_length

    @property
    def run_count(self) -> int:
        """How many runs have ended."""
        return len(self._runs)

    def draft_of(self, variant: str) -> Path | None:
        """The added draft model that a variant uses; None where the one loaded with the target serves it."""
        return self._drafts.get(variant)

    def begin(self, planned: PlannedRun) -> None:
        """A run begins; what there was of one that did not end is forgotten."""
        self._began = self._clock()
        self._record = RunRecord(planned)

    def add(self, round_: Round) -> None:
        """A round of it."""
        if self._record is None:
            raise RuntimeError("no run has begun")
        self._record.add(round_)

    def end(self, done: Done) -> Run:
        """It has ended, and counts."""
        if self._record is None:
            raise RuntimeError("no run has begun")
        run, self._record = self._record.end(done), None
        self._runs.append(run)
        self._seconds.append((run.variant, self._clock() - self._began))
        return run

    def seconds_left(self, left: Sequence[PlannedRun]) -> float | None:
        """How long these runs will take if they are like those that have ended; None before the first."""
        if not self._seconds:
            return None
        mean = statistics.fmean(seconds for _, seconds in self._seconds)
        means = {
            variant: statistics.fmean(seconds for id_, seconds in self._seconds if id_ == variant)
            for variant in {id_ for id_, _ in self._seconds}
        }
        return sum(means.get(planned.variant, mean) for planned in left)

    def add_draft(self, path: Path, grown_by: int) -> None:
        """A draft model was put into memory, which made the process grow by so many bytes."""
        self._draft_bytes[path] = grown_by

    def differences(self) -> list[WeighDifference]:
        """The places where outputs leave the reference's."""
        found = deviations(self._runs, self.plan.variants)
        return [WeighDifference(place, each) for place, each in found.items()]

    def weigh(self, step: WeighDifference, found: Weighing) -> None:
        """What the target thinks of the candidates there."""
        self._differences[step.place] = step.deviation.difference.weighed(found)

    def experiment(self) -> Experiment:
        """All of it. Takes a while where there are many runs, and may be called in another thread."""
        return experiment_of(
            self.plan,
            self._runs,
            self._differences,
            created=self._created,
            machine=self._facts.machine,
            target=self._facts.target,
            load=self._running.setup.config.load,
            memory=self._memory(),
        )

    def _memory(self) -> MemoryUse:
        loaded = self._running.loaded
        by_variant = {
            variant.id: loaded.draft_bytes if path is None else self._draft_bytes[path]
            for variant in self.plan.variants
            if variant.draft is not None
            for path in [self.draft_of(variant.id)]
        }
        return MemoryUse(loaded.target_bytes, by_variant)
