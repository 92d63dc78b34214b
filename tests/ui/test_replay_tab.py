"""How it works: watching a recorded answer."""

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QTextEdit, QToolButton
from pytestqt.qtbot import QtBot

from app.core.options import AcceptanceRule, DraftLength, SpeculationOptions
from app.ui.reading_order import ReadingOrder
from app.ui.replay_chips import ReplayChips
from app.ui.replay_scrubber import ReplayScrubber
from app.ui.track import Track
from app.ui.widgets import ElidedLabel
from tests.fakes.children import child
from tests.fakes.compare_services import ComparePlace
from tests.fakes.experiments import CODE, prompt_experiment
from tests.fakes.opened_replay_tab import OpenedReplayTab


@pytest.fixture
def opened(place: ComparePlace, qtbot: QtBot) -> OpenedReplayTab:
    return OpenedReplayTab(place, qtbot)


def test_a_recorded_answer_is_replayed(opened: OpenedReplayTab) -> None:
    experiment = prompt_experiment(traced=True)
    opened.tab.show_experiment(experiment)
    assert opened.is_replaying()
    assert opened.answers == ["Draft Model · max 5 · Write quicksort in Python."]
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


def test_what_nobody_looks_at_is_not_opened(opened: OpenedReplayTab) -> None:
    """Every comparison that ends comes here, while another tab is shown."""
    opened.tab.hide()
    experiment = prompt_experiment(traced=True)
    opened.tab.show_experiment(experiment)
    assert opened.answer == ""
    assert opened.tab.has_picture
    opened.tab.show()
    assert opened.answer == experiment.traces[0].rounds[0].next_text


def test_a_picture_of_what_nobody_has_looked_at_is_of_it(opened: OpenedReplayTab) -> None:
    opened.tab.hide()
    opened.tab.show_experiment(prompt_experiment(traced=True))
    assert opened.tab.picture_widget() is not None
    assert opened.answer != ""


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
    wrong = next(number for number, each in enumerate(rounds) if each.accepted < len(each.tested))
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
    options = SpeculationOptions(
        experiment.variants[1].speculation.mode,
        DraftLength.FIXED,
        max_draft_tokens=5,
        acceptance=AcceptanceRule.RATIO,
    )
    variants = (experiment.variants[0], replace(experiment.variants[1], speculation=options))
    opened.tab.show_experiment(replace(experiment, variants=variants))
    assert opened.rule(AcceptanceRule.RATIO).isChecked()
    assert opened.rule(AcceptanceRule.MATCH).note == ""


def test_the_prompt_is_told_in_one_line(opened: OpenedReplayTab) -> None:
    prompt = replace(CODE, text="Write quicksort.\n" + "And explain it. " * 40)
    opened.tab.show_experiment(replace(prompt_experiment(traced=True), prompts=(prompt,)))
    line = child(opened.tab, ElidedLabel, "replay_prompt_line")
    assert line.whole_text.startswith("Write quicksort. And explain it. And")
    assert line.text().endswith("…")
    assert "explain it. And explain" in line.toolTip()


def test_by_another_rule_text_and_times_are_said_to_be_as_it_ran(opened: OpenedReplayTab) -> None:
    opened.tab.show_experiment(prompt_experiment(traced=True))
    child(opened.tab, ReplayScrubber, "replay_scrubber").setValue(2)
    assert opened.text("replay_text_caption") == "The answer so far · underlined: from the draft"
    assert not opened.text("replay_time_line").startswith("As it ran")
    opened.rule(AcceptanceRule.RATIO).click()
    assert "as it ran, by Sample and match" in opened.text("replay_text_caption")
    assert opened.text("replay_time_line").startswith("As it ran, ")
    opened.rule(AcceptanceRule.MATCH).click()
    assert opened.text("replay_text_caption") == "The answer so far · underlined: from the draft"


def test_the_clock_of_a_round_that_is_only_drafted_has_not_reached_its_end(opened: OpenedReplayTab) -> None:
    opened.tab.show_experiment(prompt_experiment(traced=True))
    opened.step("forward")
    drafted = opened.text("replay_where_line")
    opened.step("forward")
    assert opened.text("replay_where_line") != drafted


def test_a_plain_step_is_not_in_the_colour_of_checking(opened: OpenedReplayTab) -> None:
    experiment = prompt_experiment(traced=True)
    first, drafted, *_ = experiment.traces[0].rounds
    plain = replace(first, stats=replace(drafted.stats, drafted=0, tested=0, accepted=0, emitted=1))
    trace = replace(experiment.traces[0], rounds=(first, plain, drafted))
    opened.tab.show_experiment(replace(experiment, traces=(trace,)))
    bar = child(opened.tab, Track, "replay_time_bar")
    scrubber = child(opened.tab, ReplayScrubber, "replay_scrubber")
    scrubber.setValue(1)
    assert [part.role for part in bar.segments] == ["accent", "faint"]
    scrubber.setValue(2)
    assert [part.role for part in bar.segments] == ["accent", "chart_2"]


def test_a_bar_that_is_cut_says_so(opened: OpenedReplayTab) -> None:
    experiment = prompt_experiment(traced=True)
    first, drafted, *_ = experiment.traces[0].rounds
    slow = replace(drafted, stats=replace(drafted.stats, verify_s=100.0))
    trace = replace(experiment.traces[0], rounds=(first, *[drafted] * 10, slow))
    opened.tab.show_experiment(replace(experiment, traces=(trace,)))
    bar = child(opened.tab, Track, "replay_time_bar")
    scrubber = child(opened.tab, ReplayScrubber, "replay_scrubber")
    scrubber.setValue(1)
    assert (bar.mark, bar.toolTip()) == (None, "")
    assert sum(part.share for part in bar.segments) > 0.3
    scrubber.setValue(11)
    assert (bar.mark, bar.toolTip()) == (1.0, "This took longer than the bar is wide.")


def test_down_the_page_is_on_in_the_answer(opened: OpenedReplayTab, qtbot: QtBot) -> None:
    opened.tab.show_experiment(prompt_experiment(traced=True))
    scrubber = child(opened.tab, ReplayScrubber, "replay_scrubber")
    moves = [
        (Qt.Key.Key_PageDown, scrubber.pageStep()),
        (Qt.Key.Key_Down, 1),
        (Qt.Key.Key_Right, 1),
        (Qt.Key.Key_Left, -1),
        (Qt.Key.Key_Up, -1),
        (Qt.Key.Key_PageUp, -scrubber.pageStep()),
    ]
    for key, step in moves:
        before = scrubber.value()
        qtbot.keyClick(scrubber, key)
        assert scrubber.value() == before + step


@pytest.mark.parametrize("size", [(1152, 640), (832, 404)])
def test_tab_comes_to_what_plays_before_the_rules_and_every_stop_has_a_name(
    opened: OpenedReplayTab, size: tuple[int, int]
) -> None:
    opened.tab.resize(*size)
    opened.tab.show_experiment(prompt_experiment(traced=True))
    opened.step("forward")
    stops = ReadingOrder([opened.tab]).widgets()
    names = [stop.objectName() for stop in stops]
    playing = [f"replay_{part}" for part in ("play_button", "forward_button", "pace_box", "scrubber")]
    places = [names.index(name) for name in (*playing, "replay_rule_match")]
    assert places == sorted(places)
    assert all(stop.accessibleName() for stop in stops)


def test_in_a_small_window_the_controls_and_the_tokens_are_seen_at_once(opened: OpenedReplayTab) -> None:
    opened.tab.resize(832, 404)
    opened.tab.show_experiment(prompt_experiment(traced=True))
    for kind, name in (
        (ReplayScrubber, "replay_scrubber"),
        (ReplayChips, "replay_chips"),
        (QLabel, "replay_sentence"),
    ):
        part = child(opened.tab, kind, name)
        bottom = part.mapTo(opened.tab, part.rect().bottomLeft()).y()
        assert bottom < opened.tab.height(), name


def test_the_text_takes_no_more_room_than_the_answer_will(opened: OpenedReplayTab) -> None:
    opened.tab.resize(1152, 1400)
    opened.tab.show_experiment(prompt_experiment(traced=True))
    text = child(opened.tab, QTextEdit, "replay_text")
    child(opened.tab, ReplayScrubber, "replay_scrubber").setValue(999)
    whole = text.document().size().height()
    assert whole - 4 <= text.height() <= whole + 24


def test_a_picture_has_the_prompt_and_the_models_and_no_buttons(opened: OpenedReplayTab) -> None:
    experiment = prompt_experiment(traced=True)
    opened.tab.show_experiment(experiment)
    opened.step("forward")
    opened.rule(AcceptanceRule.TOP_K).click()
    picture = opened.tab.picture_widget()
    assert picture is not None
    words = [part.text() for part in picture.findChildren(QLabel)]
    assert CODE.text in words
    assert (
        "Coder 1.5B Instruct · F16, Draft Model · max 5 · Coder 0.5B Instruct · Q4_K_M — Example CPU" in words
    )
    assert "Judged by: Top-k 3" in words
    assert opened.text("replay_round_line") in words
    assert not picture.findChildren(QAbstractButton)
    assert not picture.findChildren(ReplayScrubber)
    text = child(picture, QTextEdit, "replay_text")
    assert text.toPlainText() == opened.answer
    assert text.document().size().height() <= text.height()


def test_only_the_last_picture_is_kept(opened: OpenedReplayTab, qtbot: QtBot) -> None:
    opened.tab.show_experiment(prompt_experiment(traced=True))
    first = opened.tab.picture_widget()
    assert first is not None
    with qtbot.waitSignal(first.destroyed):
        assert opened.tab.picture_widget() is not first
