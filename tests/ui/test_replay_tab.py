"""How it works: watching a recorded answer."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QToolButton
from pytestqt.qtbot import QtBot

from app.core.options import AcceptanceRule, SpeculationOptions
from app.ui.icons import Icons
from app.ui.replay_scrubber import ReplayScrubber
from app.ui.theme import Theme
from tests.fakes.children import child
from tests.fakes.compare_services import ComparePlace, compare_place
from tests.fakes.experiments import CODE, prompt_experiment
from tests.fakes.opened_replay_tab import OpenedReplayTab


@pytest.fixture
def place(theme: Theme, icons: Icons, tmp_path: Path, qtbot: QtBot) -> Iterator[ComparePlace]:
    made = compare_place(theme, icons, tmp_path)
    yield made
    made.close()


@pytest.fixture
def opened(place: ComparePlace, qtbot: QtBot) -> OpenedReplayTab:
    return OpenedReplayTab(place, qtbot)


def test_a_recorded_answer_is_replayed(opened: OpenedReplayTab) -> None:
    experiment = prompt_experiment(traced=True)
    opened.tab.show_experiment(experiment)
    assert opened.is_replaying()
    assert opened.answers == ["Draft Model · max 5 · code-quicksort"]
    rounds = experiment.traces[0].rounds
    assert opened.text("replay_round_line") == f"Round 1 of {len(rounds)}"
    opened.step("forward")
    assert opened.text("replay_phase_line") == "drafted"
    assert opened.answer == rounds[0].next_text
    opened.step("forward")
    assert opened.text("replay_phase_line") == "checked by the target in one pass"
    assert len(opened.answer) > len(rounds[0].next_text)
    opened.step("back")
    opened.step("back")
    assert opened.answer == rounds[0].next_text


def test_the_last_round_has_the_whole_answer(opened: OpenedReplayTab, qtbot: QtBot) -> None:
    experiment = prompt_experiment(traced=True)
    opened.tab.show_experiment(experiment)
    scrubber = child(opened.tab, ReplayScrubber, "replay_scrubber")
    qtbot.keyClick(scrubber, Qt.Key.Key_End)
    assert opened.answer == experiment.runs_of("draft", CODE.id)[0].text
    qtbot.keyClick(scrubber, Qt.Key.Key_Home)
    assert opened.answer == experiment.traces[0].rounds[0].next_text


def test_a_click_goes_to_the_round_there(opened: OpenedReplayTab, qtbot: QtBot) -> None:
    opened.tab.show_experiment(prompt_experiment(traced=True))
    scrubber = child(opened.tab, ReplayScrubber, "replay_scrubber")
    where = next(x for x in range(scrubber.width()) if scrubber.round_at(x) == 4)
    point = scrubber.rect().topLeft()
    point.setX(where + 1)
    point.setY(scrubber.height() // 2)
    qtbot.mouseClick(scrubber, Qt.MouseButton.LeftButton, pos=point)
    assert opened.text("replay_round_line").startswith("Round 5 of")


def test_the_time_of_a_round_is_set_against_plain_steps(opened: OpenedReplayTab) -> None:
    opened.tab.show_experiment(prompt_experiment((8.0,), (16.0,), traced=True))
    opened.step("forward")
    assert opened.text("replay_time_line").startswith("Drafting ")
    opened.step("forward")
    assert "checking" in opened.text("replay_time_line")
    assert opened.text("replay_plain_line").startswith("As ")


def test_it_plays_and_pauses_and_stops_where_nobody_sees_it(opened: OpenedReplayTab) -> None:
    opened.tab.show_experiment(prompt_experiment(traced=True))
    play = child(opened.tab, QToolButton, "replay_play_button")
    play.click()
    assert play.accessibleName() == "Pause"
    play.click()
    assert play.accessibleName() == "Play"
    play.click()
    opened.tab.hide()
    assert play.accessibleName() == "Play"


def test_every_rule_tells_what_it_keeps_and_whether_it_changes_the_output(opened: OpenedReplayTab) -> None:
    opened.tab.show_experiment(prompt_experiment(traced=True, acceptance=0.7))
    assert opened.rule(AcceptanceRule.MATCH).isChecked()
    assert opened.rule(AcceptanceRule.MATCH).note == "as it ran"
    for rule in AcceptanceRule:
        assert ("changes the output" in opened.rule(rule).accessibleName()) == rule.changes_output


def test_another_rule_judges_the_round_anew(opened: OpenedReplayTab, qtbot: QtBot) -> None:
    experiment = prompt_experiment(traced=True, acceptance=0.5)
    opened.tab.show_experiment(experiment)
    rounds = experiment.traces[0].rounds
    wrong = next(number for number, each in enumerate(rounds) if each.accepted < len(each.proposed))
    child(opened.tab, ReplayScrubber, "replay_scrubber").setValue(wrong)
    before = opened.text("replay_sentence")
    opened.rule(AcceptanceRule.TOP_K).click()
    field = child(opened.tab, QLineEdit, "replay_top_k_field")
    field.selectAll()
    qtbot.keyClicks(field, "40")
    assert opened.text("replay_sentence") != before
    assert "not known" in opened.text("replay_sentence")
    assert "likeliest" in opened.text("replay_rule_meaning")
    field.selectAll()
    qtbot.keyClicks(field, "0")
    assert field.property("invalid")


def test_a_recorded_rule_is_the_one_that_is_looked_at_first(opened: OpenedReplayTab) -> None:
    experiment = prompt_experiment(traced=True)
    options = SpeculationOptions(experiment.variants[1].speculation.mode, 5, acceptance=AcceptanceRule.RATIO)
    variants = (experiment.variants[0], replace(experiment.variants[1], speculation=options))
    opened.tab.show_experiment(replace(experiment, variants=variants))
    assert opened.rule(AcceptanceRule.RATIO).isChecked()
    assert opened.rule(AcceptanceRule.MATCH).note == ""
