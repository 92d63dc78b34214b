"""What keeps a comparison from beginning."""

import pytest
from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from app.core.experiment import ExperimentKind
from app.core.protocol import Obstacle, Refusal
from app.ui.comparison_problems import engine_problem, problem_of
from app.ui.session_state import Loading, Running
from app.ui.side import Side
from tests.fakes.session import FakeSession
from tests.fakes.setups import DRAFT, loaded, plain_setup
from tests.fakes.watched_comparison import drafted, lookup, off, plan_of

SIDES = [off(), lookup()]
REFUSAL = Refusal(Obstacle.TARGET_CANNOT_ROLL_BACK, "It cannot take back tokens.")


@pytest.fixture
def session(qtbot: QtBot) -> FakeSession:
    """A model is loaded, alone."""
    made = FakeSession()
    made.run(plain_setup())
    return made


def problem(session: FakeSession, sides: list[Side] = SIDES, text: str = "hello", **changes: object) -> str:
    plan = replace(plan_of(sides, text), **changes)
    return problem_of(plan, sides, session, comparing=False)  # type: ignore[arg-type]


def test_a_sound_plan_has_none(session: FakeSession) -> None:
    assert problem(session) == ""
    assert problem(session, [off(), drafted(DRAFT)]) == ""


def test_a_model_must_be_loaded(session: FakeSession) -> None:
    session.eject()
    assert problem(session) == "Load a model to compare."
    session.enter(Loading(plain_setup()))
    assert problem(session) == "The model is being loaded."


def test_the_engine_must_be_free(session: FakeSession) -> None:
    session.generate([])
    assert problem(session) == "The chat's answer comes first."
    session.is_answering = False
    session.measure(True)
    assert problem(session) == "The engine is being measured."


def test_a_target_that_cannot_roll_back_has_nothing_to_compare(session: FakeSession) -> None:
    session.enter(Running(plain_setup(), loaded(has_draft=False, refusal=REFUSAL)))
    assert problem(session) == "It cannot take back tokens."
    assert problem(session, [off()]) == ""


def test_a_draft_model_must_be_chosen(session: FakeSession) -> None:
    side = replace(drafted(DRAFT), draft=None)
    assert problem(session, [off(), side]) == "Choose a draft model for “Draft Model · max 3”."


def test_a_prompt_must_be_written(session: FakeSession) -> None:
    assert problem(session, text=" \n") == "Write a prompt to compare with."


def test_settings_must_hold_together(session: FakeSession) -> None:
    assert problem(session, repeats=0) == "The number of repeats must be at least 1."
    limits = replace(plan_of(SIDES).limits, max_tokens=-1)
    assert problem(session, limits=limits) == "Max tokens cannot be negative."


def test_one_comparison_at_a_time(session: FakeSession) -> None:
    assert engine_problem(session, comparing=True) == "Another comparison is running."  # type: ignore[arg-type]
    assert engine_problem(session, comparing=False) == ""  # type: ignore[arg-type]


def test_a_suite_needs_prompts(session: FakeSession) -> None:
    assert problem(session, prompts=()) == "Write a prompt to compare with."
    assert problem(session, kind=ExperimentKind.SUITE, prompts=()) == "Choose prompts to compare with."


def test_a_sweep_needs_something_that_drafts(session: FakeSession) -> None:
    wanted = "Choose a draft model or prompt lookup."
    assert problem(session, [off(), off()], kind=ExperimentKind.SWEEP) == wanted
    assert problem(session, kind=ExperimentKind.SWEEP) == ""
