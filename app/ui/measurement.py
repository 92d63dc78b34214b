"""What a comparison has measured so far, and the experiment that it makes."""

import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from app.core.answer_text import AnswerText
from app.core.compare import Place, deviations, summarise, totals
from app.core.experiment import Experiment, FirstDifference, MemoryUse, Plan, PlannedRun, Run
from app.core.protocol import Done, Round, Weighed
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
        self._seconds: list[tuple[str, float]] = []  # of each run, with its variant
        self._draft_bytes: dict[Path, int] = {}
        self._differences: dict[Place, FirstDifference] = {}
        self._began = 0.0
        self._tokens: list[int] = []
        self._text = AnswerText()
        self._rounds = 0

    @property
    def run_count(self) -> int:
        """How many runs have ended."""
        return len(self._runs)

    def draft_of(self, variant: str) -> Path | None:
        """The added draft model that a variant uses; None where the one loaded with the target serves it."""
        return self._drafts.get(variant)

    def begin(self) -> None:
        """A run begins; what there was of one that did not end is forgotten."""
        self._began = self._clock()
        self._tokens.clear()
        self._text = AnswerText()
        self._rounds = 0

    def add(self, round_: Round) -> None:
        """A round of it."""
        self._tokens += round_.tokens
        self._rounds += 1
        self._text.add(round_.pieces, self._rounds)

    def end(self, planned: PlannedRun, done: Done) -> Run:
        """It has ended, and counts."""
        self._text.add(done.pieces, self._rounds)
        run = Run(
            variant=planned.variant,
            prompt=planned.prompt,
            repeat=planned.repeat,
            tokens=tuple(self._tokens),
            text=self._text.text,
            stats=done.stats,
            spans=self._text.spans,
        )
        self._runs.append(run)
        self._seconds.append((planned.variant, self._clock() - self._began))
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
        self._differences = {place: each.difference for place, each in found.items()}
        return [WeighDifference(place, each) for place, each in found.items()]

    def weigh(self, place: Place, weighed: Weighed) -> None:
        """What the target thinks of the tokens there, in the order of `candidates`."""
        difference = self._differences[place]
        found: dict[int | None, tuple[str, float]] = dict(
            zip(candidates(difference), zip(weighed.texts, weighed.logits, strict=True), strict=True)
        )
        expected, other = found.get(difference.expected), found.get(difference.found)
        difference = difference.with_texts(
            None if expected is None else expected[0],
            None if other is None else other[0],
            weighed.text_length,
        )
        if expected is not None and other is not None:
            difference = difference.with_logits(expected[1], other[1])
        self._differences[place] = difference

    def experiment(self) -> Experiment:
        """All of it. Takes a while where there are many runs, and may be called in another thread."""
        plan, runs = self.plan, tuple(self._runs)
        found = {place: each.difference for place, each in deviations(runs, plan.variants).items()}
        summary = summarise(runs, plan.variants, found | self._differences)
        return Experiment(
            created=self._created,
            kind=plan.kind,
            machine=self._facts.machine,
            target=self._facts.target,
            variants=plan.variants,
            prompts=plan.prompts,
            repeats=plan.repeats,
            load=self._running.setup.config.load,
            sampling=plan.sampling,
            limits=plan.limits,
            memory=self._memory(),
            runs=runs,
            summary=summary,
            totals=totals(runs, summary),
            is_complete=len(runs) == len(plan.variants) * len(plan.prompts) * plan.repeats,
        )

    def _memory(self) -> MemoryUse:
        loaded = self._running.loaded
        by_variant = {
            variant.id: loaded.draft_bytes if path is None else self._draft_bytes[path]
            for variant in self.plan.variants
            if variant.draft is not None
            for path in [self.draft_of(variant.id)]
        }
        peaks = [run.stats.peak_rss_bytes for run in self._runs]
        return MemoryUse(loaded.target_bytes, by_variant, max(peaks, default=0))


def candidates(difference: FirstDifference) -> tuple[int, ...]:
    """The tokens that part at a difference, the expected one first; one of them where an output had ended."""
    return tuple(token for token in (difference.expected, difference.found) if token is not None)
