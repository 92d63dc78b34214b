"""Rows and totals of a suite."""

from collections.abc import Mapping

import pytest

from app.core.experiment import Experiment, ExperimentKind
from app.core.gain import Gain
from app.core.prompts import Prompt
from app.core.suite_result import SuiteResult, suite_result
from tests.fakes.experiments import (
    CODE,
    DRAFTED,
    OFF,
    different,
    experiment_of,
    suite_experiment,
)
from tests.fakes.measured_answers import ANSWER

SORTING, SEARCHING, TALE = (
    Prompt("code-sort", "Sort.", suite="code"),
    Prompt("code-search", "Search.", suite="code"),
    Prompt("story-tale", "Tell.", suite="story"),
)


def measured(gains: Mapping[str, float], *, ended_runs: int | None = None, repeats: int = 1) -> Experiment:
    return experiment_of(
        ExperimentKind.SUITE,
        prompts=(SORTING, SEARCHING, TALE),
        repeats=repeats,
        speeds=lambda planned: 10.0 * (1.0 if planned.variant == OFF.id else gains[planned.prompt]),
        ended_runs=ended_runs,
    )


def result_of(experiment: Experiment) -> SuiteResult:
    return suite_result(experiment.prompts, DRAFTED, OFF, experiment.summary)


def test_a_kind_of_several_prompts_has_a_total_and_so_has_the_whole() -> None:
    result = result_of(measured({"code-sort": 2.0, "code-search": 1.5, "story-tale": 0.8}))
    assert [(row.kind, row.prompt, row.prompts) for row in result.rows] == [
        ("code", "code-sort", 1),
        ("code", "code-search", 1),
        ("code", None, 2),
        ("story", "story-tale", 1),
        (None, None, 3),
    ]


def test_totals_are_geometric_means() -> None:
    """A speed-up of 2 and one of 1/2 come to nothing, whichever way round."""
    result = result_of(measured({"code-sort": 2.0, "code-search": 0.5, "story-tale": 1.0}))
    total = result.rows[2]
    assert total.speedup == pytest.approx(1.0)
    assert total.reference_rate == pytest.approx(10.0)
    assert total.rate == pytest.approx(10.0)
    assert result.speedup == pytest.approx(1.0)
    assert result.gain is Gain.EVEN


def test_kinds_come_best_first_and_prompts_are_counted() -> None:
    result = result_of(measured({"code-sort": 2.0, "code-search": 1.02, "story-tale": 0.8}))
    assert [kind.kind for kind in result.kinds] == ["code", "story"]
    assert (result.faster, result.slower, result.even, result.compared) == (1, 1, 1, 3)


def test_acceptance_of_a_total_counts_tokens() -> None:
    experiment = measured({"code-sort": 2.0, "code-search": 1.5, "story-tale": 0.8})
    own = [each for each in experiment.summary if each.variant == DRAFTED.id]
    whole = result_of(experiment).rows[-1]
    assert whole.acceptance_rate == sum(each.accepted for each in own) / sum(each.tested for each in own)


def test_while_it_runs_there_are_rows_for_what_has_ended() -> None:
    result = result_of(measured({"code-sort": 2.0, "code-search": 1.5, "story-tale": 0.8}, ended_runs=3))
    half = result.rows[1]  # the order turns round with each prompt: drafting came first here
    assert (half.prompt, half.speedup) == ("code-search", None)
    assert half.rate == pytest.approx(15.0)
    assert half.gain is None
    assert half.identical is None
    assert result.rows[-1].speedup == pytest.approx(2.0)  # of the one that can be compared
    assert result.compared == 1


def test_nothing_has_no_rows() -> None:
    result = suite_result((SORTING,), DRAFTED, OFF, ())
    assert result == SuiteResult((), (), 0, 0, 0, None)
    assert result.gain is None


def test_without_a_speed_there_is_no_speedup() -> None:
    experiment = experiment_of(ExperimentKind.SUITE, answers=lambda _: ANSWER[:1])
    (row,) = result_of(experiment).rows
    assert (row.prompt, row.rate, row.speedup, row.identical) == (CODE.id, None, None, True)


@pytest.mark.parametrize("near_tie", [True, False])
def test_one_prompt_that_differs_makes_the_whole_differ(near_tie: bool) -> None:
    experiment = experiment_of(
        ExperimentKind.SUITE,
        prompts=(SORTING, SEARCHING),
        answers=lambda planned: (
            different(ANSWER) if (planned.variant, planned.prompt) == (DRAFTED.id, "code-sort") else ANSWER
        ),
        near_tie=near_tie,
    )
    rows = result_of(experiment).rows
    assert [row.identical for row in rows] == [False, True, False]
    assert [row.near_ties_only for row in rows] == [near_tie, False, near_tie]


def test_any_variant_can_be_compared() -> None:
    experiment = suite_experiment()
    lookup = experiment.variant("lookup")
    result = suite_result(experiment.prompts, lookup, OFF, experiment.summary)
    assert [row.speedup for row in result.rows[:3]] == pytest.approx([2.0, 0.9, 2.6])
