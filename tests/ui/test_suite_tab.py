"""Compare, a suite of prompts."""

from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QMenu, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.core.experiment import Experiment, ExperimentKind, Plan
from app.core.options import GenerationLimits, SamplingOptions, SpeculationMode
from app.ui.form_parts import ChoiceBox
from app.ui.icons import Icons
from app.ui.picture_export import save_picture
from app.ui.session_state import Empty, Running
from app.ui.side import Side, off_side
from app.ui.suite_tab import SuiteTab
from app.ui.suite_view import SuiteView
from app.ui.theme import Theme
from app.ui.variant_picker import VariantPicker
from tests.fakes.compare_services import ComparePlace, compare_place
from tests.fakes.compare_tabs import measured_here, part, press, words
from tests.fakes.experiments import CODE, DRAFTED, OFF, experiment_of, run_of, suite_experiment
from tests.fakes.setups import DRAFT, TARGET

PLAN = Plan(ExperimentKind.PROMPT, (OFF, DRAFTED), (CODE,), 1, SamplingOptions(), GenerationLimits())


@pytest.fixture
def tab(place: ComparePlace, qtbot: QtBot) -> SuiteTab:
    return opened(place, qtbot)


def opened(place: ComparePlace, qtbot: QtBot) -> SuiteTab:
    made = SuiteTab(place.services)
    qtbot.addWidget(made)
    made.resize(1100, 600)
    made.show()
    return made


def rows(tab: SuiteTab) -> list[list[str]]:
    view = tab.findChild(SuiteView)
    assert view is not None
    model = view.model()
    return [[str(model.index(row, column).data()) for column in range(5)] for row in range(model.rowCount())]


def outcome(place: ComparePlace, gain: float = 1.5, *, ended_runs: int | None = None) -> Experiment:
    """What came of the plan that was asked for last."""
    plan, _ = place.comparison.asked[-1]
    experiment = experiment_of(
        ExperimentKind.SUITE,
        plan.variants,
        plan.prompts,
        repeats=plan.repeats,
        speeds=lambda planned: 10.0 * (1.0 if planned.variant == "off" else gain),
        ended_runs=ended_runs,
    )
    return measured_here(experiment)


def test_it_runs_one_prompt_of_each_kind_both_ways(tab: SuiteTab, place: ComparePlace) -> None:
    assert words(tab, "suite_amount") == "16 answers in all"
    press(tab, "suite_run_button")
    plan, sides = place.comparison.asked[-1]
    assert plan.kind is ExperimentKind.SUITE
    assert [prompt.suite for prompt in plan.prompts] == [suite.name for suite in place.services.suites]
    assert [each.id for each in plan.variants] == ["off", "auto"]
    assert [side.variant for side in sides] == list(plan.variants)
    assert (plan.repeats, plan.limits.max_tokens) == (1, 96)


def test_the_models_system_prompt_goes_before_prompts_without_one(tab: SuiteTab, place: ComparePlace) -> None:
    state = place.session.state
    assert isinstance(state, Running)
    setup = state.setup
    place.session.run(replace(setup, config=replace(setup.config, system_prompt="Be brief.", seed=7)))
    press(tab, "suite_run_button")
    plan, _ = place.comparison.asked[-1]
    own = {prompt.id: prompt.system for suite in place.services.suites for prompt in suite.prompts}
    assert [prompt.system for prompt in plan.prompts] == [
        own[prompt.id] or "Be brief." for prompt in plan.prompts
    ]
    assert plan.sampling.seed == 7


def test_rows_appear_as_runs_end(tab: SuiteTab, place: ComparePlace) -> None:
    press(tab, "suite_run_button")
    assert rows(tab) == []
    plan, _ = place.comparison.asked[-1]
    for rate in (10.0, 15.0, 12.0):
        planned = place.comparison.begin()
        run = run_of(plan.variant(planned.variant), rate, prompt=planned.prompt)
        place.comparison.end_run(run)
    first, second, whole = rows(tab)
    assert first[2:] == ["10.0", "15.0", "1.50×"]
    assert second[2:] == ["–", "12.0", "–"]
    assert whole[:2] == ["All", "1 prompt"], "those that were run both ways"
    assert words(tab, "suite_headline") == ""  # nothing is concluded yet


def test_the_result_is_told_with_its_advice(tab: SuiteTab, place: ComparePlace) -> None:
    press(tab, "suite_run_button")
    place.comparison.finish(outcome(place))
    assert words(tab, "suite_headline") == "1.5× as fast"
    assert words(tab, "suite_interval") == "one run each: repeat to be sure"
    assert words(tab, "suite_sentence") == (
        "Faster on 8 of 8 prompts, 1.50× on average. Output identical on all of them."
    )
    remembered: list[Side] = []
    tab.remember_requested.connect(remembered.append)
    button = part(tab, "suite_second_button")
    assert isinstance(button, QPushButton)
    assert (button.text(), button.property("kind")) == ("Keep it on", "plain")  # of single runs
    button.click()
    assert [(side.variant.id, side.draft) for side in remembered] == [("auto", DRAFT)]
    assert button.text() == "Remembered"
    assert words(tab, "suite_advice") == f"Remembered for {TARGET.name}"


def test_a_loss_is_advised_to_be_turned_off(tab: SuiteTab, place: ComparePlace) -> None:
    press(tab, "suite_run_button")
    place.comparison.finish(outcome(place, 0.8))
    remembered: list[Side] = []
    tab.remember_requested.connect(remembered.append)
    button = part(tab, "suite_first_button")
    assert isinstance(button, QPushButton)
    assert (button.text(), button.property("kind")) == ("Turn off", "plain")  # of single runs
    button.click()
    assert remembered[0].variant.speculation.mode is SpeculationMode.OFF


def test_stopped_early_it_shows_what_was_measured(tab: SuiteTab, place: ComparePlace) -> None:
    press(tab, "suite_run_button")
    place.comparison.begin()
    press(tab, "suite_stop_run_button")
    assert place.comparison.stops == 1
    place.comparison.finish(outcome(place, ended_runs=3))
    assert len(rows(tab)) == 3
    assert "Stopped early." in words(tab, "suite_sentence")


def test_a_problem_is_told_with_what_was_measured(tab: SuiteTab, place: ComparePlace) -> None:
    press(tab, "suite_run_button")
    place.comparison.fail("The engine ran out of memory.", outcome(place, ended_runs=2))
    assert words(tab, "compare_remark_line") == "The engine ran out of memory."
    assert rows(tab)
    press(tab, "suite_run_button")
    place.comparison.fail("The prompt is too long.")
    assert words(tab, "compare_remark_line") == "The prompt is too long."
    assert tab.picture_widget() is None


def test_a_refusal_is_told(tab: SuiteTab, place: ComparePlace) -> None:
    place.comparison.refusal = "Something is in the way."
    press(tab, "suite_run_button")
    assert words(tab, "compare_remark_line") == "Something is in the way."


def test_nothing_can_be_chosen_while_it_runs(tab: SuiteTab, place: ComparePlace) -> None:
    press(tab, "suite_run_button")
    for name in ("suite_prompts_picker", "suite_left_picker", "suite_right_picker"):
        assert not part(tab, name).isEnabled()
    place.comparison.give_up()
    for name in ("suite_prompts_picker", "suite_left_picker", "suite_right_picker"):
        assert part(tab, name).isEnabled()


def test_another_comparison_and_the_chat_come_first(tab: SuiteTab, place: ComparePlace) -> None:
    run = part(tab, "suite_run_button")
    place.comparison.start(PLAN, ())
    assert not run.isEnabled()
    assert words(tab, "suite_run_reason") == "Another comparison is running."
    place.comparison.end_run(run_of())
    assert rows(tab) == []  # another tab's
    place.comparison.finish(suite_experiment())
    assert run.isEnabled()
    tab.hide()
    place.session.is_answering = True
    tab.show()
    assert words(tab, "suite_run_reason") == "The chat's answer comes first."


def test_without_a_model_it_leads_to_one(theme: Theme, icons: Icons, tmp_path: Path, qtbot: QtBot) -> None:
    place = compare_place(theme, icons, tmp_path, loaded=False)
    tab = opened(place, qtbot)
    with qtbot.waitSignal(tab.model_requested):
        press(tab, "compare_load_model_button")
    tab.show_experiment(suite_experiment())  # what was measured before can be looked at
    assert words(tab, "suite_headline") == "1.7× as fast"
    assert part(tab, "suite_first_button").isHidden()
    place.close()


def test_what_was_measured_before_is_dated_and_put_away(tab: SuiteTab) -> None:
    tab.show_experiment(suite_experiment())
    assert words(tab, "compare_remark_line").startswith("Measured 2025-06-15 ")
    assert part(tab, "suite_first_button").isHidden()  # another model's
    assert tab.picture_widget() is not None
    press(tab, "compare_remark_button")
    assert tab.experiment is None
    assert words(tab, "compare_remark_line") == ""
    assert words(tab, "suite_headline") == ""
    assert tab.picture_widget() is None


def test_what_was_measured_with_this_model_can_still_be_kept(tab: SuiteTab, place: ComparePlace) -> None:
    tab.show_experiment(measured_here(suite_experiment((OFF, DRAFTED))))
    assert part(tab, "suite_second_button").isVisible()
    place.session.enter(Empty())
    assert part(tab, "suite_second_button").isHidden()


def test_a_running_suite_is_not_painted_over(tab: SuiteTab) -> None:
    press(tab, "suite_run_button")
    tab.show_experiment(suite_experiment())
    assert tab.experiment is None
    assert rows(tab) == []


def test_of_three_variants_one_is_chosen(tab: SuiteTab) -> None:
    tab.show_experiment(
        suite_experiment(gains={"code-quicksort": 2.0, "story-lighthouse": 0.9, "copy-letter": 2.6})
    )
    box = part(tab, "suite_variant_box")
    assert isinstance(box, ChoiceBox)
    assert [box.itemText(number) for number in range(box.count())] == [
        "Draft Model · max 5 · Coder 0.5B Instruct · Q4_K_M",
        "Prompt Lookup · max 3",
    ]
    box.setCurrentIndex(1)
    box.activated.emit(1)
    view = tab.findChild(SuiteView)
    assert view is not None
    assert view.model().headerData(3, Qt.Orientation.Horizontal) == "Prompt Lookup, tok/s"


def test_a_file_with_plain_generation_alone_has_its_rates(tab: SuiteTab) -> None:
    tab.show_experiment(suite_experiment((OFF, DRAFTED)))
    tab.show_experiment(suite_experiment((OFF,)))
    assert [row[1:] for row in rows(tab)] == [
        ["code-quicksort", "8.3", "–", "–"],
        ["story-lighthouse", "8.3", "–", "–"],
        ["copy-letter", "8.3", "–", "–"],
        ["3 prompts", "8.3", "–", "–"],
    ]
    assert words(tab, "suite_headline") == ""
    assert tab.picture_widget() is None
    tab.show_experiment(suite_experiment((OFF, DRAFTED)))
    assert [row[3] for row in rows(tab)] == ["16.6", "7.5", "21.6", "13.9"]


def test_a_row_that_is_chosen_tells_more(tab: SuiteTab) -> None:
    tab.show_experiment(suite_experiment((OFF, DRAFTED), identical=False))
    view = tab.findChild(SuiteView)
    assert view is not None
    assert words(tab, "suite_details") == ""
    view.selectRow(1)
    assert words(tab, "suite_details").startswith("The answers part at token 10: Off goes on with “:” ")


def test_times_are_told_from_the_second_run_on(tab: SuiteTab, place: ComparePlace) -> None:
    press(tab, "suite_run_button")
    place.comparison.finish(outcome(place))
    assert words(tab, "suite_amount") == "16 answers in all, about 3 min 15 s"


def choose(tab: SuiteTab, name: str) -> None:
    press_picker = part(tab, "suite_prompts_picker")
    press_picker.click()  # type: ignore[attr-defined]
    menu = tab.findChild(QMenu, "suite_prompts_picker_menu")
    assert menu is not None
    action = next(action for action in menu.actions() if action.objectName() == name)
    action.trigger()
    menu.close()


def test_prompts_are_chosen_by_kind(tab: SuiteTab, place: ComparePlace) -> None:
    suites = place.services.suites
    every = [prompt.id for suite in suites for prompt in suite.prompts]
    for name, wanted in (
        ("all", every),
        ("kind_story", [prompt.id for suite in suites if suite.name == "story" for prompt in suite.prompts]),
        ("each", [suite.prompts[0].id for suite in suites]),
    ):
        choose(tab, f"choose_prompts_{name}_action")
        assert words(tab, "suite_amount") == f"{2 * len(wanted)} answers in all"
        press(tab, "suite_run_button")
        assert [prompt.id for prompt in place.comparison.asked[-1][0].prompts] == wanted
        place.comparison.give_up()


def test_prompts_of_ones_own_come_from_a_file(tab: SuiteTab, place: ComparePlace, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        'title = "Mine"\n[[prompt]]\nid = "one"\ntext = "1"\n[[prompt]]\nid = "two"\ntext = "2"\n'
    )
    tab.prompts_picker.open_file(file)
    assert tab.prompts_picker.text() == "Mine · 2 prompts"
    press(tab, "suite_run_button")
    planned = place.comparison.begin()
    place.comparison.end_run(run_of(OFF, 8.2, prompt=planned.prompt))
    view = tab.findChild(SuiteView)
    assert view is not None
    assert view.model().index(0, 0).data() == "Mine"
    assert [prompt.id for prompt in place.comparison.asked[-1][0].prompts] == ["one", "two"]


def test_a_file_that_cannot_be_used_is_told(tab: SuiteTab, place: ComparePlace, tmp_path: Path) -> None:
    file = tmp_path / "broken.toml"
    file.write_text("title = ")
    tab.prompts_picker.open_file(file)
    assert words(tab, "compare_remark_line").startswith("broken.toml is not a TOML file")
    assert tab.prompts_picker.text() == "One prompt of each kind"


def test_the_picture_has_all_rows(tab: SuiteTab, tmp_path: Path) -> None:
    tab.resize(700, 300)
    tab.show_experiment(suite_experiment((OFF, DRAFTED)))
    picture = tab.picture_widget()
    assert picture is not None
    view = picture.findChild(SuiteView)
    assert view is not None
    assert view.height() >= view.content_height
    save_picture(picture, tmp_path / "suite.svg")
    content = (tmp_path / "suite.svg").read_text(encoding="utf-8")
    for text in ("copy-letter", "2.60×", "3 prompts", "1.7× as fast"):
        assert f">{text}</text>" in content
    save_picture(picture, tmp_path / "suite.png")
    assert QImage(str(tmp_path / "suite.png")).width() == 2 * (1000 + 32)


def test_controls_have_names(tab: SuiteTab) -> None:
    for name in ("suite_prompts_picker", "suite_left_picker", "suite_right_picker", "suite_view"):
        assert part(tab, name).accessibleName()
    tab.take_focus()
    focused = tab.window().focusWidget()
    assert isinstance(focused, QWidget)
    assert focused.objectName() == "suite_prompts_picker"


def test_a_model_that_goes_midway_leaves_what_was_measured(tab: SuiteTab, place: ComparePlace) -> None:
    press(tab, "suite_run_button")
    place.session.enter(Empty())
    place.comparison.fail("The model was unloaded.", measured_here(suite_experiment(ended_runs=13)))
    assert words(tab, "compare_remark_line") == "The model was unloaded."
    assert words(tab, "suite_headline") != ""


def test_another_question_clears_the_result(tab: SuiteTab, place: ComparePlace) -> None:
    picker = part(tab, "suite_left_picker")
    assert isinstance(picker, VariantPicker)
    for number in range(2):
        press(tab, "suite_run_button")
        place.comparison.finish(measured_here(suite_experiment()))
        assert words(tab, "suite_headline") != ""
        if number:
            tab.prompts_picker.prompts_chosen.emit()
        else:
            picker.side_chosen.emit(off_side())
        assert tab.experiment is None
        assert words(tab, "suite_headline") == ""
        assert words(tab, "compare_remark_line").startswith("The question has changed")
