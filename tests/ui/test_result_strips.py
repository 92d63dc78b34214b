"""The strips under a comparison."""

import pytest
from pytestqt.qtbot import QtBot

from app.ui.result_strips import ResultStrips, roles_of, short_names
from app.ui.theme import Theme
from tests.fakes.experiments import CODE, DRAFTED, LOOKUP, OFF, draft_variant, prompt_experiment


@pytest.fixture
def strips(theme: Theme, qtbot: QtBot) -> ResultStrips:
    made = ResultStrips(theme)
    qtbot.addWidget(made)
    return made


def test_each_strip_gets_its_figures(strips: ResultStrips) -> None:
    experiment = prompt_experiment((8.2, 8.0), (16.6, 16.2))
    strips.show_experiment(experiment, CODE.id)
    assert [(side.name, side.role) for side in strips.runs.sides] == [
        ("Off", "muted"),
        ("Draft Model", "accent"),
    ]
    assert strips.runs.sides[1].speeds == pytest.approx((16.6, 16.2))
    [accepted] = strips.positions.sides
    summary = experiment.summary_of("draft", CODE.id)
    assert summary is not None
    assert (accepted.tested, accepted.accepted) == (
        summary.tested_by_position,
        summary.accepted_by_position,
    )
    assert [side.name for side in strips.times.sides] == ["Off", "Draft Model"]
    assert strips.times.sides[0].total > strips.times.sides[1].total
    assert strips.mean_length == f"{summary.mean_accepted_length:.2f} mean accepted length"


def test_two_that_draft_have_two_lengths(strips: ResultStrips) -> None:
    strips.show_experiment(prompt_experiment(variants=(DRAFTED, LOOKUP)), CODE.id)
    assert len(strips.positions.sides) == 2
    assert " and " in strips.mean_length


def test_a_side_that_did_not_answer_is_left_out(strips: ResultStrips) -> None:
    strips.show_experiment(prompt_experiment(ended_runs=1), CODE.id)
    assert [side.name for side in strips.runs.sides] == ["Off"]
    assert strips.positions.sides == ()
    assert strips.mean_length == ""


def test_names_are_as_short_as_tells_them_apart() -> None:
    assert short_names((OFF, DRAFTED)) == ("Off", "Draft Model")
    assert short_names((draft_variant("a", 2), draft_variant("b", 5))) == (
        "Draft Model · max 2",
        "Draft Model · max 5",
    )


def test_plain_generation_is_grey() -> None:
    assert roles_of((OFF, DRAFTED)) == ("muted", "accent")
    assert roles_of((DRAFTED, LOOKUP)) == ("muted", "accent")
    assert roles_of((OFF, OFF)) == ("muted", "accent")
    assert roles_of((DRAFTED, OFF)) == ("accent", "muted")
