"""Compare's tab for one prompt, on the screen."""

from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.core.experiment import Experiment, Plan
from app.ui.finding_card import FindingCard
from app.ui.pane_pair import PanePair
from app.ui.prompt_box import PromptBox
from app.ui.prompt_tab import PromptTab
from app.ui.side import Side
from tests.fakes.compare_services import ComparePlace
from tests.fakes.compare_tabs import measured_here
from tests.fakes.experiments import experiment_of


class Opened:
    """The tab on the screen."""

    def __init__(self, place: ComparePlace, qtbot: QtBot) -> None:
        self.place = place
        self.tab = PromptTab(place.services)
        self.remembered: list[Side] = []
        self.tab.remember_requested.connect(self.remembered.append)
        qtbot.addWidget(self.tab)
        self.tab.resize(1150, 640)
        self.tab.show()

    def part(self, kind: type[QWidget]) -> QWidget:
        found = self.tab.findChild(kind)
        assert isinstance(found, kind)
        return found

    @property
    def panes(self) -> PanePair:
        found = self.part(PanePair)
        assert isinstance(found, PanePair)
        return found

    @property
    def box(self) -> PromptBox:
        found = self.part(PromptBox)
        assert isinstance(found, PromptBox)
        return found

    @property
    def card(self) -> FindingCard:
        found = self.part(FindingCard)
        assert isinstance(found, FindingCard)
        return found

    def sees(self, kind: type[QWidget]) -> bool:
        return self.part(kind).isVisibleTo(self.tab)

    def button(self, name: str) -> QPushButton:
        found = self.tab.findChild(QPushButton, name)
        assert isinstance(found, QPushButton)
        return found

    def line(self, name: str) -> str:
        found = self.tab.findChild(QLabel, name)
        assert isinstance(found, QLabel)
        return found.text() if found.isVisibleTo(self.tab) else ""

    def run(self) -> Plan:
        self.button("run_button").click()
        plan = self.place.comparison.plan
        assert plan is not None
        return plan

    def measured(self, plan: Plan, left: tuple[float, ...], right: tuple[float, ...]) -> Experiment:
        """What comes of a plan of this tab."""
        speeds = {plan.variants[0].id: left, plan.variants[1].id: right}
        return experiment_of(
            variants=plan.variants,
            prompts=plan.prompts,
            repeats=len(left),
            speeds=lambda planned: speeds[planned.variant][planned.repeat],
        )

    def finish(
        self, left: tuple[float, ...] = (8.2, 8.1), right: tuple[float, ...] = (16.6, 16.4)
    ) -> Experiment:
        plan = self.place.comparison.plan
        assert plan is not None
        experiment = measured_here(self.measured(plan, left, right))
        self.place.comparison.finish(experiment)
        return experiment
