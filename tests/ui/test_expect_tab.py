"""What to expect."""

from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QSlider, QWidget
from pytestqt.qtbot import QtBot

from app.core.pass_costs import PassCosts
from app.core.protocol import CostsMeasured, CostsProgressed, Done, Failed, FailureKind
from app.ui.chart import Chart
from app.ui.expect_tab import ExpectTab
from app.ui.icons import Icons
from app.ui.theme import Theme
from app.ui.track import Track
from tests.fakes.children import child
from tests.fakes.compare_services import OTHER_DRAFT, ComparePlace, compare_place
from tests.fakes.experiments import prompt_experiment, sweep_experiment
from tests.fakes.opened_replay_tab import here
from tests.fakes.scripted_trials import ScriptedTrials
from tests.fakes.session import totals
from tests.fakes.setups import drafted_setup, plain_setup

COSTS = PassCosts((1, 2, 3, 4, 6, 9), (0.1, 0.11, 0.12, 0.13, 0.21, 0.3), 0.02, 64)


class Opened:
    """The tab on the screen, with a model loaded unless told otherwise."""

    def __init__(self, place: ComparePlace, qtbot: QtBot) -> None:
        self.place, self.qtbot = place, qtbot
        self.trials = ScriptedTrials(place.session)
        self.tab = ExpectTab(place.services)
        qtbot.addWidget(self.tab)
        self.tab.resize(1100, 640)
        self.tab.show()

    def text(self, name: str) -> str:
        return child(self.tab, QLabel, name).text()

    def button(self, name: str) -> QPushButton:
        return child(self.tab, QPushButton, name)

    def type(self, name: str, text: str) -> None:
        field = child(self.tab, QLineEdit, name)
        field.selectAll()
        self.qtbot.keyClicks(field, text)

    def field(self, name: str) -> str:
        return child(self.tab, QLineEdit, name).text()

    def measure(self, costs: PassCosts = COSTS) -> None:
        self.button("measure_costs_button").click()
        self.trials.tell(CostsMeasured(1, costs))

    def expected(self, drafted: int) -> float:
        """The speed-up with the costs that were measured, at the chance of the beginning."""
        tokens = sum(0.7**kept for kept in range(drafted + 1))
        return tokens * 0.1 / (drafted * 0.02 + COSTS.pass_s(drafted + 1))

    @property
    def curves(self) -> dict[str, tuple[tuple[float, float], ...]]:
        chart = child(self.tab, Chart, "expect_chart")
        return {each.name: each.points for each in chart.series}


@pytest.fixture
def opened(place: ComparePlace, qtbot: QtBot) -> Opened:
    return Opened(place, qtbot)


def test_it_works_without_a_model(theme: Theme, icons: Icons, tmp_path: Path, qtbot: QtBot) -> None:
    place = compare_place(theme, icons, tmp_path, loaded=False)
    opened = Opened(place, qtbot)
    assert opened.text("expected_speedup_line") == "1.10× as fast"
    assert not opened.button("measure_costs_button").isVisible()
    with qtbot.waitSignal(opened.tab.model_requested):
        opened.button("compare_load_model_button").click()
    place.session.run(plain_setup())
    assert opened.button("measure_costs_button").isVisible()
    assert not opened.button("compare_load_model_button").isVisible()
    place.close()


def test_a_number_changes_all_that_follows_from_it(opened: Opened) -> None:
    opened.type("acceptance_field", "30")
    assert (
        opened.text("simple_often_line")
        == "Right in 30 % of the rounds, plain steps in the rest: 1.16× as fast."
    )
    assert opened.text("standard_result_line") == opened.text("expected_speedup_line") + "."
    assert "it is 30 %" in opened.text("expected_sentence")
    assert max(y for _, y in opened.curves["Expected"]) < 1.0


def test_the_chart_has_every_length_against_plain_steps(opened: Opened) -> None:
    assert [x for x, _ in opened.curves["Expected"]] == list(range(1, 17))
    chart = child(opened.tab, Chart, "expect_chart")
    assert [level.value for level in chart.levels] == [1.0]


def test_the_chosen_length_is_a_point_of_the_curve(opened: Opened) -> None:
    opened.type("drafted_field", "3")
    assert opened.curves["Your draft of 3"] == (opened.curves["Expected"][2],)


def test_measuring_fills_in_the_speeds_and_the_cost_of_every_check(opened: Opened) -> None:
    opened.measure()
    assert opened.field("target_rate_field") == "10"
    assert opened.field("draft_rate_field") == "50"
    assert opened.field("check_factor_field") == "2.1"  # five drafted: a pass over six tokens
    assert opened.curves["Expected"][4][1] == pytest.approx(opened.expected(5))
    assert opened.curves["Expected"][15][1] == pytest.approx(opened.expected(16))
    assert "With each check as measured" not in opened.curves, "it is the same curve"
    assert "100 ms for a plain step" in opened.text("expect_measured_line")


def test_after_it_the_cost_of_a_check_follows_the_length_until_it_is_set(opened: Opened) -> None:
    opened.measure()
    opened.type("drafted_field", "3")
    assert opened.field("check_factor_field") == "1.3"
    opened.type("check_factor_field", "1.5")
    opened.type("drafted_field", "5")
    assert opened.field("check_factor_field") == "1.5"
    assert "With each check as measured" in opened.curves
    opened.button("follow_costs_button").click()
    assert opened.field("check_factor_field") == "2.1"
    assert not opened.button("follow_costs_button").isVisible()


def test_the_same_figures_have_the_same_result_however_they_were_typed(opened: Opened) -> None:
    """Twelve is typed through one, and beyond what was measured."""
    opened.measure()
    opened.type("drafted_field", "12")
    typed = (opened.text("expected_speedup_line"), opened.field("check_factor_field"))
    opened.type("drafted_field", "5")
    slider = child(opened.tab, QSlider, "drafted_field_slider")
    slider.setValue(round(slider.maximum() * 11 / 15))
    assert (opened.text("expected_speedup_line"), opened.field("check_factor_field")) == typed
    assert typed[1] == "4.2"  # (0.3 + 4 · 0.03) / 0.1
    assert opened.text("check_factor_field_line").endswith("going on as those measured.")


@pytest.mark.parametrize("measured", [True, False])
def test_the_best_length_that_is_told_is_that_of_the_curve(opened: Opened, measured: bool) -> None:
    if measured:
        opened.measure()
    opened.type("check_factor_field", "2.5")
    opened.type("draft_rate_field", "300")
    opened.type("acceptance_field", "95")
    values = [y for _, y in opened.curves["Expected"]]
    best = values.index(max(values)) + 1
    assert f"A draft of {best} would be best: {max(values):.2f}×." in opened.text("expected_sentence")
    assert child(opened.tab, Chart, "expect_chart").series[0].best == best - 1


def test_a_number_that_cannot_be_used_greys_the_result_and_says_why(opened: Opened) -> None:
    opened.type("drafted_field", "6")
    before = opened.text("expected_speedup_line")
    opened.type("drafted_field", "64")
    reason = "Draft length must be a number from 1 to 16."
    assert opened.text("expected_speedup_line") == before
    assert child(opened.tab, QLabel, "expected_speedup_line").property("tone") == "faint"
    assert opened.text("drafted_field_line") == reason
    assert opened.text("expected_sentence").startswith(reason)
    opened.type("drafted_field", "3")
    assert child(opened.tab, QLabel, "expected_speedup_line").property("tone") != "faint"
    assert opened.text("drafted_field_line") == "Tokens drafted before each check."


def test_the_chance_of_each_token_is_told_as_acceptance_too(opened: Opened) -> None:
    assert opened.text("acceptance_field_line") == (
        "If all before it were kept. In drafts of 5, 39\N{NO-BREAK SPACE}% of the tested tokens are accepted."
    )


def test_without_a_draft_model_its_speed_is_left_alone(opened: Opened) -> None:
    opened.measure(PassCosts((1, 2), (0.1, 0.11), None, 64))
    assert opened.field("draft_rate_field") == "30"


def test_while_it_measures_it_can_be_stopped(opened: Opened) -> None:
    opened.button("measure_costs_button").click()
    assert not opened.button("measure_costs_button").isVisible()
    opened.button("stop_measuring_button").click()
    assert opened.trials.stops == 1
    opened.trials.tell(Failed(1, FailureKind.CANCELLED, "Stopped."))
    assert opened.button("measure_costs_button").isVisible()
    assert opened.text("expect_measured_line") == "Stopped; nothing was measured."


def test_while_it_measures_its_progress_is_shown(opened: Opened) -> None:
    opened.button("measure_costs_button").click()
    opened.trials.tell(CostsProgressed(1, 4, 16))
    assert opened.text("expect_measured_line").startswith("Measuring: 4 of 16 passes, ")
    (bar,) = child(opened.tab, Track, "expect_progress").segments
    assert bar.share == 0.25
    opened.type("drafted_field", "3")  # which does not end it
    assert opened.text("expect_measured_line").startswith("Measuring")
    opened.trials.tell(CostsMeasured(1, COSTS))
    assert not child(opened.tab, Track, "expect_progress").isVisible()


def test_a_measurement_that_contradicts_itself_changes_nothing(opened: Opened) -> None:
    opened.measure(replace(COSTS, target_s=(1.42, 0.11, 0.12, 0.13, 0.21, 0.3)))
    assert opened.text("expect_measured_line").startswith("The computer is too busy to measure")
    assert opened.field("target_rate_field") == "10"
    assert opened.field("draft_rate_field") == "30"


def test_a_failure_is_told(opened: Opened) -> None:
    opened.button("measure_costs_button").click()
    opened.trials.tell(Failed(1, FailureKind.ENGINE, "The pass failed."))
    assert opened.text("expect_measured_line") == "The pass failed."


def test_while_something_else_measures_it_cannot(opened: Opened) -> None:
    opened.place.session.measure(True)
    assert not opened.button("measure_costs_button").isEnabled()
    opened.place.session.measure(False)
    assert opened.button("measure_costs_button").isEnabled()


def test_while_the_chat_answers_it_cannot(opened: Opened) -> None:
    opened.tab.hide()
    opened.place.session.generate(())
    opened.tab.show()
    measure = opened.button("measure_costs_button")
    assert not measure.isEnabled()
    assert "The chat's answer comes first." in measure.toolTip()
    opened.place.session.finish(Done((), totals()))
    assert measure.isEnabled()


def test_another_models_measurement_goes(opened: Opened) -> None:
    opened.measure()
    other = plain_setup()
    opened.place.session.run(type(other)(OTHER_DRAFT, None, other.config))
    assert not opened.button("follow_costs_button").isVisible()
    assert not child(opened.tab, QLabel, "expect_measured_line").isVisible()


def test_what_was_compared_is_on_the_chart(opened: Opened) -> None:
    opened.tab.show_experiment(sweep_experiment((10.0, 12.0), off=8.0, lookup=9.0, repeats=1))
    drafted, lookup = opened.curves["Measured, Draft Model"], opened.curves["Measured, Prompt Lookup"]
    assert [(x, round(y, 6)) for x, y in drafted] == [(1.0, 1.25), (2.0, 1.5)]
    assert [(x, round(y, 6)) for x, y in lookup] == [(3.0, 1.125)]


def test_measured_points_have_the_curve_of_their_own_figures_and_their_intervals(opened: Opened) -> None:
    opened.tab.show_experiment(prompt_experiment((8.0, 8.1, 7.9), (16.0, 16.2, 15.8)))
    ((_, own),) = [(x, y) for x, y in opened.curves["With the comparison's figures"] if x == 5.0]
    assert own == pytest.approx(2.0, rel=0.05)
    chart = child(opened.tab, Chart, "expect_chart")
    ((low, high),) = next(each.spread for each in chart.series if each.name == "Measured, Draft Model")
    assert low < 2.0 < high
    opened.button("adopt_figures_button").click()
    assert "With the comparison's figures" not in opened.curves, "it is the same curve"


def test_points_of_one_length_stand_beside_each_other(opened: Opened) -> None:
    opened.tab.show_experiment(prompt_experiment((8.0,), (16.0,)))
    opened.type("drafted_field", "5")
    assert opened.curves["Your draft of 5"][0][0] == 5.0
    assert opened.curves["Measured, Draft Model"][0][0] == pytest.approx(5.15)
    opened.type("drafted_field", "3")
    assert opened.curves["Measured, Draft Model"][0][0] == 5.0


def test_the_picture_says_what_it_is_of(opened: Opened) -> None:
    opened.tab.show_experiment(prompt_experiment((8.0,), (16.0,)))
    picture = opened.tab.picture_widget()
    assert picture is not None
    texts = [each.text() for each in picture.findChildren(QLabel)]
    assert "What to expect: 1.10× as fast" in texts
    assert any("drafted by" in text for text in texts)
    assert any(
        text.startswith("Target speed 10 tok/s · Draft speed 30 tok/s · Draft length 5") for text in texts
    )
    chart = child(picture, Chart, "expect_picture_chart")
    assert chart.series == child(opened.tab, Chart, "expect_chart").series


def test_where_it_is_low_the_chart_is_beside_the_numbers(opened: Opened) -> None:
    chart, numbers = child(opened.tab, Chart, "expect_chart"), child(opened.tab, QWidget, "expect_controls")
    for height, is_first in ((640, False), (396, True)):
        opened.tab.resize(832, height)
        opened.qtbot.wait(1)
        content = child(opened.tab, QWidget, "scroll_content")
        top = chart.mapTo(content, QPoint(0, 0)).y()
        assert (top < numbers.y() + 40) is is_first
    last = child(opened.tab, QSlider, "check_factor_field_slider")
    assert last.mapTo(content, QPoint(0, last.height())).y() <= 396
    assert chart.mapTo(content, QPoint(0, chart.height())).y() <= 396


def test_another_models_comparison_goes(opened: Opened) -> None:
    opened.tab.show_experiment(here(prompt_experiment((8.0,), (16.0,))))
    opened.place.session.run(plain_setup())  # the same target, without its draft
    assert "Measured, Draft Model" in opened.curves
    assert opened.button("adopt_figures_button").isVisible()
    other = plain_setup()
    opened.place.session.run(type(other)(OTHER_DRAFT, None, other.config))
    assert "Measured, Draft Model" not in opened.curves
    assert not opened.button("adopt_figures_button").isVisible()


def test_another_drafts_measurement_goes(opened: Opened) -> None:
    opened.measure()
    opened.type("check_factor_field", "1.5")
    opened.place.session.run(drafted_setup())  # loaded again as it was
    assert "With each check as measured" in opened.curves
    opened.place.session.run(replace(drafted_setup(), draft=OTHER_DRAFT))
    assert "With each check as measured" not in opened.curves


def test_its_figures_can_be_taken_over(opened: Opened) -> None:
    assert not opened.button("adopt_figures_button").isVisible()
    opened.tab.show_experiment(prompt_experiment((8.0,), (16.0,)))
    assert opened.field("target_rate_field") == "10"  # not before it is asked for
    opened.button("adopt_figures_button").click()
    assert opened.field("target_rate_field") == "8"
    assert opened.text("adopt_conversion_line").startswith("There ")
    assert opened.field("drafted_field") == "5"  # as long as its drafts were


def test_the_best_length_is_marked_unless_it_is_the_chosen_one(opened: Opened) -> None:
    chart = child(opened.tab, Chart, "expect_chart")
    assert chart.series[0].best == 1
    opened.type("drafted_field", "2")
    assert chart.series[0].best is None
