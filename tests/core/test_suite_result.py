"""Rows and totals of a suite."""

from collections.abc import Mapping

import pytest

from app.core.experiment import Experiment, ExperimentKind
from app.core.gain import Gain
from app.core.options import AcceptanceRule
from app.core.prompts import Prompt
from app.core.sameness import Sameness
from app.core.suite_result import SuiteResult, suite_result
from tests.fakes.experiments import (
    CODE,
    DRAFTED,
    LOOKUP,
    OFF,
    different,
    draft_variant,
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
    assert result.whole.speedup == pytest.approx(1.0)
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
    assert half.sameness is None
    assert result.rows[-1].speedup == pytest.approx(2.0)  # of the one that can be compared
    assert result.compared == 1


def test_nothing_has_no_rows() -> None:
    result = suite_result((SORTING,), DRAFTED, OFF, ())
    assert (result.rows, result.kinds, result.compared) == ((), (), 0)
    assert (result.gain, result.whole.speedup, result.whole.sameness) == (None, None, None)
    assert not result.scatters


def test_without_a_speed_there_is_no_speedup() -> None:
    experiment = experiment_of(ExperimentKind.SUITE, answers=lambda _: ANSWER[:1])
    (row,) = result_of(experiment).rows
    assert (row.prompt, row.rate, row.speedup, row.sameness) == (CODE.id, None, None, Sameness.IDENTICAL)


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
    result = result_of(experiment)
    changed = Sameness.NEAR_TIE if near_tie else Sameness.DIFFERS
    assert [row.sameness for row in result.rows] == [changed, Sameness.IDENTICAL, changed]
    assert (result.same, result.differing) == (1, 0 if near_tie else 1)
    assert result.is_faithful is near_tie


def test_any_variant_can_be_compared() -> None:
    experiment = suite_experiment()
    lookup = experiment.variant("lookup")
    result = suite_result(experiment.prompts, lookup, OFF, experiment.summary)
    assert [row.speedup for row in result.rows[:3]] == pytest.approx([2.0, 0.9, 2.6])


def noisy(gains: Mapping[str, tuple[float, float, float]]) -> SuiteResult:
    """Three runs of each prompt; plain ones are all equal."""
    return result_of(
        experiment_of(
            ExperimentKind.SUITE,
            prompts=(SORTING, SEARCHING, TALE),
            repeats=3,
            speeds=lambda planned: (
                10.0 * (1.0 if planned.variant == OFF.id else gains[planned.prompt][planned.repeat])
            ),
        )
    )


def test_totals_have_an_interval_from_those_of_their_prompts() -> None:
    result = noisy(
        {"code-sort": (1.9, 2.0, 2.1), "code-search": (1.4, 1.5, 1.6), "story-tale": (0.8, 0.81, 0.82)}
    )
    for total in (result.rows[2], result.whole):
        assert total.speedup is not None and total.interval is not None
        assert total.interval.low < total.speedup < total.interval.high
    assert result.kinds[1].interval == result.rows[3].interval  # a kind of one prompt
    assert (result.gain, result.scatters) == (Gain.FASTER, False)
    assert (result.whole.runs, result.rows[0].runs) == (3, 3)


def test_single_runs_have_none() -> None:
    result = result_of(measured({"code-sort": 2.0, "code-search": 1.5, "story-tale": 0.8}))
    assert (result.whole.interval, result.whole.runs) == (None, 1)


def test_where_no_prompt_shows_a_difference_there_is_none() -> None:
    """The mean of three wide intervals is narrower than each, and may exclude 1."""
    result = noisy(dict.fromkeys(("code-sort", "code-search", "story-tale"), (0.98, 1.2, 1.25)))
    assert result.whole.gain is Gain.FASTER
    assert result.gain is Gain.EVEN


def test_of_one_prompt_the_whole_is_what_it_is() -> None:
    experiment = experiment_of(
        ExperimentKind.SUITE, repeats=3, speeds=lambda planned: (8.0, 11.0, 14.0)[planned.repeat]
    )
    result = result_of(experiment)
    (row,) = result.rows
    assert (result.whole.interval, result.gain, row.gain) == (row.interval, Gain.EVEN, Gain.EVEN)
    assert result.scatters


@pytest.mark.parametrize(
    ("story", "depends"),
    [((1.0, 1.01, 1.02), True), ((1.9, 2.0, 2.1), False), ((1.0, 1.7, 2.4), False)],
)
def test_a_gain_depends_on_the_kind_only_beyond_the_noise(
    story: tuple[float, float, float], depends: bool
) -> None:
    code = (1.98, 2.0, 2.02)
    assert noisy({"code-sort": code, "code-search": code, "story-tale": story}).depends_on_kind is depends


@pytest.mark.parametrize(("story", "depends"), [(1.6, True), (1.98, False)])
def test_of_single_runs_more_is_asked(story: float, depends: bool) -> None:
    found = result_of(measured({"code-sort": 2.0, "code-search": 2.0, "story-tale": story}))
    assert found.depends_on_kind is depends


def test_a_rule_that_may_change_the_text_is_not_faithful_where_it_did_not() -> None:
    lossy = draft_variant(rule=AcceptanceRule.RATIO)
    experiment = experiment_of(ExperimentKind.SUITE, (OFF, lossy))
    result = suite_result(experiment.prompts, lossy, OFF, experiment.summary)
    assert result.whole.sameness is Sameness.IDENTICAL
    assert not result.is_faithful
    assert result.takes_memory


def test_lookup_takes_no_memory() -> None:
    experiment = suite_experiment()
    assert not suite_result(experiment.prompts, LOOKUP, OFF, experiment.summary).takes_memory
