"""What an experiment tells the calculator."""

import pytest
from msgspec.structs import replace

from app.core.compare import summarise
from app.core.expectation import speedup
from app.core.experiment import Experiment
from app.core.measured_assumptions import (
    Assumptions,
    measured_acceptance,
    measured_assumptions,
    measured_points,
)
from app.core.options import SpeculationMode
from app.core.pass_costs import PassCosts
from app.core.stats import DraftSource, RoundStats, StatsRecorder, StopReason
from tests.fakes.experiments import (
    AUTO,
    DRAFTED,
    LOOKUP,
    OFF,
    draft_variant,
    prompt_experiment,
    run_of,
    suite_experiment,
    sweep_experiment,
)


def test_every_variant_that_drafts_is_a_point() -> None:
    points = measured_points(sweep_experiment((10.0, 12.0), off=8.0, lookup=9.0, repeats=1))
    drafted, lookup = SpeculationMode.DRAFT_MODEL, SpeculationMode.PROMPT_LOOKUP
    assert [(point.mode, point.drafted, round(point.speedup, 6)) for point in points] == [
        (drafted, 1, 10 / 8),
        (drafted, 2, 12 / 8),
        (lookup, 3, 9 / 8),
    ]


def test_a_point_has_the_interval_of_its_speedup() -> None:
    (once,) = measured_points(prompt_experiment((8.0,), (16.0,)))
    assert once.interval is None
    (thrice,) = measured_points(prompt_experiment((8.0, 8.1, 7.9), (16.0, 16.2, 15.8)))
    assert thrice.interval is not None
    assert thrice.interval.low < thrice.speedup < thrice.interval.high


def test_the_acceptance_of_the_other_pages_is_that_of_all_tested_tokens() -> None:
    experiment = prompt_experiment(acceptance=0.8)
    found, share = measured_assumptions(experiment), measured_acceptance(experiment)
    summary = next(each for each in experiment.summary if each.variant != "off")
    assert found is not None
    assert share == summary.acceptance_rate
    assert share is not None
    assert share < found.acceptance
    assert measured_acceptance(prompt_experiment(variants=(OFF, LOOKUP))) is None


def test_measured_checks_take_the_place_of_the_proportion_at_every_length() -> None:
    figures = Assumptions(target_rate=5.0, draft_rate=50.0, drafted=5, acceptance=0.8, check_factor=3.0)
    costs = figures.costs_by(PassCosts((1, 2, 4), (0.1, 0.12, 0.2), 0.02, 32))
    assert [costs.check(drafted) for drafted in (0, 1, 2, 3, 16)] == pytest.approx(
        [0.2, 0.24, 0.32, 0.4, 1.44]
    )


def test_a_check_that_seems_cheaper_than_a_step_is_a_disturbed_measurement() -> None:
    quick = RoundStats(DraftSource.DRAFT_MODEL, 3, 3, 1, 2, 0.03, 0.03, 0.01)
    found = measured_assumptions(_measured(quick))
    assert found is not None
    assert found.check_factor == 1.0


def test_an_automatic_length_has_no_place_among_the_others() -> None:
    alone = prompt_experiment(variants=(OFF, AUTO))
    assert measured_points(alone) == ()
    assert measured_assumptions(alone) is None
    assert measured_acceptance(alone) is None
    beside = suite_experiment((OFF, DRAFTED, AUTO))
    assert [point.drafted for point in measured_points(beside)] == [5]
    assert measured_assumptions(beside) == measured_assumptions(suite_experiment((OFF, DRAFTED)))


def test_two_drafts_have_no_point_against_plain_generation() -> None:
    experiment = prompt_experiment(variants=(draft_variant("a", 2), draft_variant("b", 4)))
    assert measured_points(experiment) == ()
    assert measured_assumptions(experiment) is None


def test_answers_without_a_rate_have_no_point() -> None:
    experiment = prompt_experiment(tokens=1)
    assert measured_points(experiment) == ()
    assert measured_assumptions(experiment) is None


def test_all_five_figures_are_taken_from_a_comparison() -> None:
    found = measured_assumptions(prompt_experiment((8.0,), (16.0,), acceptance=0.8))
    assert found is not None
    assert found.target_rate == pytest.approx(8.0)
    assert found.acceptance == pytest.approx(0.8, abs=0.12)


def test_with_them_the_model_comes_near_what_was_measured() -> None:
    found = measured_assumptions(prompt_experiment(acceptance=0.9))
    assert found is not None
    assert speedup(found.costs, found.drafted, found.acceptance) == pytest.approx(2.0, rel=0.05)


def test_a_check_costs_what_it_did_for_drafts_as_long_as_they_were() -> None:
    """Drafts of 2 and of 4 at most 8: the time is that of a draft of 3, not of one of 8."""
    found = measured_assumptions(_measured(_draft_of(2, accepted=1), _draft_of(4, accepted=2)))
    assert found is not None
    assert found.drafted == 3
    assert found.check_factor == pytest.approx(2.0)


def test_rounds_without_a_draft_are_plain_steps() -> None:
    plain = RoundStats(DraftSource.NONE, 0, 0, 0, 1, 0.0, 0.09, 0.01)
    found = measured_assumptions(_measured(_draft_of(3, accepted=1), plain, plain, plain))
    assert found is not None
    assert found.drafted == 3
    assert found.check_factor == pytest.approx(2.0)


def test_prompt_lookup_has_no_draft_speed() -> None:
    assert measured_assumptions(prompt_experiment(variants=(OFF, LOOKUP))) is None


def _draft_of(length: int, *, accepted: int) -> RoundStats:
    """Its check takes two plain steps of 0.1 s."""
    return RoundStats(DraftSource.DRAFT_MODEL, length, length, accepted, accepted + 1, 0.03, 0.18, 0.02)


def _measured(*rounds: RoundStats) -> Experiment:
    """One answer of each side: plain generation at 10 tok/s, and these rounds after the prompt's."""
    variants = (OFF, draft_variant("draft", 8))
    recorder = StatsRecorder(0.0, 5)
    moment = 0.0
    for each in (RoundStats(DraftSource.NONE, 0, 0, 0, 1, 0.0, 0.0, 0.0), *rounds):
        moment += each.total_s
        recorder.add(each, moment)
    plain = run_of(OFF, 10.0)
    drafted = replace(run_of(variants[1]), stats=recorder.finish(StopReason.MAX_TOKENS, 1))
    summary = summarise((plain, drafted), variants)
    return replace(
        prompt_experiment((10.0,), (20.0,), variants=variants), runs=(plain, drafted), summary=summary
    )
