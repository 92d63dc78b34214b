"""What is said about a model that did not load, was lost, or runs otherwise than asked."""

from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QPlainTextEdit, QPushButton
from pytestqt.qtbot import QtBot

from app.core.options import SpeculationMode
from app.core.protocol import Failed, FailureKind, Obstacle, Refusal
from app.ui.engine_end import Activity, EndKind, EngineEnd
from app.ui.icons import Icons
from app.ui.model_outcome import ModelOutcome
from app.ui.notice import Notice
from app.ui.session_state import Empty, EngineLost, LoadFailed, Loading, Running
from app.ui.theme import Theme
from tests.fakes.children import child
from tests.fakes.setups import drafted_setup, loaded, plain_setup

INCOMPATIBLE = Refusal(Obstacle.INCOMPATIBLE, "It differs at token 139: 'a' and 'b'.")
NO_ROLLBACK = Refusal(Obstacle.TARGET_CANNOT_ROLL_BACK, "It cannot take tokens back.")
KILLED = EngineEnd(EndKind.KILLED, 9, Activity.LOADING, ("allocating", "Killed"))


@pytest.fixture
def notice(theme: Theme, icons: Icons, qtbot: QtBot) -> Notice:
    made = Notice(theme, icons)
    qtbot.addWidget(made)
    return made


@pytest.fixture
def outcome(notice: Notice) -> ModelOutcome:
    return ModelOutcome(notice)


def test_a_model_that_runs_as_asked_needs_no_words(outcome: ModelOutcome, notice: Notice) -> None:
    outcome.show_state(Running(drafted_setup(), loaded()), None)
    assert notice.sentence == ""


def test_a_refused_draft_is_named_with_the_reason(
    outcome: ModelOutcome, notice: Notice, qtbot: QtBot
) -> None:
    state = Running(drafted_setup(), loaded(has_draft=False, draft_refusal=INCOMPATIBLE))
    outcome.show_state(state, None)
    assert notice.sentence == ("Running without its draft model: It differs at token 139: 'a' and 'b'.")
    with qtbot.waitSignal(outcome.configure_requested):
        child(notice, QPushButton, "choose_another_draft_button").click()


def test_a_draft_that_is_gone_from_the_disk_is_named(outcome: ModelOutcome, notice: Notice) -> None:
    state = Running(drafted_setup(), loaded(has_draft=False))
    outcome.show_state(state, Path("/models/draft.gguf"))
    assert "draft.gguf is not there any more" in notice.sentence


def test_a_target_that_cannot_be_drafted_for_says_so_where_drafting_was_wanted(
    outcome: ModelOutcome, notice: Notice
) -> None:
    outcome.show_state(Running(drafted_setup(), loaded(has_draft=False, refusal=NO_ROLLBACK)), None)
    assert notice.sentence == "It cannot take tokens back."
    assert notice.findChild(QPushButton, "choose_another_draft_button") is None
    outcome.show_state(Running(plain_setup(), loaded(has_draft=False, refusal=NO_ROLLBACK)), None)
    assert notice.sentence == ""


def test_drafting_that_is_off_needs_no_words_about_drafts(outcome: ModelOutcome, notice: Notice) -> None:
    outcome.show_state(Running(drafted_setup(mode=SpeculationMode.OFF), loaded(has_draft=False)), Path("x"))
    assert notice.sentence == ""


def test_a_broken_template_is_told(outcome: ModelOutcome, notice: Notice) -> None:
    told = replace(loaded(), template_problem="Its chat template has an error in line 3.")
    outcome.show_state(Running(drafted_setup(), told), None)
    assert notice.sentence == (
        "Its chat template has an error in line 3. A plain form of chat is used instead."
    )


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (EngineLost(plain_setup(), KILLED), "ran out of memory"),
        (
            LoadFailed(plain_setup(), Failed(1, FailureKind.LOAD, "It could not be read.", ("a", "b"))),
            "It could not be read.",
        ),
    ],
)
def test_a_lost_model_can_be_loaded_again_and_details_are_at_hand(
    outcome: ModelOutcome, notice: Notice, qtbot: QtBot, state: EngineLost | LoadFailed, words: str
) -> None:
    outcome.show_state(state, None)
    assert words in notice.sentence
    assert child(notice, QPlainTextEdit, "notice_details").blockCount() == 2
    with qtbot.waitSignal(outcome.reload_requested):
        child(notice, QPushButton, "notice_reload_button").click()
    with qtbot.waitSignal(outcome.configure_requested):
        child(notice, QPushButton, "notice_settings_button").click()


@pytest.mark.parametrize("state", [Empty(), Loading(plain_setup())])
def test_old_news_is_taken_away(outcome: ModelOutcome, notice: Notice, state: Empty | Loading) -> None:
    outcome.show_state(EngineLost(plain_setup(), KILLED), None)
    outcome.show_state(state, None)
    assert notice.sentence == ""
