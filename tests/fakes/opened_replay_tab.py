"""How it works, on the screen, before a scripted engine."""

from msgspec.structs import replace
from PySide6.QtWidgets import QComboBox, QLabel, QPushButton, QTextEdit, QToolButton
from pytestqt.qtbot import QtBot

from app.core.experiment import Experiment, ModelIdentity
from app.core.options import AcceptanceRule
from app.core.protocol import Done, Finished, Round, RoundFinished
from app.core.trace import Trace
from app.ui.replay_rule_row import ReplayRuleRow
from app.ui.replay_scrubber import ReplayScrubber
from app.ui.replay_tab import ReplayTab
from tests.fakes.children import child
from tests.fakes.compare_services import ComparePlace
from tests.fakes.scripted_trials import ScriptedTrials
from tests.fakes.session import totals
from tests.fakes.setups import DRAFT, TARGET


def here(experiment: Experiment) -> Experiment:
    """The experiment as if the loaded models had made it."""
    target = ModelIdentity("target", "F16", TARGET.path.name, TARGET.info.total_bytes)
    draft = ModelIdentity("draft", "Q4", DRAFT.path.name, DRAFT.info.total_bytes)
    variants = tuple(
        replace(each, draft=draft if each.draft is not None else None) for each in experiment.variants
    )
    return replace(experiment, target=target, variants=variants)


class OpenedReplayTab:
    """The tab on the screen."""

    def __init__(self, place: ComparePlace, qtbot: QtBot) -> None:
        self.place, self.qtbot = place, qtbot
        self.trials = ScriptedTrials(place.session)
        self.tab = ReplayTab(place.services)
        qtbot.addWidget(self.tab)
        self.tab.resize(1100, 640)
        self.tab.show()

    def text(self, name: str) -> str:
        shown = child(self.tab, QLabel, name)
        return shown.text() if shown.isVisible() else ""

    def button(self, name: str) -> QPushButton:
        return child(self.tab, QPushButton, name)

    def step(self, name: str) -> None:
        child(self.tab, QToolButton, f"replay_{name}_button").click()

    def rule(self, rule: AcceptanceRule) -> ReplayRuleRow:
        return child(self.tab, ReplayRuleRow, f"replay_rule_{rule.value}")

    @property
    def answer(self) -> str:
        return child(self.tab, QTextEdit, "replay_text").toPlainText()

    @property
    def answers(self) -> list[str]:
        box = child(self.tab, QComboBox, "replay_answer_box")
        return [box.itemText(index) for index in range(box.count())]

    def is_replaying(self) -> bool:
        return child(self.tab, ReplayScrubber, "replay_scrubber").isVisible()

    def choose(self, index: int) -> None:
        box = child(self.tab, QComboBox, "replay_answer_box")
        box.setCurrentIndex(index)
        box.activated.emit(index)

    def record(self, trace: Trace) -> None:
        """The engine answers, and is done."""
        for each in trace.rounds:
            self.trials.tell(RoundFinished(1, Round((1,), (), each.stats, each)))
        self.trials.tell(Finished(1, Done((), totals())))
