"""Compare, a sweep over draft lengths."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from pytestqt.qtbot import QtBot

from app.core.experiment import Experiment, ExperimentKind, PlannedRun
from app.core.options import SpeculationMode
from app.ui.chart import Chart
from app.ui.icons import Icons
from app.ui.picture_export import save_picture
from app.ui.session_state import Empty
from app.ui.side import Side, off_side
from app.ui.sweep_tab import SweepTab
from app.ui.theme import Theme
from app.ui.variant_dialog import VariantDialog
from tests.fakes.compare_services import ComparePlace, compare_place
from tests.fakes.compare_tabs import measured_here, part, press, words
from tests.fakes.experiments import different, experiment_of, run_of, sweep_experiment
from tests.fakes.measured_answers import ANSWER
from tests.fakes.setups import DRAFT, TARGET, drafted_setup, plain_setup

RATES = (10.1, 12.4, 14.0, 15.1, 15.2, 14.7, 14.1, 13.0)


@pytest.fixture
def tab(place: ComparePlace, qtbot: QtBot) -> SweepTab:
    made = SweepTab(place.services)
    qtbot.addWidget(made)
    made.resize(1100, 600)
    made.show()
    return made


def chart(tab: SweepTab) -> Chart:
    found = tab.findChild(Chart)
    assert found is not None
    return found


def outcome(
    place: ComparePlace,
    rates: Sequence[float] = RATES,
    *,
    off: float = 8.2,
    automatic: float | None = None,
    ended_runs: int | None = None,
) -> Experiment:
    """What came of the plan that was asked for last; what has no rate is a little faster than off."""
    plan, _ = place.comparison.asked[-1]
    ids = [each.id for each in plan.variants]
    by_id = dict(zip(ids, (off, *rates, *(1.05 * off for _ in ids)), strict=False))
    if automatic is not None:
        by_id["auto"] = automatic
    return measured_here(
        experiment_of(
            ExperimentKind.SWEEP,
            plan.variants,
            plan.prompts,
            repeats=plan.repeats,
            speeds=lambda planned: by_id[planned.variant] * (1 + 0.02 * planned.repeat),
            ended_runs=ended_runs,
        )
    )


def test_it_tries_every_length_with_the_draft_model_and_some_with_lookup(
    tab: SweepTab, place: ComparePlace
) -> None:
    assert words(tab, "sweep_amount") == ("1 to 8 draft tokens, lookup, automatic and off: 39 answers in all")
    press(tab, "sweep_run_button")
    plan, sides = place.comparison.asked[-1]
    assert plan.kind is ExperimentKind.SWEEP
    assert [each.id for each in plan.variants] == [
        "off",
        *(f"draft max {length}" for length in range(1, 9)),
        *(f"lookup max {length}" for length in (2, 4, 8)),
        "auto",
    ]
    assert [side.draft for side in sides] == [None, *[DRAFT] * 8, None, None, None, DRAFT]
    assert [side.variant for side in sides] == list(plan.variants)
    assert (len(plan.prompts), plan.repeats) == (1, 3)


def test_a_minimum_never_exceeds_the_length(tab: SweepTab, place: ComparePlace) -> None:
    place.session.run(drafted_setup(min_draft_tokens=3, draft_probability=0.4))
    config = drafted_setup(min_draft_tokens=3, draft_probability=0.4).config
    place.services.preferences.remember(TARGET.path, config)
    press(tab, "sweep_run_button")
    drafted = place.comparison.asked[-1][0].variants[1:9]
    assert [each.speculation.min_draft_tokens for each in drafted] == [1, 2, 3, 3, 3, 3, 3, 3]
    assert {each.speculation.draft_probability for each in drafted} == {0.4}
    assert not any(each.speculation.problems() for each in drafted)


def test_without_a_draft_model_lookup_is_swept(
    theme: Theme, icons: Icons, tmp_path: Path, qtbot: QtBot
) -> None:
    place = compare_place(theme, icons, tmp_path, draft=False)
    place.session.run(plain_setup(SpeculationMode.PROMPT_LOOKUP))
    tab = SweepTab(place.services)
    qtbot.addWidget(tab)
    tab.show()
    press(tab, "sweep_run_button")
    ids = [each.id for each in place.comparison.asked[-1][0].variants]
    assert ids == ["off", *(f"lookup max {length}" for length in range(1, 9)), "lookup auto"]
    place.close()


def test_the_chart_fills_while_it_runs(tab: SweepTab, place: ComparePlace) -> None:
    assert chart(tab).is_empty
    press(tab, "sweep_run_button")
    plan, _ = place.comparison.asked[-1]
    for rate in (8.2, 10.1, 12.4):
        planned = place.comparison.begin()
        place.comparison.end_run(run_of(plan.variant(planned.variant), rate, prompt=planned.prompt))
    (series,) = chart(tab).series
    assert (series.name, series.best) == ("Draft Model", 1)
    assert [x for x, _ in series.points] == [1.0, 2.0]
    assert [y for _, y in series.points] == pytest.approx([10.1, 12.4])
    assert series.spread == ()
    (level,) = chart(tab).levels
    assert level.name == "Off · 8.2"
    assert words(tab, "sweep_progress_line") == "So far the fastest: Draft Model · max 2, 12.4 tok/s."
    assert words(tab, "sweep_headline") == ""


def test_the_best_is_told_marked_and_used(tab: SweepTab, place: ComparePlace) -> None:
    press(tab, "sweep_run_button")
    place.comparison.finish(outcome(place))
    assert words(tab, "sweep_headline") == "1.9× as fast"
    assert words(tab, "sweep_interval") == "1.8 to 1.9, median of 3"
    assert words(tab, "sweep_sentence") == (
        "Best here: Draft Model · max 5, 1.85× as fast as off: 15.5 against 8.4 tok/s. "
        "Output identical, 96 of 96 tokens."
    )
    assert words(tab, "sweep_advice") == "About as good: max 4."
    assert [level.name for level in chart(tab).levels] == ["Off · 8.4", "Draft Model · automatic · 8.8"]
    drafted, lookup = chart(tab).series
    assert (drafted.best, lookup.best) == (4, None)
    assert len(drafted.spread) == len(drafted.points) == 8
    assert [x for x, _ in lookup.points] == [2.0, 4.0, 8.0]
    remembered: list[Side] = []
    tab.remember_requested.connect(remembered.append)
    press(tab, "sweep_first_button")
    (side,) = remembered
    assert (side.variant.speculation.max_draft_tokens, side.draft) == (5, DRAFT)


def test_automatic_can_be_the_best_and_be_used(tab: SweepTab, place: ComparePlace) -> None:
    press(tab, "sweep_run_button")
    place.comparison.finish(outcome(place, automatic=16.0))
    assert words(tab, "sweep_sentence").startswith("Best here: Draft Model · automatic, 1.95× as fast as off")
    assert [each.best for each in chart(tab).series] == [None, None]
    assert chart(tab).levels[1].value == pytest.approx(16.0 * 1.02)
    remembered: list[Side] = []
    tab.remember_requested.connect(remembered.append)
    press(tab, "sweep_first_button")
    assert [(side.variant.id, side.draft) for side in remembered] == [("auto", DRAFT)]


def test_a_gain_within_the_noise_is_none(tab: SweepTab, place: ComparePlace) -> None:
    press(tab, "sweep_run_button")
    plan, _ = place.comparison.asked[-1]
    even = experiment_of(ExperimentKind.SWEEP, plan.variants, plan.prompts, repeats=3, speeds=wavering)
    place.comparison.finish(measured_here(even))
    assert words(tab, "sweep_headline") == "No gain"
    assert words(tab, "sweep_sentence").startswith(
        "Nothing clearly beats off; the fastest, Draft Model · max 1, "
    )
    assert press(tab, "sweep_first_button").text() == "Remembered"
    assert words(tab, "sweep_advice") == f"Remembered for {TARGET.name}"


def test_another_text_is_told(tab: SweepTab, place: ComparePlace) -> None:
    press(tab, "sweep_run_button")
    plan, _ = place.comparison.asked[-1]
    other = experiment_of(
        ExperimentKind.SWEEP,
        plan.variants,
        plan.prompts,
        answers=lambda planned: ANSWER if planned.variant == "off" else different(ANSWER),
    )
    place.comparison.finish(measured_here(other))
    assert "Output differs from token 10 on, at a near-tie." in words(tab, "sweep_sentence")


def wavering(planned: PlannedRun) -> float:
    """Off answers with 8.3 to 8.7 tok/s, the rest with 8.5 to 8.6."""
    speeds = (8.3, 8.7, 8.5) if planned.variant == "off" else (8.6, 8.5, 8.55)
    return speeds[planned.repeat]


def test_what_was_stopped_early_claims_nothing_of_all(tab: SweepTab, place: ComparePlace) -> None:
    press(tab, "sweep_run_button")
    place.comparison.finish(
        outcome(place, [9.0 - length / 10 for length in range(8)], off=12.0, ended_runs=9)
    )
    assert words(tab, "sweep_headline") == "No gain so far"
    assert "Nothing tried so far beats off;" in words(tab, "sweep_sentence")
    assert words(tab, "sweep_interval") == "one run each: repeat to be sure"
    assert "Stopped early." in words(tab, "sweep_sentence")
    remembered: list[Side] = []
    tab.remember_requested.connect(remembered.append)
    press(tab, "sweep_first_button")
    assert remembered[0].variant.speculation.mode is SpeculationMode.OFF


def test_off_cannot_be_swept(tab: SweepTab, place: ComparePlace) -> None:
    place.session.run(plain_setup())
    place.services.preferences.remember(
        TARGET.path,
        plain_setup(SpeculationMode.PROMPT_LOOKUP).config,
    )
    assert part(tab, "sweep_run_button").isEnabled()
    tab.picker.show_side(off_side())
    tab.picker.side_chosen.emit(off_side())
    assert words(tab, "sweep_run_reason") == "Choose a draft model or prompt lookup."
    assert not part(tab, "sweep_run_button").isEnabled()


def test_what_was_measured_before_is_shown_with_its_prompt(tab: SweepTab) -> None:
    tab.show_experiment(sweep_experiment())
    assert words(tab, "compare_remark_line").startswith("Measured 2025-06-15 ")
    assert words(tab, "sweep_caption") == (
        "Coder 1.5B Instruct · F16, drafted by Coder 0.5B Instruct · Q4_K_M — Example CPU"
    )
    assert part(tab, "sweep_first_button").isHidden()  # another model's
    press(tab, "compare_remark_button")
    assert chart(tab).is_empty
    assert tab.picture_widget() is None


def test_a_problem_is_told(tab: SweepTab, place: ComparePlace) -> None:
    press(tab, "sweep_run_button")
    place.comparison.fail("The engine crashed.")
    assert words(tab, "compare_remark_line") == "The engine crashed."
    assert chart(tab).is_empty


def test_without_a_model_it_leads_to_one(theme: Theme, icons: Icons, tmp_path: Path, qtbot: QtBot) -> None:
    place = compare_place(theme, icons, tmp_path, loaded=False)
    tab = SweepTab(place.services)
    qtbot.addWidget(tab)
    tab.show()
    with qtbot.waitSignal(tab.model_requested):
        press(tab, "compare_load_model_button")
    place.close()


def test_the_picture_is_the_chart_with_its_caption(
    tab: SweepTab, place: ComparePlace, qtbot: QtBot, tmp_path: Path
) -> None:
    press(tab, "sweep_run_button")
    place.comparison.finish(outcome(place))
    qtbot.waitUntil(lambda: tab.findChild(QWidget, "sweep_chart_plot") is not None, timeout=20_000)
    QApplication.processEvents()
    picture = tab.picture_widget()
    assert picture is not None
    save_picture(picture, tmp_path / "sweep.svg")
    content = (tmp_path / "sweep.svg").read_text(encoding="utf-8")
    for text in ("Draft Model", "Prompt Lookup", "Off · 8.4", "15.5"):
        assert f">{text}</text>" in content


def test_the_chart_waits_while_something_else_is_timed(place: ComparePlace, qtbot: QtBot) -> None:
    """What it plots with takes long to load."""
    place.session.measure(True)
    tab = SweepTab(place.services)
    qtbot.addWidget(tab)
    tab.show()
    QApplication.processEvents()
    assert tab.findChild(QWidget, "sweep_chart_plot") is None
    place.session.measure(False)
    qtbot.waitUntil(lambda: tab.findChild(QWidget, "sweep_chart_plot") is not None, timeout=20_000)


def test_a_model_that_goes_midway_leaves_what_was_measured(tab: SweepTab, place: ComparePlace) -> None:
    press(tab, "sweep_run_button")
    measured = outcome(place, ended_runs=13)
    place.session.enter(Empty())
    place.comparison.fail("The model was unloaded.", measured)
    assert words(tab, "compare_remark_line") == "The model was unloaded."
    assert not chart(tab).is_empty


def test_another_question_clears_the_result(tab: SweepTab, place: ComparePlace) -> None:
    press(tab, "sweep_run_button")
    place.comparison.finish(outcome(place))
    tab.picker.side_chosen.emit(tab.picker.side)
    assert tab.experiment is None
    assert words(tab, "sweep_headline") == ""
    assert words(tab, "compare_remark_line").startswith("The question has changed")


def test_the_settings_do_not_ask_for_a_length(tab: SweepTab) -> None:
    tab.picker.click()
    menu = tab.picker.findChild(QMenu)
    assert menu is not None
    action = menu.findChild(QAction, "configure_variant_action")
    assert action is not None
    menu.close()
    action.trigger()
    dialog = tab.window().findChild(VariantDialog)
    assert dialog is not None
    assert not part(dialog, "draft_length_choice").isVisible()
    assert part(dialog, "min_draft_tokens_field").isVisible()
    dialog.reject()


def test_the_length_is_no_choice_and_off_none_either(tab: SweepTab) -> None:
    assert tab.picker.text() == "Draft Model"
    tab.picker.click()
    menu = tab.picker.findChild(QMenu)
    assert menu is not None
    shown = [each.text() for each in menu.actions() if each.isVisible() and not each.isSeparator()]
    menu.close()
    assert shown == ["Draft Model", "Prompt Lookup", "Configure…"]
