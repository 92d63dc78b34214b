"""What an experiment tells the calculator."""

import pytest

from app.core.expectation import speedup
from app.core.measured_assumptions import measured_assumptions, measured_points
from app.core.options import SpeculationMode
from tests.fakes.experiments import (
    DRAFTED,
    LOOKUP,
    OFF,
    draft_variant,
    prompt_experiment,
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
    assert found.drafted == DRAFTED.speculation.max_draft_tokens
    assert found.acceptance == pytest.approx(0.8, abs=0.12)


def test_with_them_the_model_comes_near_what_was_measured() -> None:
    """The time of a round is taken from the same runs, so only the share of short drafts is left out."""
    found = measured_assumptions(prompt_experiment(acceptance=0.9))
    assert found is not None
    assert speedup(found.costs, found.drafted, found.acceptance) == pytest.approx(2.0, rel=0.15)


def test_prompt_lookup_has_no_draft_speed() -> None:
    assert measured_assumptions(prompt_experiment(variants=(OFF, LOOKUP))) is None
