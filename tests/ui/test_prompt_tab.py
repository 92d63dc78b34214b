"""One prompt, compared: from the question to the settings that are remembered."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.core.experiment import ExperimentKind
from app.core.options import DraftLength, GenerationLimits, SpeculationMode, SpeculationOptions
from app.core.prompts import Prompt
from app.settings import ModelConfig, UserMode
from app.ui.difference_card import DifferenceCard
from app.ui.finding_card import FindingCard
from app.ui.icons import Icons
from app.ui.pane_pair import PanePair
from app.ui.result_strips import ResultStrips
from app.ui.session_state import Empty, Loading
from app.ui.theme import Theme
from tests.fakes.compare_services import ComparePlace, compare_place
from tests.fakes.compare_tabs import measured_here
from tests.fakes.experiments import CODE, DRAFTED, OFF, prompt_experiment, suite_experiment
from tests.fakes.local_models import local_model
from tests.fakes.opened_prompt_tab import Opened
from tests.fakes.setups import DRAFT, TARGET, drafted_setup


@pytest.fixture
def opened(place: ComparePlace, qtbot: QtBot) -> Iterator[Opened]:
    made = Opened(place, qtbot)
    yield made
    made.panes.clear()


def test_off_stands_against_what_is_saved_for_the_model(opened: Opened) -> None:
    left, right = opened.panes.sides
    assert not left.variant.drafts
    assert right.variant.speculation == SpeculationOptions(mode=SpeculationMode.DRAFT_MODEL)
    assert right.draft == DRAFT
    assert not opened.sees(FindingCard)
    assert not opened.sees(ResultStrips)
    assert opened.tab.picture_widget() is None


def test_the_plan_is_what_is_on_the_page_with_the_models_own_sampling(opened: Opened) -> None:
    config = replace(
        drafted_setup().config,
        seed=42,
        system_prompt="Be brief.",
        limits=GenerationLimits(stop_strings=("END",)),
    )
    opened.place.session.run(replace(drafted_setup(), config=config))
    opened.box.set_prompt(Prompt("prompt", "Count to ten."))
    plan = opened.run()
    assert plan.kind is ExperimentKind.PROMPT
    assert [variant.id for variant in plan.variants] == ["off", "auto"]
    assert plan.prompts == (Prompt("prompt", "Count to ten.", system="Be brief."),)
    assert plan.repeats == 5
    assert plan.sampling == replace(config.sampling, seed=42)
    assert plan.limits == GenerationLimits(96, ("END",))
    [(asked, sides)] = opened.place.comparison.asked
    assert asked == plan
    assert [side.draft for side in sides] == [None, DRAFT]
    plan.check()


def test_a_prompts_own_system_message_comes_first(opened: Opened) -> None:
    config = replace(drafted_setup().config, system_prompt="Be brief.")
    opened.place.session.run(replace(drafted_setup(), config=config))
    opened.box.set_prompt(Prompt("story", "Tell.", system="You tell stories.", suite="story"))
    assert opened.run().prompts[0].system == "You tell stories."


def test_nothing_can_be_changed_while_it_runs(opened: Opened) -> None:
    opened.run()
    assert not opened.panes.left.picker.isEnabled()
    assert opened.button("stop_run_button").isVisibleTo(opened.tab)
    opened.button("stop_run_button").click()
    assert opened.place.comparison.stops == 1
    opened.place.comparison.give_up()
    assert opened.panes.left.picker.isEnabled()
    assert opened.button("run_button").isVisibleTo(opened.tab)
    assert opened.line("compare_remark_line") == "Stopped; nothing had been measured yet."


def test_the_result_is_told_and_one_side_of_it_remembered(opened: Opened) -> None:
    opened.run()
    experiment = opened.finish()
    assert opened.tab.experiment is experiment
    assert opened.card.headline == "2.0× as fast"
    assert opened.sees(ResultStrips)
    assert not opened.sees(DifferenceCard)
    opened.button("result_second_button").click()
    assert opened.remembered == [opened.panes.sides[1]]
    assert opened.line("result_advice") == f"Remembered for {TARGET.name}"


def test_the_page_may_show_the_same_result_once_more(opened: Opened) -> None:
    opened.run()
    opened.tab.show_experiment(opened.finish())
    assert opened.panes.left.picker.isVisibleTo(opened.tab)
    assert opened.button("result_second_button").isVisibleTo(opened.tab)
    assert opened.line("compare_remark_line") == ""


def test_where_drafting_is_off_now_it_can_be_turned_on(opened: Opened) -> None:
    opened.place.session.run(
        replace(drafted_setup(), config=ModelConfig(speculation=SpeculationOptions(), draft=DRAFT.path))
    )
    opened.run()
    opened.finish()
    assert opened.button("result_second_button").text() == "Turn it on"


def test_what_is_offered_follows_what_is_in_force(opened: Opened) -> None:
    opened.run()
    opened.finish()
    assert opened.button("result_second_button").text() == "Keep it on"
    plain = replace(drafted_setup(), config=ModelConfig(speculation=SpeculationOptions(), draft=DRAFT.path))
    opened.place.session.state = replace(opened.place.session.state, setup=plain)
    opened.place.session.config_changed.emit(plain.config)
    assert opened.button("result_second_button").text() == "Turn it on"


def test_nothing_is_remembered_for_a_model_that_is_gone(opened: Opened) -> None:
    opened.run()
    opened.finish()
    opened.place.session.enter(Empty())
    assert opened.card.headline == "2.0× as fast"
    assert not opened.button("result_second_button").isVisibleTo(opened.tab)
    opened.place.session.run(drafted_setup())
    assert opened.button("result_second_button").isVisibleTo(opened.tab)


def test_another_choice_is_another_question(opened: Opened) -> None:
    opened.run()
    opened.finish()
    opened.panes.left.picker.side_chosen.emit(opened.panes.left.side)
    assert opened.tab.experiment is None
    assert not opened.sees(FindingCard)
    assert opened.panes.right.note == "The answer appears here."


def test_a_refusal_is_told(opened: Opened) -> None:
    opened.place.comparison.refusal = "The engine is busy."
    opened.button("run_button").click()
    assert opened.line("compare_remark_line") == "The engine is busy."
    assert opened.panes.left.note == "The answer appears here."
    assert opened.button("run_button").isEnabled()


def test_a_refusal_leaves_what_is_shown(opened: Opened) -> None:
    opened.run()
    experiment = opened.finish()
    opened.place.comparison.refusal = "The engine is busy."
    opened.button("run_button").click()
    assert opened.tab.experiment is experiment
    assert opened.sees(FindingCard)


def test_what_broke_off_leaves_what_was_measured_and_the_reason(opened: Opened) -> None:
    plan = opened.run()
    measured = replace(opened.measured(plan, (8.2, 8.1), (16.6, 16.4)), is_complete=False)
    opened.place.comparison.fail("The engine has ended.", measured)
    assert opened.line("compare_remark_line") == "The engine has ended."
    assert opened.card.sentence.endswith("Stopped early.")


def test_without_anything_measured_there_is_the_reason_alone(opened: Opened) -> None:
    opened.run()
    opened.place.comparison.fail("The prompt is too long.")
    assert opened.line("compare_remark_line") == "The prompt is too long."
    assert not opened.sees(FindingCard)


def test_one_side_alone_is_no_result(opened: Opened) -> None:
    opened.tab.show_experiment(prompt_experiment(ended_runs=1))
    assert not opened.sees(FindingCard)
    assert opened.panes.left.dial.figure == "8.2"
    assert opened.panes.right.note == "It was stopped before it had answered."
    assert opened.tab.picture_widget() is None


def test_answers_that_differ_are_explained(opened: Opened) -> None:
    opened.tab.show_experiment(prompt_experiment(identical=False))
    card = opened.part(DifferenceCard)
    assert isinstance(card, DifferenceCard)
    assert "Off goes on with “:” (logit 14.21), Draft Model · max 5 with" in card.text
    opened.place.services.preferences.update(mode=UserMode.USER)
    assert "logit" not in card.text
    opened.button("show_difference_button").click()
    opened.tab.show_experiment(prompt_experiment())
    assert card.text == ""


def test_a_reopened_one_is_looked_at_until_the_next_run(opened: Opened) -> None:
    opened.tab.show_experiment(prompt_experiment())
    prompt = opened.box.prompt
    assert prompt is not None
    assert prompt.text == CODE.text
    assert not opened.panes.left.picker.isVisibleTo(opened.tab)
    assert opened.panes.right.variant_words.startswith("Draft Model · max 5")
    assert opened.line("compare_remark_line").endswith(" with Coder 1.5B Instruct · F16.")
    assert not opened.button("result_second_button").isVisibleTo(opened.tab)
    plan = opened.run()
    assert plan.variants[1].id == "auto"  # the page's own sides
    assert opened.panes.left.picker.isVisibleTo(opened.tab)
    assert opened.line("compare_remark_line") == ""


def test_a_reopened_one_of_the_loaded_model_can_still_be_remembered(opened: Opened) -> None:
    opened.place.session.enter(Empty())
    opened.tab.show_experiment(measured_here(prompt_experiment()))
    assert not opened.button("result_second_button").isVisibleTo(opened.tab)
    opened.place.session.run(drafted_setup())
    opened.button("result_second_button").click()
    assert [(side.draft, side.variant.id) for side in opened.remembered] == [(DRAFT, DRAFTED.id)]


def test_one_can_begin_anew_without_running(opened: Opened) -> None:
    opened.tab.show_experiment(prompt_experiment())
    speculation = SpeculationOptions(SpeculationMode.PROMPT_LOOKUP, DraftLength.FIXED, max_draft_tokens=7)
    opened.place.services.preferences.remember(TARGET.path, ModelConfig(speculation=speculation))
    opened.button("compare_remark_button").click()
    assert opened.tab.experiment is None
    assert opened.panes.sides[1].variant.id == "lookup max 7"
    assert opened.panes.left.picker.isVisibleTo(opened.tab)
    assert not opened.sees(FindingCard)


def test_a_reopened_one_never_disturbs_a_run(opened: Opened) -> None:
    opened.run()
    opened.tab.show_experiment(prompt_experiment())
    assert opened.tab.experiment is None
    opened.finish()
    assert opened.tab.experiment is not None


def test_the_result_can_be_saved_as_a_picture(opened: Opened) -> None:
    opened.tab.show_experiment(prompt_experiment())
    picture = opened.tab.picture_widget()
    assert picture is not None
    assert picture.width() > picture.height() > 100
    assert "2.0× as fast" in [each.text() for each in picture.findChildren(QLabel)]
    assert not picture.isVisible()


def test_another_tabs_comparison_is_not_this_ones(opened: Opened) -> None:
    plan = replace(opened.run(), kind=ExperimentKind.SUITE)
    opened.place.comparison.give_up()
    opened.place.comparison.start(plan, ())
    assert opened.line("run_reason") == "Another comparison is running."
    assert not opened.button("run_button").isEnabled()
    planned = opened.place.comparison.begin()
    assert opened.panes.left.note == "The answer appears here."
    opened.place.comparison.finish(suite_experiment((OFF, DRAFTED)))
    assert opened.tab.experiment is None
    assert planned.variant == "off"
    assert opened.button("run_button").isEnabled()


def test_an_answer_in_the_chat_comes_first(opened: Opened) -> None:
    opened.tab.hide()
    opened.place.session.generate(())
    opened.tab.show()
    assert opened.line("run_reason") == "The chat's answer comes first."
    opened.box.run_requested.emit()
    assert opened.place.comparison.asked == []
    opened.place.session.is_answering = False
    opened.place.session.answer_finished.emit(None)
    assert opened.button("run_button").isEnabled()


def test_a_prompt_without_words_cannot_be_compared(opened: Opened) -> None:
    opened.box.set_prompt(Prompt("prompt", "  "))
    opened.box.changed.emit()
    assert opened.line("run_reason") == "Write a prompt to compare with."


def test_the_right_side_follows_what_is_saved_until_someone_chooses(opened: Opened) -> None:
    def save(most: int) -> int:
        speculation = SpeculationOptions(
            SpeculationMode.PROMPT_LOOKUP, DraftLength.FIXED, max_draft_tokens=most
        )
        opened.place.services.preferences.remember(TARGET.path, ModelConfig(speculation=speculation))
        return opened.panes.sides[1].variant.speculation.max_draft_tokens

    assert save(7) == 7
    opened.panes.right.picker.side_chosen.emit(opened.panes.right.side)
    assert save(2) == 7


def test_another_model_has_sides_of_its_own(opened: Opened) -> None:
    opened.panes.right.picker.side_chosen.emit(opened.panes.right.side)
    other = local_model("Another 3B", path=Path("/models/another.gguf"))
    opened.place.session.run(replace(drafted_setup(), target=other, draft=None))
    assert opened.panes.sides[1].variant.speculation.mode is SpeculationMode.PROMPT_LOOKUP


@pytest.fixture
def empty(theme: Theme, icons: Icons, tmp_path: Path, qtbot: QtBot) -> Iterator[Opened]:
    place = compare_place(theme, icons, tmp_path, loaded=False)
    made = Opened(place, qtbot)
    yield made
    made.panes.clear()
    place.close()


def test_without_a_model_there_is_a_calm_line_and_the_way_on(empty: Opened, qtbot: QtBot) -> None:
    assert not empty.sees(PanePair)
    with qtbot.waitSignal(empty.tab.model_requested):
        empty.button("compare_load_model_button").click()
    empty.place.session.enter(Loading(drafted_setup()))
    assert not empty.button("compare_load_model_button").isVisibleTo(empty.tab)
    empty.place.session.run(drafted_setup())
    assert empty.sees(PanePair)


def test_without_a_model_old_results_can_be_read(empty: Opened) -> None:
    empty.tab.show_experiment(prompt_experiment())
    assert empty.sees(PanePair)
    assert empty.line("run_reason") == "Load a model to compare."
    empty.button("compare_remark_button").click()
    assert not empty.sees(PanePair)


def test_everything_fits_into_a_usual_window_and_scrolls_in_a_small_one(opened: Opened) -> None:
    opened.tab.show_experiment(prompt_experiment(identical=False))
    area = opened.tab.findChild(QWidget, "prompt_tab_area")
    assert area is not None
    bar = area.verticalScrollBar()  # type: ignore[attr-defined]
    assert bar.maximum() == 0
    opened.tab.resize(830, 400)
    assert bar.maximum() > 0
    assert area.horizontalScrollBar().maximum() == 0  # type: ignore[attr-defined]
    assert bar.value() == 0
    opened.button("show_difference_button").click()
    assert bar.value() > 0  # the marks are in sight


def test_the_person_begins_with_the_prompt(opened: Opened, empty: Opened) -> None:
    opened.tab.activateWindow()
    opened.tab.take_focus()
    assert opened.box.focusProxy() is opened.tab.focusWidget()
    empty.tab.take_focus()
    assert empty.tab.focusWidget() is empty.button("compare_load_model_button")
