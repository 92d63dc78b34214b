"""Compare, a sweep over draft lengths."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.core.experiment import Experiment, ExperimentKind, PlannedRun
from app.core.options import SpeculationMode
from app.ui.chart import Chart
from app.ui.icons import Icons
from app.ui.picture_export import save_picture
from app.ui.side import Side, off_side
from app.ui.sweep_tab import SweepTab
from app.ui.theme import Theme
from tests.fakes.compare_services import ComparePlace, compare_place
from tests.fakes.compare_tabs import measured_here, part, press, words
from tests.fakes.experiments import different, experiment_of, run_of, sweep_experiment
from tests.fakes.measured_answers import ANSWER
from tests.fakes.setups import DRAFT, TARGET, drafted_setup, plain_setup

RATES = (10.1, 12.4, 14.0, 15.1, 15.2, 14.7, 14.1, 13.0)


@pytest.fixture
def place(theme: Theme, icons: Icons, tmp_path: Path) -> Iterator[ComparePlace]:
    made = compare_place(theme, icons, tmp_path)
    yield made
    made.close()


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
    place: ComparePlace, rates: Sequence[float] = RATES, *, off: float = 8.2, ended_runs: int | None = None
) -> Experiment:
    """What came of the plan that was asked for last; lookup is a little faster than off."""
    plan, _ = place.comparison.asked[-1]
    ids = [each.id for each in plan.variants]
    by_id = dict(zip(ids, (off, *rates, *(1.05 * off for _ in ids)), strict=False))
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
    assert words(tab, "sweep_amount") == "1 to 8 draft tokens and off: 24 answers in all"
    press(tab, "sweep_run_button")
    plan, sides = place.comparison.asked[-1]
    assert plan.kind is ExperimentKind.SWEEP
    assert [each.id for each in plan.variants] == [
        "off",
        *(f"draft max {length}" for length in range(1, 9)),
        *(f"lookup max {length}" for length in (2, 4, 8)),
    ]
    assert [side.draft for side in sides] == [None, *[DRAFT] * 8, None, None, None]
    assert [side.variant for side in sides] == list(plan.variants)
    assert (len(plan.prompts), plan.repeats) == (1, 2)


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
    assert ids == ["off", *(f"lookup max {length}" for length in range(1, 9))]
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
    assert words(tab, "sweep_headline") == "1.85× as fast"
    assert words(tab, "sweep_sentence") == (
        "Best here: Draft Model · max 5, 1.85× as fast as off (1.82 to 1.89): 15.4 against 8.3 tok/s."
    )
    assert words(tab, "sweep_more") == "About as good: max 4. Output identical."
    drafted, lookup = chart(tab).series
    assert (drafted.best, lookup.best) == (4, None)
    assert len(drafted.spread) == len(drafted.points) == 8
    assert [x for x, _ in lookup.points] == [2.0, 4.0, 8.0]
    remembered: list[Side] = []
    tab.remember_requested.connect(remembered.append)
    press(tab, "sweep_first_button")
    (side,) = remembered
    assert (side.variant.speculation.max_draft_tokens, side.draft) == (5, DRAFT)


def test_a_gain_within_the_noise_is_none(tab: SweepTab, place: ComparePlace) -> None:
    press(tab, "sweep_run_button")
    plan, _ = place.comparison.asked[-1]
    even = experiment_of(ExperimentKind.SWEEP, plan.variants, plan.prompts, repeats=2, speeds=wavering)
    place.comparison.finish(measured_here(even))
    assert words(tab, "sweep_headline") == "No clear gain"
    assert words(tab, "sweep_sentence").startswith("Off is as good: the fastest, Draft Model · max 1, is ")
    assert words(tab, "sweep_sentence").endswith(", which is within the noise.")
    assert press(tab, "sweep_first_button").text() == "Remembered"


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
    assert "Output differs from token 10 on, at a near-tie." in words(tab, "sweep_more")


def wavering(planned: PlannedRun) -> float:
    """Off answers with 8 and 9 tok/s, the rest with 8.6 and 8.5."""
    first, second = (8.0, 9.0) if planned.variant == "off" else (8.6, 8.5)
    return second if planned.repeat else first


def test_where_everything_is_slower_off_is_best(tab: SweepTab, place: ComparePlace) -> None:
    press(tab, "sweep_run_button")
    place.comparison.finish(
        outcome(place, [9.0 - length / 10 for length in range(8)], off=12.0, ended_runs=9)
    )
    assert words(tab, "sweep_headline") == "Off is best"
    assert "Everything is slower than off here" in words(tab, "sweep_sentence")
    assert "One run each: repeat to be sure." in words(tab, "sweep_more")
    assert "Stopped early." in words(tab, "sweep_more")
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
    for text in ("Draft Model", "Prompt Lookup", "Off · 8.3", "15.4"):
        assert f">{text}</text>" in content
