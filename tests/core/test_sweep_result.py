"""The best of a sweep."""

import pytest

from app.core.compare import summarise
from app.core.experiment import Experiment, ExperimentKind, Interval
from app.core.gain import Gain
from app.core.options import SpeculationMode
from app.core.sweep_result import SweepResult, sweep_result
from tests.fakes.experiments import AUTO, CODE, different, experiment_of, sweep_experiment, sweep_variants
from tests.fakes.measured_answers import ANSWER


def result_of(experiment: Experiment) -> SweepResult:
    return sweep_result(experiment.variants, experiment.summary, CODE.id)


def test_points_are_in_order_of_length_by_mode() -> None:
    result = result_of(sweep_experiment())
    drafted = result.of_mode(SpeculationMode.DRAFT_MODEL)
    assert [point.length for point in drafted] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert [point.length for point in result.of_mode(SpeculationMode.PROMPT_LOOKUP)] == [3]
    assert result.reference.id == "off"
    assert result.reference_speed is not None
    assert result.reference_speed.median == pytest.approx(8.2 * 1.01)


def test_the_automatic_length_has_no_place_among_the_others() -> None:
    variants = (*sweep_variants(2, lookup=False)[:1], AUTO, *sweep_variants(2, lookup=False)[1:])
    result = result_of(experiment_of(ExperimentKind.SWEEP, variants, speeds=lambda planned: 9.0))
    assert [point.variant.id for point in result.points] == ["draft max 1", "draft max 2", "auto"]
    assert [point.variant for point in result.automatic] == [AUTO]
    assert [point.length for point in result.of_mode(SpeculationMode.DRAFT_MODEL)] == [1, 2]


def test_automatic_can_be_the_best_and_is_told_with_what_is_as_good() -> None:
    variants = (*sweep_variants(3, lookup=False), AUTO)
    speeds = {"off": 8.0, "draft max 1": 10.0, "draft max 2": 14.8, "draft max 3": 14.0, "auto": 15.0}
    result = result_of(
        experiment_of(ExperimentKind.SWEEP, variants, speeds=lambda planned: speeds[planned.variant])
    )
    assert result.best is not None
    assert result.best.variant == AUTO
    assert [point.variant.id for point in result.about_as_good] == ["draft max 2"]


def test_the_best_is_the_fastest() -> None:
    result = result_of(sweep_experiment())
    assert result.best is not None
    assert result.best.variant.id == "draft max 5"
    assert result.best.speedup == pytest.approx(15.2 / 8.2)
    assert result.gain is Gain.FASTER


def test_lookup_can_be_the_best() -> None:
    best = result_of(sweep_experiment(rates=(7.0, 6.0), lookup=9.0)).best
    assert best is not None
    assert best.variant.speculation.mode is SpeculationMode.PROMPT_LOOKUP


def test_a_best_within_the_noise_is_none() -> None:
    """Each repeat is 1 % faster than the one before, so that the interval of 8.21 against 8.2 spans 1."""
    result = result_of(sweep_experiment(rates=(8.21, 8.0), lookup=None))
    assert result.gain is Gain.EVEN
    assert not result.scatters


def test_runs_that_scatter_leave_it_open() -> None:
    variants = sweep_variants(2, lookup=False)
    result = result_of(
        experiment_of(
            ExperimentKind.SWEEP,
            variants,
            repeats=3,
            speeds=lambda planned: (8.0, 11.0, 14.0)[planned.repeat],
        )
    )
    assert (result.gain, result.scatters) == (Gain.EVEN, True)


def test_intervals_of_many_lengths_hold_together() -> None:
    """So each of them is wider than it would be alone."""

    def interval_of(length: int) -> Interval:
        variants = sweep_variants(length, lookup=False)
        speeds = (10.0, 10.5, 11.0, 11.5, 12.0, 12.5, 13.0)
        experiment = experiment_of(
            ExperimentKind.SWEEP, variants, repeats=7, speeds=lambda planned: speeds[planned.repeat]
        )
        found = result_of(experiment).points[0].interval
        assert found is not None
        return found

    alone, among_eight = interval_of(1), interval_of(8)
    assert among_eight.low < alone.low < alone.high < among_eight.high


def test_what_may_give_another_text_is_not_faithful() -> None:
    variants = sweep_variants(2, lookup=False)
    for near_tie in (True, False):
        experiment = experiment_of(
            ExperimentKind.SWEEP,
            variants,
            answers=lambda planned: ANSWER if planned.variant == "off" else different(ANSWER),
            near_tie=near_tie,
        )
        assert result_of(experiment).is_faithful is near_tie


def test_it_is_known_whether_all_were_tried() -> None:
    assert result_of(sweep_experiment()).has_all
    assert not result_of(sweep_experiment(ended_runs=3)).has_all
    assert not sweep_result(sweep_variants(), (), CODE.id).is_faithful


def test_where_all_are_slower_off_is_best() -> None:
    assert result_of(sweep_experiment(rates=(7.0, 6.0), lookup=6.5)).gain is Gain.SLOWER


def test_neighbours_that_are_hardly_slower_are_told() -> None:
    result = result_of(sweep_experiment(rates=(10.0, 14.8, 15.0, 14.6, 14.5), lookup=14.9))
    assert [point.length for point in result.about_as_good] == [2, 4]


def test_before_off_has_run_nothing_is_said_of_gains() -> None:
    experiment = sweep_experiment()
    drafted = [run for run in experiment.runs if run.variant != "off"]
    result = sweep_result(experiment.variants, summarise(drafted, experiment.variants), CODE.id)
    assert result.best is not None
    assert result.gain is None
    empty = sweep_result(experiment.variants, (), CODE.id)
    assert (empty.best, empty.gain, empty.about_as_good) == (None, None, ())
