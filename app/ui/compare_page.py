"""Compare: the same prompt with and without drafting, what it comes to, and why."""

from enum import StrEnum
from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from app.core.experiment import Experiment, ExperimentKind
from app.core.trace import Trace
from app.settings import UserMode
from app.ui.chips import Chips
from app.ui.compare_services import CompareServices
from app.ui.expect_tab import ExpectTab
from app.ui.experiments import Experiments
from app.ui.export_menu import ExportMenu
from app.ui.kept_experiments import KeptExperiments
from app.ui.prompt_tab import PromptTab
from app.ui.replay_tab import ReplayTab
from app.ui.suite_tab import SuiteTab
from app.ui.sweep_tab import SweepTab
from app.ui.widgets import button, column, label, row

_MARGINS = (32, 20, 32, 16)  # pixels


class CompareTab(StrEnum):
    """What can be looked at."""

    PROMPT = "prompt"
    SUITE = "suite"
    SWEEP = "sweep"
    EXPECT = "expect"
    REPLAY = "replay"


_TABS = {
    ExperimentKind.PROMPT: CompareTab.PROMPT,
    ExperimentKind.SUITE: CompareTab.SUITE,
    ExperimentKind.SWEEP: CompareTab.SWEEP,
}


class ComparePage(QWidget):
    """The frame around the tabs: which one is shown, what is kept, opened and exported."""

    remember_requested = Signal(object)  # Side
    model_requested = Signal()
    find_draft_requested = Signal(object)  # LocalModel: a draft for it, from Discover
    problem_occurred = Signal(str)

    def __init__(
        self, services: CompareServices, experiments: Experiments, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._services = services
        self._latest: Experiment | None = None
        self.setObjectName("compare_page")
        self._kept = KeptExperiments(services, experiments, self)
        self.prompt_tab = PromptTab(services)
        self.suite_tab = SuiteTab(services)
        self.sweep_tab = SweepTab(services)
        self.expect_tab = ExpectTab(services)
        self.replay_tab = ReplayTab(services)
        self._measured: dict[ExperimentKind, Experiment] = {}
        self._chips = Chips(
            "compare_tabs",
            self.tr("Ways to compare"),
            {
                CompareTab.PROMPT: self.tr("Prompt"),
                CompareTab.SUITE: self.tr("Suite"),
                CompareTab.SWEEP: self.tr("Sweep"),
                CompareTab.EXPECT: self.tr("What to expect"),
                CompareTab.REPLAY: self.tr("How it works"),
            },
            services.theme,
        )
        self._history = button(self.tr("History"), "history_button")
        self._export = ExportMenu(services.theme, services.icons, services.tasks)
        self._told = label(tone="muted", size="small")
        self._stack = QStackedWidget()
        self._tabs: dict[CompareTab, QWidget] = {
            CompareTab.PROMPT: self.prompt_tab,
            CompareTab.SUITE: self.suite_tab,
            CompareTab.SWEEP: self.sweep_tab,
            CompareTab.EXPECT: self.expect_tab,
            CompareTab.REPLAY: self.replay_tab,
        }
        for tab in self._tabs.values():
            self._stack.addWidget(tab)
        heading = row(
            label(self.tr("Compare"), size="title"),
            self._chips,
            None,
            self._told,
            self._history,
            self._export,
            spacing=12,
        )
        whole = column(heading, spacing=14, margins=_MARGINS)
        whole.addWidget(self._stack, 1)
        self.setLayout(whole)
        self._connect()
        self.show_tab(CompareTab.PROMPT)

    @property
    def tab(self) -> CompareTab:
        """The one that is shown."""
        return CompareTab(self._chips.value)

    @property
    def latest(self) -> Experiment | None:
        """What was measured or opened last."""
        return self._latest

    def show_tab(self, tab: CompareTab) -> None:
        """Goes to one."""
        self._chips.set_value(tab)
        self._stack.setCurrentWidget(self._tabs[tab])
        self._offer_export()

    def show_experiment(self, experiment: Experiment) -> None:
        """Shows what was measured, where it belongs."""
        self._take(experiment)
        self.show_tab(_TABS[experiment.kind])

    def open_file(self, path: Path) -> None:
        """Shows what somebody saved; `problem_occurred` where that is no experiment."""
        self._kept.open_file(path)

    def set_mode(self, mode: UserMode) -> None:
        """Shows as much as a mode does."""
        for tab in (self.prompt_tab, self.suite_tab, self.sweep_tab):
            tab.set_mode(mode)

    def take_focus(self) -> None:
        """Where a person begins."""
        if self.tab is CompareTab.PROMPT:
            self.prompt_tab.take_focus()

    def _connect(self) -> None:
        self._chips.value_chosen.connect(self._tab_chosen)
        self._history.clicked.connect(self._open_history)
        self._services.comparison.finished.connect(self._finished)
        self._kept.opened.connect(self.show_experiment)
        self._kept.problem_occurred.connect(self.problem_occurred)
        self.replay_tab.trace_recorded.connect(self._trace_recorded)
        self._export.problem_occurred.connect(self.problem_occurred)
        self._export.told.connect(self._told.setText)
        for tab in (self.prompt_tab, self.suite_tab, self.sweep_tab):
            tab.remember_requested.connect(self.remember_requested)
            tab.model_requested.connect(self.model_requested)
            tab.find_draft_requested.connect(self.find_draft_requested)
        self.expect_tab.model_requested.connect(self.model_requested)
        self.replay_tab.model_requested.connect(self.model_requested)

    def _tab_chosen(self, tab: CompareTab) -> None:
        self.show_tab(tab)

    def _open_history(self) -> None:
        self._kept.open_history(self)

    def _finished(self, experiment: Experiment) -> None:
        self._kept.add(experiment)
        self._take(experiment)

    def _take(self, experiment: Experiment) -> None:
        self._measured[experiment.kind] = self._latest = experiment
        match experiment.kind:
            case ExperimentKind.PROMPT:
                self.prompt_tab.show_experiment(experiment)
            case ExperimentKind.SUITE:
                self.suite_tab.show_experiment(experiment)
            case ExperimentKind.SWEEP:
                self.sweep_tab.show_experiment(experiment)
        self.expect_tab.show_experiment(experiment)
        self.replay_tab.show_experiment(experiment)
        self._offer_export()

    def _trace_recorded(self, trace: Trace) -> None:
        before = self._latest
        if before is None:
            return
        others = [
            each for each in before.traces if (each.variant, each.prompt) != (trace.variant, trace.prompt)
        ]
        after = replace(before, traces=(*others, trace))
        self._measured[after.kind] = self._latest = after
        self._kept.replace(after)
        self.replay_tab.show_experiment(after)

    def _offer_export(self) -> None:
        kinds = {tab: kind for kind, tab in _TABS.items()}
        kind = kinds.get(self.tab)
        experiment = self._latest if kind is None else self._measured.get(kind)
        self._told.setText("")
        self._export.show_experiment(experiment, self._picture)

    def _picture(self) -> QWidget | None:
        match self.tab:
            case CompareTab.PROMPT:
                return self.prompt_tab.picture_widget()
            case CompareTab.SUITE:
                return self.suite_tab.picture_widget()
            case CompareTab.SWEEP:
                return self.sweep_tab.picture_widget()
            case CompareTab.EXPECT:
                return self.expect_tab.picture_widget()
            case CompareTab.REPLAY:
                return self.replay_tab.picture_widget()
