"""What to expect."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from app.core.pass_costs import PassCosts
from app.core.protocol import CostsMeasured, Failed, FailureKind
from app.ui.chart import Chart
from app.ui.expect_tab import ExpectTab
from app.ui.icons import Icons
from app.ui.theme import Theme
from tests.fakes.children import child
from tests.fakes.compare_services import OTHER_DRAFT, ComparePlace, compare_place
from tests.fakes.experiments import prompt_experiment, sweep_experiment
from tests.fakes.scripted_trials import ScriptedTrials
from tests.fakes.setups import plain_setup

COSTS = PassCosts((0.1, 0.11, 0.12, 0.13, 0.2, 0.21, 0.22, 0.23, 0.3), 0.02, 64)


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

    @property
    def curves(self) -> dict[str, tuple[tuple[float, float], ...]]:
        chart = child(self.tab, Chart, "expect_chart")
        return {each.name: each.points for each in chart.series}


@pytest.fixture
def place(theme: Theme, icons: Icons, tmp_path: Path, qtbot: QtBot) -> Iterator[ComparePlace]:
    made = compare_place(theme, icons, tmp_path)
    yield made
    made.close()


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
    assert opened.text("simple_often_line") == "Right in 30 % of the rounds: 1.16× as fast."
    assert opened.text("standard_result_line") == opened.text("expected_speedup_line") + "."
    assert "30 % are assumed" in opened.text("expected_sentence")
    assert max(y for _, y in opened.curves["Expected"]) < 1.0


def test_the_chart_has_every_length_against_plain_steps(opened: Opened) -> None:
    assert [x for x, _ in opened.curves["Expected"]] == list(range(1, 17))
    chart = child(opened.tab, Chart, "expect_chart")
    assert [level.value for level in chart.levels] == [1.0]
    assert opened.tab.picture_widget() is chart


def test_the_chosen_length_is_a_point_of_the_curve(opened: Opened) -> None:
    opened.type("drafted_field", "3")
    assert opened.curves["Your draft of 3"] == (opened.curves["Expected"][2],)


def test_measuring_fills_in_the_speeds_and_a_second_curve(opened: Opened) -> None:
    opened.measure()
    assert opened.field("target_rate_field") == "10"
    assert opened.field("draft_rate_field") == "50"
    assert opened.field("check_factor_field") == "2.1"  # five drafted: a pass over six tokens
    measured = opened.curves["Expected, each check as measured"]
    assert [x for x, _ in measured] == list(range(1, 9))
    assert "a plain step takes 100 ms" in opened.text("expect_measured_line")


def test_after_it_the_cost_of_a_check_follows_the_length_until_it_is_set(opened: Opened) -> None:
    opened.measure()
    opened.type("drafted_field", "3")
    assert opened.field("check_factor_field") == "1.3"
    opened.type("check_factor_field", "1.5")
    opened.type("drafted_field", "5")
    assert opened.field("check_factor_field") == "1.5"


def test_without_a_draft_model_its_speed_is_left_alone(opened: Opened) -> None:
    opened.measure(PassCosts((0.1, 0.11), None, 64))
    assert opened.field("draft_rate_field") == "30"


def test_while_it_measures_it_can_be_stopped(opened: Opened) -> None:
    opened.button("measure_costs_button").click()
    assert not opened.button("measure_costs_button").isVisible()
    opened.button("stop_measuring_button").click()
    assert opened.trials.stops == 1
    opened.trials.tell(Failed(1, FailureKind.CANCELLED, "Stopped."))
    assert opened.button("measure_costs_button").isVisible()
    assert not child(opened.tab, QLabel, "expect_measured_line").isVisible()


def test_a_failure_is_told(opened: Opened) -> None:
    opened.button("measure_costs_button").click()
    opened.trials.tell(Failed(1, FailureKind.ENGINE, "The pass failed."))
    assert opened.text("expect_measured_line") == "The pass failed."


def test_while_something_else_measures_it_cannot(opened: Opened) -> None:
    opened.place.session.measure(True)
    assert not opened.button("measure_costs_button").isEnabled()
    opened.place.session.measure(False)
    assert opened.button("measure_costs_button").isEnabled()


def test_while_the_chat_answers_that_is_the_reason(opened: Opened) -> None:
    opened.place.session.is_answering = True
    opened.button("measure_costs_button").click()
    assert opened.text("expect_measured_line") == "The chat is answering. Measure when it is done."


def test_another_models_measurement_goes(opened: Opened) -> None:
    opened.measure()
    other = plain_setup()
    opened.place.session.run(type(other)(OTHER_DRAFT, None, other.config))
    assert "Expected, each check as measured" not in opened.curves
    assert not child(opened.tab, QLabel, "expect_measured_line").isVisible()


def test_what_was_compared_is_on_the_chart(opened: Opened) -> None:
    opened.tab.show_experiment(sweep_experiment((10.0, 12.0), off=8.0, lookup=9.0, repeats=1))
    drafted, lookup = opened.curves["Measured, Draft Model"], opened.curves["Measured, Prompt Lookup"]
    assert [(x, round(y, 6)) for x, y in drafted] == [(1.0, 1.25), (2.0, 1.5)]
    assert [(x, round(y, 6)) for x, y in lookup] == [(3.0, 1.125)]


def test_its_figures_can_be_taken_over(opened: Opened) -> None:
    assert not opened.button("adopt_figures_button").isVisible()
    opened.tab.show_experiment(prompt_experiment((8.0,), (16.0,)))
    assert opened.field("target_rate_field") == "10"  # not before it is asked for
    opened.button("adopt_figures_button").click()
    assert opened.field("target_rate_field") == "8"
    assert opened.field("drafted_field") == "5"
