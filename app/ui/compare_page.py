"""Compare: the same prompt with and without drafting, what it comes to, and why."""

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from app.core.experiment import Experiment, ExperimentKind
from app.core.trace import Trace
from app.ui.chips import Chips
from app.ui.compare_services import CompareServices
from app.ui.expect_tab import ExpectTab
from app.ui.experiments import Experiments
from app.ui.export_menu import ExportMenu
from app.ui.kept_experiments import KeptExperiments
from app.ui.measuring_tab import MeasuringTab
from app.ui.prompt_tab import PromptTab
from app.ui.replay_tab import ReplayTab
from app.ui.suite_tab import SuiteTab
from app.ui.sweep_tab import SweepTab
from app.ui.widgets import ElidedLabel, button, column, label, row

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
_KINDS = {tab: kind for kind, tab in _TABS.items()}  # the other tabs show any

Tab = PromptTab | SuiteTab | SweepTab | ExpectTab | ReplayTab
_BUILDERS: dict[CompareTab, Callable[[CompareServices], Tab]] = {
    CompareTab.PROMPT: PromptTab,
    CompareTab.SUITE: SuiteTab,
    CompareTab.SWEEP: SweepTab,
    CompareTab.EXPECT: ExpectTab,
    CompareTab.REPLAY: ReplayTab,
}


class ComparePage(QWidget):
    """The frame around the tabs: which one is shown, what is kept, opened and exported.

    Each tab is built when it is first wanted, which takes a while.
    """

    remember_requested = Signal(object)  # Side
    model_requested = Signal()
    find_draft_requested = Signal(object)  # LocalModel: a draft for it, from Discover
    problem_occurred = Signal(str)
    remark_made = Signal(str)  # worth knowing, and no problem
    withdrawn = Signal(str)  # a problem or remark that is about nothing that is shown any more

    def __init__(
        self, services: CompareServices, experiments: Experiments, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._services = services
        self._measured: dict[ExperimentKind, Experiment] = {}
        self._latest: Experiment | None = None
        self._built: dict[CompareTab, Tab] = {}
        self._said = ""  # that can still be read elsewhere
        self.setObjectName("compare_page")
        self._kept = KeptExperiments(services, experiments, self)
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
        self._chips.set_value(CompareTab.PROMPT)
        self._history = button(self.tr("History"), "history_button")
        self._export = ExportMenu(services.theme, services.icons, services.tasks)
        self._told = ElidedLabel(tone="muted", size="small")
        self._told.setObjectName("compare_told")
        self._told.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._stack = QStackedWidget()
        heading = row(
            label(self.tr("Compare"), size="title"),
            self._chips,
            self._told,
            self._history,
            self._export,
            spacing=12,
        )
        heading.setStretchFactor(self._told, 1)
        whole = column(heading, spacing=14, margins=_MARGINS)
        whole.addWidget(self._stack, 1)
        self.setLayout(whole)
        self._chips.value_chosen.connect(self._tab_chosen)
        self._history.clicked.connect(self._open_history)
        services.comparison.finished.connect(self._finished)
        self._kept.opened.connect(self._show_opened)
        services.comparison.ended_without_result.connect(self._withdraw)
        experiments.failed.connect(self.problem_occurred)
        self._kept.problem_occurred.connect(self._tell_problem)
        self._export.problem_occurred.connect(self._tell_problem)
        self._export.told.connect(self._tell_done)

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
        self._stack.setCurrentWidget(self._tab(tab))
        self._offer_export()

    def open_file(self, path: Path) -> None:
        """Shows what somebody saved; `problem_occurred` where that is no experiment."""
        self._kept.open_file(path)

    def take_focus(self) -> None:
        """Where a person begins."""
        self._tab(self.tab).take_focus()

    def showEvent(self, event: QShowEvent) -> None:
        """Builds what is seen first."""
        super().showEvent(event)
        if not self._built:
            self.show_tab(self.tab)

    def _tab(self, name: CompareTab) -> Tab:
        """Built if it is not yet, and with what there is to be shown on it."""
        if name not in self._built:
            made = self._built[name] = _BUILDERS[name](self._services)
            made.model_requested.connect(self.model_requested)
            if isinstance(made, MeasuringTab):
                made.remember_requested.connect(self.remember_requested)
                made.find_draft_requested.connect(self.find_draft_requested)
                made.experiment_changed.connect(self._offer_export)
            elif isinstance(made, ReplayTab):
                made.trace_recorded.connect(self._trace_recorded)
            self._stack.addWidget(made)
            if (experiment := self._shown_on(name)) is not None:
                made.show_experiment(experiment)
        return self._built[name]

    def _shown_on(self, tab: CompareTab) -> Experiment | None:
        kind = _KINDS.get(tab)
        return self._latest if kind is None else self._measured.get(kind)

    def _tab_chosen(self, tab: CompareTab) -> None:
        self.show_tab(tab)

    def _open_history(self) -> None:
        self._kept.open_history(self)

    def _finished(self, experiment: Experiment) -> None:
        self._kept.add(experiment)
        self._take(experiment)

    def _show_opened(self, experiment: Experiment) -> None:
        self._take(experiment)
        self.show_tab(_TABS[experiment.kind])

    def _take(self, experiment: Experiment) -> None:
        self._withdraw()
        self._measured[experiment.kind] = self._latest = experiment
        for name, tab in self._built.items():
            if _KINDS.get(name, experiment.kind) is experiment.kind:
                tab.show_experiment(experiment)
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
        is_kept = self._kept.replace(before, after)
        self._tab(CompareTab.REPLAY).show_experiment(after)
        self._offer_export()
        self._withdraw()
        if not is_kept:
            self._said = self.tr(
                "This comparison was opened from a file: the recording is shown, but it is not kept. Export "
                "as JSON keeps both."
            )
            self.remark_made.emit(self._said)

    def _tell_problem(self, sentence: str) -> None:
        self._withdraw()
        self._said = sentence
        self.problem_occurred.emit(sentence)

    def _tell_done(self, what: str) -> None:
        self._withdraw()
        self._told.set_text(what)

    def _withdraw(self) -> None:
        """What was said of an opening or export before is not about what comes now."""
        said, self._said = self._said, ""
        self._told.set_text("")
        if said:
            self.withdrawn.emit(said)

    def _offer_export(self) -> None:
        """What can be seen; where a tab has been emptied, that is nothing."""
        self._told.set_text("")
        tab, experiment = self._built.get(self.tab), self._shown_on(self.tab)
        if isinstance(tab, MeasuringTab) and tab.experiment is None:
            experiment = None
        self._export.show_experiment(experiment, tab)
