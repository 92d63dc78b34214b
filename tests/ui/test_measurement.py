"""What is known while a comparison is under way."""

from pathlib import Path

import pytest

from app.core.experiment import FirstDifference, ModelIdentity, PlannedRun
from app.core.machine import Machine
from app.core.options import SpeculationMode, SpeculationOptions
from app.core.protocol import Round
from app.core.stats import StopReason
from app.core.weighing import Weighing
from app.ui.comparison_facts import Facts, with_identities
from app.ui.comparison_steps import added_drafts
from app.ui.measurement import Measurement
from app.ui.side import Side
from tests.fakes.pretended_trials import measured, measured_rounds
from tests.fakes.setups import DRAFT, TARGET, drafted, loaded, plain
from tests.fakes.watched_comparison import drafted as drafting
from tests.fakes.watched_comparison import lookup, off, plan_of

MACHINE = Machine("Example CPU", 4, 8, 24_000_000_000, "Example OS", "3.11", "llama-cpp-python 0.3")
TARGET_IDENTITY = ModelIdentity(TARGET.name, "F16", "target.gguf", 1)
FACTS = Facts(MACHINE, TARGET_IDENTITY, {DRAFT.path: ModelIdentity(DRAFT.name, "Q4_K_M", "draft.gguf", 1)})
SIDES = [off(), lookup()]
NOTHING = measured((), uses_draft=False, reason=StopReason.MAX_TOKENS)


class Watch:
    """A clock that a test sets."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def measurement(sides: list[Side] = SIDES, clock: Watch | None = None) -> Measurement:
    plan = with_identities(plan_of(sides, repeats=3), sides, FACTS)
    return Measurement(plan, plain(), FACTS, {}, clock or Watch())


def answer(made: Measurement, variant: str, *rounds: Round) -> None:
    """A whole run."""
    made.begin(PlannedRun(variant, "hello", 0))
    rounds = rounds or measured_rounds(SpeculationOptions(), differs=False, trace=False)
    for round_ in rounds:
        made.add(round_)
    done = measured(rounds, uses_draft=False, reason=StopReason.END_OF_GENERATION)
    made.end(done)


def test_the_time_left_is_reckoned_by_variant() -> None:
    clock = Watch()
    made = measurement(clock=clock)
    left = [PlannedRun("off", "hello", 1), PlannedRun("lookup", "hello", 1)]
    assert made.seconds_left(left) is None
    made.begin(PlannedRun("off", "hello", 0))
    clock.now = 10.0
    made.end(NOTHING)
    assert made.seconds_left(left) == pytest.approx(20.0)  # of the other one nothing is known yet
    made.begin(PlannedRun("lookup", "hello", 0))
    clock.now = 14.0
    made.end(NOTHING)
    assert made.seconds_left(left) == pytest.approx(14.0)
    assert made.seconds_left([]) == 0.0


def test_a_run_that_did_not_end_leaves_nothing() -> None:
    made = measurement()
    made.begin(PlannedRun("off", "hello", 0))
    made.add(measured_rounds(SpeculationOptions(), differs=False, trace=False)[0])
    answer(made, "off")

    assert made.run_count == 1
    assert len(made.experiment().runs[0].tokens) == 5


def test_a_round_without_a_run_is_a_fault() -> None:
    made = measurement()
    answer(made, "off")
    with pytest.raises(RuntimeError, match="no run"):
        made.add(measured_rounds(SpeculationOptions(), differs=False, trace=False)[0])
    with pytest.raises(RuntimeError, match="no run"):
        made.end(NOTHING)


def test_an_output_that_ended_early_is_weighed_against_going_on() -> None:
    made = measurement()
    answer(made, "off")
    lookup_rounds = measured_rounds(
        SpeculationOptions(SpeculationMode.PROMPT_LOOKUP), differs=False, trace=False
    )
    answer(made, "lookup", *lookup_rounds[:2])
    (step,) = made.differences()
    assert (step.deviation.difference.expected, step.deviation.difference.found) == (5, None)
    assert (step.deviation.shared, step.deviation.candidates) == ((5,) * 3, (5, None))
    made.weigh(step, Weighing((3.0, 2.5), ("word ", "<end>"), 15, 0.5))
    difference = made.experiment().summary[1].first_difference

    assert difference == FirstDifference(
        3, 5, None, "word ", None, 3.0, 2.5, near_tie=True, text_position=15, margin=0.5
    )


def test_only_draft_models_that_are_not_in_memory_are_added() -> None:
    sides = [off(), drafting(DRAFT), lookup()]

    assert added_drafts(sides, drafted()) == {}
    assert added_drafts(sides, plain()) == {"draft": DRAFT.path}


def test_memory_is_told_by_variant() -> None:
    sides = [off(), drafting(DRAFT)]
    plan = with_identities(plan_of(sides), sides, FACTS)
    with_the_target = Measurement(plan, drafted(), FACTS, {}).experiment()
    assert with_the_target.memory.draft_bytes == {"draft": loaded().draft_bytes}
    beside = Measurement(plan, plain(), FACTS, {"draft": DRAFT.path})
    beside.add_draft(DRAFT.path, 12_345)
    assert beside.experiment().memory.draft_bytes == {"draft": 12_345}
    assert beside.draft_of("draft") == Path("/models/draft.gguf")
    assert beside.draft_of("off") is None
