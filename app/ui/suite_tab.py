"""Prompts of several kinds with and without drafting: what drafting gains depends on the prompt."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from app.core.compare import summarise
from app.core.experiment import Experiment, ExperimentKind, Plan, Variant
from app.core.options import GenerationLimits, SpeculationMode
from app.models.library import LocalModel
from app.settings import UserMode
from app.ui.compare_services import CompareServices
from app.ui.form_parts import show_line
from app.ui.known_sides import is_about_loaded, known_side
from app.ui.no_model_page import NoModelPage
from app.ui.plan_parts import amount_text, measured_text, prompt_with_system, sampling_of
from app.ui.prompts_picker import PromptsPicker
from app.ui.remark import Remark
from app.ui.run_bar import RunBar
from app.ui.run_watch import RunWatch, Work
from app.ui.session_state import Loading, Running
from app.ui.side import Side, default_sides, with_ids
from app.ui.suite_picture import SuitePicture
from app.ui.suite_results import SuiteFigures, SuiteResults
from app.ui.variant_picker import VariantPicker
from app.ui.widgets import column, label, row

_REPEATS = 1  # at first: many prompts take long enough
_SPACING, _HEIGHT = 12, 40  # pixels


class SuiteTab(QWidget):
    """Runs a choice of prompts both ways, and shows each as soon as it has ended."""

    remember_requested = Signal(object)  # Side
    model_requested = Signal()
    find_draft_requested = Signal(object)  # LocalModel: a draft for it, from elsewhere

    def __init__(self, services: CompareServices, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self._experiment: Experiment | None = None
        self._target: LocalModel | None = None  # for which sides are chosen
        self._chose = False  # the person has, so that the sides do not follow the settings
        self._picture: SuitePicture | None = None
        self.setObjectName("suite_tab")
        self.prompts_picker = PromptsPicker(services, "suite_prompts_picker")
        self._left = VariantPicker(services, "suite_left_picker")
        self._right = VariantPicker(services, "suite_right_picker")
        self._bar = RunBar(services.theme, services.icons, "suite_", repeats=_REPEATS)
        self._amount = label(size="small", tone="muted")
        self._amount.setObjectName("suite_amount")
        self._remark = Remark()
        self._results = SuiteResults(services)
        self._watch = RunWatch(services, self._bar, self._make_work, self)
        self._no_model = NoModelPage()
        self._stack = QStackedWidget()
        self._stack.addWidget(self._no_model)
        self._stack.addWidget(self._content())
        whole = column(spacing=0)
        whole.addWidget(self._stack)
        self.setLayout(whole)
        self._connect()
        self._follow_session()

    @property
    def experiment(self) -> Experiment | None:
        """What is shown."""
        return self._experiment

    def set_mode(self, mode: UserMode) -> None:
        """All modes show the same here."""

    def take_focus(self) -> None:
        """Where a person begins."""
        if self._stack.currentWidget() is self._no_model:
            self._no_model.take_focus()
        else:
            self.prompts_picker.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_experiment(self, experiment: Experiment) -> None:
        """Shows one that was measured at another time."""
        if experiment is self._experiment or self._watch.work is not None:
            return
        self._experiment = experiment
        self._remark.tell(measured_text(experiment), self.tr("New comparison"))
        self._show_experiment()
        self._choose_page()
        self._update()

    def picture_widget(self) -> QWidget | None:
        """What can be saved as a picture; None while there is no result."""
        result, judged = self._results.result(), self._results.judged
        if self._experiment is None or result is None or judged is None:
            return None
        if self._picture is not None:
            self._picture.deleteLater()
        self._picture = SuitePicture(self._services, self._experiment, judged, result, self)
        return self._picture

    def showEvent(self, event: QShowEvent) -> None:
        """A chat may have begun meanwhile."""
        super().showEvent(event)
        self._update()

    def _content(self) -> QWidget:
        asking = row(spacing=8)
        for picker in (self.prompts_picker, self._left, self._right):
            picker.setFixedHeight(_HEIGHT)
        asking.addWidget(self.prompts_picker, 4)
        asking.addWidget(self._left, 2)
        asking.addWidget(label(self.tr("against"), tone="muted"))
        asking.addWidget(self._right, 3)
        asking.addWidget(self._bar)
        content = QWidget()
        whole = column(asking, self._amount, self._remark, spacing=_SPACING)
        whole.addWidget(self._results, 1)
        content.setLayout(whole)
        return content

    def _connect(self) -> None:
        services = self._services
        self._no_model.model_requested.connect(self.model_requested)
        self.prompts_picker.prompts_chosen.connect(self._update)
        self.prompts_picker.problem_occurred.connect(self._tell_problem)
        self._bar.choices_changed.connect(self._update)
        for picker in (self._left, self._right):
            picker.side_chosen.connect(self._side_chosen)
            picker.find_draft_requested.connect(self.find_draft_requested)
        self._results.remember_requested.connect(self.remember_requested)
        self._remark.acted.connect(self._begin_anew)
        self._watch.began.connect(self._begun)
        self._watch.run_ended.connect(self._show_runs)
        self._watch.finished.connect(self._finished)
        self._watch.ended_without_result.connect(self._begin_anew_quietly)
        self._watch.problem_occurred.connect(self._tell_problem)
        services.session.state_changed.connect(self._follow_session)
        services.preferences.changed.connect(self._follow_settings)
        shortcut = QShortcut(
            QKeySequence("Ctrl+Return"), self, context=Qt.ShortcutContext.WidgetWithChildrenShortcut
        )
        shortcut.activated.connect(self._watch.start)

    def _make_work(self) -> Work | str:
        state = self._services.session.state
        if not isinstance(state, Running):
            return self.tr("Load a model to compare.")
        config = state.setup.config
        sides = with_ids(self._left.side, self._right.side)
        if not self.prompts_picker.prompts:
            return self.tr("Choose prompts to compare with.")
        plan = Plan(
            kind=ExperimentKind.SUITE,
            variants=(sides[0].variant, sides[1].variant),
            prompts=tuple(prompt_with_system(prompt, config) for prompt in self.prompts_picker.prompts),
            repeats=self._bar.repeats,
            sampling=sampling_of(config),
            limits=GenerationLimits(self._bar.max_tokens, config.limits.stop_strings),
        )
        return Work(plan, sides)

    def _begun(self) -> None:
        self._experiment = None
        self._remark.clear()
        self._results.clear()
        self._show_runs()
        self._update()

    def _show_runs(self) -> None:
        work = self._watch.work
        if work is not None:
            variants, prompts = work.plan.variants, work.plan.prompts
            summaries = summarise(self._watch.runs, variants, intervals=False)
            self._show(SuiteFigures(prompts, variants, summaries))

    def _finished(self, experiment: Experiment, _work: Work) -> None:
        self._experiment = experiment
        self._show_experiment()
        self._update()

    def _show_experiment(self) -> None:
        if self._experiment is not None:
            measured = self._experiment
            self._show(
                SuiteFigures(
                    measured.prompts, measured.variants, measured.summary, True, measured.is_complete
                )
            )

    def _show(self, figures: SuiteFigures) -> None:
        self._results.show_figures(figures, self._side_of, drafts_now=self._drafts_now())

    def _side_of(self, variant: Variant) -> Side | None:
        state = self._services.session.state
        if self._experiment is None or not is_about_loaded(self._experiment, state):
            return None
        return known_side(variant, self._services.library, state)

    def _drafts_now(self) -> bool:
        state = self._services.session.state
        return isinstance(state, Running) and state.speculation is not SpeculationMode.OFF

    def _begin_anew(self) -> None:
        self._remark.clear()
        self._begin_anew_quietly()

    def _begin_anew_quietly(self) -> None:
        """What was told stays told."""
        self._experiment = None
        self._results.clear()
        self._choose_page()
        self._update()

    def _tell_problem(self, problem: str) -> None:
        self._remark.tell(problem, tone="warning")
        self._update()

    def _side_chosen(self) -> None:
        self._chose = True
        self._update()

    def _follow_session(self) -> None:
        state = self._services.session.state
        if isinstance(state, Running):
            target = state.setup.target
            if self._target is None or self._target.path != target.path:
                self._chose = False
            self._target = target
            for picker in (self._left, self._right):
                picker.set_target(target)
            self._follow_settings()
        self._show_experiment()
        self._choose_page()
        self._update()

    def _follow_settings(self) -> None:
        """Off against what is saved for the model, as long as nobody has chosen otherwise."""
        state = self._services.session.state
        if self._chose or self._watch.work is not None or not isinstance(state, Running):
            return
        saved = self._services.preferences.settings.config_for(state.setup.target.path)
        sides = default_sides(state, saved, self._services.library)
        for picker, side in zip((self._left, self._right), sides, strict=True):
            picker.show_side(side)

    def _choose_page(self) -> None:
        state = self._services.session.state
        self._no_model.set_loading(isinstance(state, Loading))
        is_there = isinstance(state, Running) or self._experiment is not None
        self._stack.setCurrentIndex(1 if is_there else 0)

    def _update(self) -> None:
        """Whether and how much can be run, in words."""
        self._watch.check()
        is_running = self._watch.work is not None
        self.prompts_picker.setEnabled(not is_running)
        reason = self.tr("A comparison is running.") if is_running else ""
        for picker in (self._left, self._right):
            picker.set_enabled_reason(reason)
        work = self._make_work()
        is_silent = is_running or bool(self._remark.text) or isinstance(work, str)
        show_line(self._amount, "" if is_silent or isinstance(work, str) else self._amount_of(work))

    def _amount_of(self, work: Work) -> str:
        measured = self._experiment
        is_about = measured is not None and is_about_loaded(measured, self._services.session.state)
        return amount_text(work.plan, measured.runs if measured is not None and is_about else ())
