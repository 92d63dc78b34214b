"""What is in force and what is saved."""

from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.core.options import LoadOptions, SamplingOptions, SpeculationMode, SpeculationOptions, Switch
from app.settings import ModelConfig, UserMode
from app.ui.saved_notice import SavedNotice, to_remember
from app.ui.theme import Theme
from tests.fakes.children import child

SAVED = ModelConfig()


@pytest.fixture
def notice(theme: Theme, qtbot: QtBot) -> SavedNotice:
    made = SavedNotice()
    qtbot.addWidget(made)
    return made


def offers_reload(notice: SavedNotice) -> bool:
    return not child(notice, QPushButton, "reload_to_apply_button").isHidden()


def test_nothing_is_said_while_both_are_the_same(notice: SavedNotice) -> None:
    notice.compare(SAVED, SAVED)
    assert notice.isHidden()


def test_nothing_is_said_while_nothing_is_loaded(notice: SavedNotice) -> None:
    notice.compare(replace(SAVED, seed=3), SAVED)
    notice.compare(None, None)
    assert notice.isHidden()
    assert notice.sentence == ""


def test_what_applies_to_the_next_answer_needs_no_reload(notice: SavedNotice) -> None:
    notice.compare(replace(SAVED, sampling=SamplingOptions(temperature=0.3)), SAVED)
    assert notice.sentence == "Changed, not saved: Temperature 0.30."
    assert not offers_reload(notice)


def test_load_settings_need_one(notice: SavedNotice) -> None:
    notice.compare(SAVED, replace(SAVED, load=LoadOptions(context_length=8192)))
    assert notice.sentence == "Loaded, not saved: Context Length 4,096."
    assert offers_reload(notice)


def test_many_differences_are_counted(notice: SavedNotice) -> None:
    in_force = ModelConfig(
        sampling=SamplingOptions(temperature=0.3, top_k=1, top_p=0.5), seed=3, system_prompt="Be brief."
    )
    notice.compare(in_force, SAVED)
    assert notice.sentence == "Changed, not saved: Temperature 0.30, Top K 1 and 3 more."


def test_a_model_without_saved_settings_can_be_given_some(notice: SavedNotice, qtbot: QtBot) -> None:
    notice.compare(SAVED, None)
    assert notice.sentence == "These settings are not saved."
    assert not offers_reload(notice)
    with qtbot.waitSignal(notice.remember_requested):
        child(notice, QPushButton, "remember_button").click()


def test_a_reload_can_be_asked_for(notice: SavedNotice, qtbot: QtBot) -> None:
    notice.compare(SAVED, replace(SAVED, load=LoadOptions(threads=7)))
    with qtbot.waitSignal(notice.reload_requested):
        child(notice, QPushButton, "reload_to_apply_button").click()


def test_settings_that_a_mode_hides_are_left_out(notice: SavedNotice) -> None:
    in_force = replace(
        SAVED, seed=3, load=LoadOptions(mmap=Switch.OFF), speculation=SpeculationOptions(draft_ceiling=2)
    )
    notice.compare(in_force, SAVED)
    assert notice.sentence == "Changed, not saved: Try mmap() Off, Max draft tokens, automatic 2 and 1 more."
    assert offers_reload(notice)

    notice.set_mode(UserMode.USER)
    assert notice.sentence == "Changed, not saved: Seed 3."
    assert not offers_reload(notice), "for what is not told"

    notice.compare(replace(in_force, seed=None), SAVED)
    assert notice.isHidden()


@pytest.mark.parametrize("mode", [UserMode.USER, UserMode.POWER_USER])
def test_acceptance_rules_are_told_to_developers(notice: SavedNotice, mode: UserMode) -> None:
    notice.set_mode(mode)
    notice.compare(replace(SAVED, speculation=SpeculationOptions(ratio_limit=0.5)), SAVED)
    assert notice.isHidden()

    notice.set_mode(UserMode.DEVELOPER)
    assert notice.sentence == "Changed, not saved: Ratio Limit 0.50."


def test_remembering_keeps_a_saved_draft_where_none_was_loaded() -> None:
    draft = Path("/models/draft.gguf")
    saved = replace(SAVED, draft=draft)
    assert to_remember(replace(SAVED, seed=3), saved) == replace(saved, seed=3)


def test_remembering_takes_the_draft_that_is_loaded() -> None:
    in_force = ModelConfig(
        speculation=SpeculationOptions(mode=SpeculationMode.DRAFT_MODEL), draft=Path("/models/new.gguf")
    )
    assert to_remember(in_force, replace(SAVED, draft=Path("/models/old.gguf"))) == in_force
