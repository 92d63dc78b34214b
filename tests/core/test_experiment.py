"""Experiments: what they hold."""

import pytest
from msgspec.structs import replace

from app.core.errors import OptionsError
from app.core.experiment import (
    NEAR_TIE,
    ExperimentKind,
    FirstDifference,
    Interval,
    Plan,
    reference_of,
)
from app.core.options import GenerationLimits, SamplingOptions
from app.core.weighing import Weighing
from tests.fakes.experiments import (
    CODE,
    DRAFTED,
    LOOKUP,
    OFF,
    prompt_experiment,
    run_of,
    suite_experiment,
    trace_of,
)


class TestLookingThingsUp:
    def test_a_variant_by_its_id(self) -> None:
        assert prompt_experiment().variant("draft") == DRAFTED
        with pytest.raises(KeyError):
            prompt_experiment().variant("warp")

    def test_summaries_and_runs_of_a_place(self) -> None:
        experiment = suite_experiment(ended_runs=7)
        found = experiment.summary_of("off", CODE.id)
        assert found is not None
        assert (found.variant, found.prompt, found.runs) == ("off", CODE.id, 3)
        assert experiment.summary_of("draft", "copy-letter") is None
        assert [run.repeat for run in experiment.runs_of("lookup", CODE.id)] == [0, 1]
        assert experiment.runs_of("lookup", "copy-letter") == ()


def test_the_reference_is_plain_generation_or_else_the_first() -> None:
    assert reference_of((DRAFTED, OFF, LOOKUP)) == OFF
    assert reference_of((LOOKUP, DRAFTED)) == LOOKUP


def test_a_plan_finds_its_variants_and_checks_itself() -> None:
    plan = Plan(ExperimentKind.PROMPT, (OFF, DRAFTED), (CODE,), 1, SamplingOptions(), GenerationLimits())
    plan.check()
    assert plan.variant("draft") == DRAFTED
    with pytest.raises(OptionsError, match="A mode is named twice"):
        replace(plan, variants=(OFF, OFF)).check()


BARE = FirstDifference(3, 10, 20)


@pytest.mark.parametrize(
    ("margin", "near_tie"), [(0.0, True), (NEAR_TIE / 2, True), (NEAR_TIE * 2, False), (None, False)]
)
def test_a_draw_that_was_near_is_a_near_tie_whatever_the_logits(margin: float | None, near_tie: bool) -> None:
    assert BARE.near_tie is None
    found = BARE.weighed(Weighing((14.0, 9.0), (" a", " b"), 17, margin))
    assert found == FirstDifference(3, 10, 20, " a", " b", 14.0, 9.0, near_tie, 17, margin)


def test_the_end_of_an_answer_has_a_logit_and_no_text() -> None:
    ended = FirstDifference(3, None, 20).weighed(Weighing((5.0, 5.25), ("<end>", " b"), 17, 0.25))
    assert ended == FirstDifference(3, None, 20, None, " b", 5.0, 5.25, True, 17, 0.25)


def test_where_there_was_nothing_to_weigh_the_token_has_its_text() -> None:
    ended = FirstDifference(3, 10, None).weighed(Weighing((5.0,), (" a",), 17))
    assert ended == FirstDifference(3, 10, None, expected_text=" a", text_position=17)


def test_an_interval_contains_its_bounds() -> None:
    interval = Interval(0.98, 1.04)
    assert [interval.contains(value) for value in (0.97, 0.98, 1.0, 1.04, 1.05)] == [
        False,
        True,
        True,
        True,
        False,
    ]


def test_experiments_on_paper_are_what_their_runs_say() -> None:
    experiment = prompt_experiment(traced=True)
    (trace,) = experiment.traces
    assert trace == trace_of(DRAFTED)
    assert sum(round_.stats.emitted for round_ in trace.rounds) == 96
    tokens = [
        token
        for round_ in trace.rounds
        for token in (*(each.token for each in round_.tested[: round_.accepted]), round_.next_token)
    ]
    assert tuple(tokens) == experiment.runs_of("draft", CODE.id)[0].tokens
    assert run_of(DRAFTED, 16.6).stats.tok_per_s == pytest.approx(16.6)
