"""Many draft lengths on one prompt: which is fastest here."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
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
from app.ui.plan_parts import amount_text, measured_text, models_text, prompt_with_system, sampling_of
from app.ui.prompt_box import PromptBox
from app.ui.remark import Remark
from app.ui.run_bar import RunBar
from app.ui.run_watch import RunWatch, Work
from app.ui.session_state import Loading, Running
from app.ui.side import Side, default_sides
from app.ui.sweep_plan import sweep_sides
from app.ui.sweep_results import SweepFigures, SweepResults
from app.ui.variant_picker import VariantPicker
from app.ui.widgets import column, label, row

_REPEATS = 2  # at first
_SPACING = 12  # pixels
_PICKER_WIDTH = 260


class SweepTab(QWidget):
    """What drafts, and all but the length, is chosen as for one side of a comparison."""

    remember_requested = Signal(object)  # Side
    model_requested = Signal()
    find_draft_requested = Signal(object)  # LocalModel: a draft for it, from elsewhere

    def __init__(self, services: CompareServices, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self._experiment: Experiment | None = None
        self._target: LocalModel | None = None  # for which the picker chooses
        self._chose = False  # the person has, so that the picker does not follow the settings
        self.setObjectName("sweep_tab")
        self._box = PromptBox(services.theme, services.icons, services.suites)
        self.picker = VariantPicker(services, "sweep_picker")
        self._bar = RunBar(services.theme, services.icons, "sweep_", repeats=_REPEATS)
        self._amount = label(size="small", tone="muted")
        self._amount.setObjectName("sweep_amount")
        self._remark = Remark()
        self._results = SweepResults(services)
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
            self._box.take_focus()

    def show_experiment(self, experiment: Experiment) -> None:
        """Shows one that was measured at another time."""
        if experiment is self._experiment or self._watch.work is not None or not experiment.prompts:
            return
        self._experiment = experiment
        self._box.set_prompt(experiment.prompts[0])
        self._remark.tell(measured_text(experiment), self.tr("New comparison"))
        self._show_experiment()
        self._choose_page()
        self._update()

    def picture_widget(self) -> QWidget | None:
        """The chart with its caption; None while there is no result."""
        return None if self._experiment is None else self._results.card

    def showEvent(self, event: QShowEvent) -> None:
        """A chat may have begun meanwhile."""
        super().showEvent(event)
        self._update()

    def _content(self) -> QWidget:
        asking = row(spacing=12)
        asking.addWidget(self._box, 1)
        asking.addWidget(self._bar)
        self.picker.setFixedWidth(_PICKER_WIDTH)
        drafting = row(self.picker, self._amount, None, spacing=12)
        content = QWidget()
        whole = column(asking, drafting, self._remark, spacing=_SPACING)
        whole.addWidget(self._results, 1)
        content.setLayout(whole)
        return content

    def _connect(self) -> None:
        services = self._services
        self._no_model.model_requested.connect(self.model_requested)
        self._box.run_requested.connect(self._watch.start)
        self._box.changed.connect(self._update)
        self._bar.choices_changed.connect(self._update)
        self.picker.side_chosen.connect(self._side_chosen)
        self.picker.find_draft_requested.connect(self.find_draft_requested)
        self._results.remember_requested.connect(self.remember_requested)
        self._remark.acted.connect(self._begin_anew)
        self._watch.began.connect(self._begun)
        self._watch.run_ended.connect(self._show_runs)
        self._watch.finished.connect(self._finished)
        self._watch.ended_without_result.connect(self._forget)
        self._watch.problem_occurred.connect(self._tell_problem)
        services.session.state_changed.connect(self._follow_session)
        services.preferences.changed.connect(self._follow_settings)

    def _make_work(self) -> Work | str:
        state, prompt, side = self._services.session.state, self._box.prompt, self.picker.side
        if not isinstance(state, Running):
            return self.tr("Load a model to compare.")
        if not side.variant.drafts:
            return self.tr("Choose a draft model or prompt lookup.")
        if prompt is None:
            return self.tr("Write a prompt to compare with.")
        config = state.setup.config
        sides = sweep_sides(side)
        plan = Plan(
            kind=ExperimentKind.SWEEP,
            variants=tuple(each.variant for each in sides),
            prompts=(prompt_with_system(prompt, config),),
            repeats=self._bar.repeats,
            sampling=sampling_of(config),
            limits=GenerationLimits(self._bar.max_tokens, config.limits.stop_strings),
        )
        return Work(plan, sides)

    def _begun(self) -> None:
        self._experiment = None
        self._remark.clear()
        self._results.clear()
        self._update()

    def _show_runs(self) -> None:
        work = self._watch.work
        if work is not None:
            summaries = summarise(self._watch.runs, work.plan.variants, intervals=False)
            self._show(SweepFigures(work.plan.prompts[0].id, work.plan.variants, summaries))

    def _finished(self, experiment: Experiment, _work: Work) -> None:
        self._experiment = experiment
        self._show_experiment()
        self._update()

    def _show_experiment(self) -> None:
        measured = self._experiment
        if measured is not None:
            self._show(
                SweepFigures(
                    prompt=measured.prompts[0].id,
                    variants=measured.variants,
                    summaries=measured.summary,
                    caption=models_text(measured),
                    is_over=True,
                    is_complete=measured.is_complete,
                )
            )

    def _show(self, figures: SweepFigures) -> None:
        state = self._services.session.state
        drafts_now = isinstance(state, Running) and state.speculation is not SpeculationMode.OFF
        self._results.show_figures(figures, self._side_of, drafts_now=drafts_now)

    def _side_of(self, variant: Variant) -> Side | None:
        state = self._services.session.state
        if self._experiment is None or not is_about_loaded(self._experiment, state):
            return None
        return known_side(variant, self._services.library, state)

    def _begin_anew(self) -> None:
        self._remark.clear()
        self._forget()

    def _forget(self) -> None:
        """Shows no result; what was told stays told."""
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
            self.picker.set_target(target)
            self._follow_settings()
        self._show_experiment()
        self._choose_page()
        self._update()

    def _follow_settings(self) -> None:
        """What is saved for the model, as long as nobody has chosen otherwise."""
        state = self._services.session.state
        if self._chose or self._watch.work is not None or not isinstance(state, Running):
            return
        saved = self._services.preferences.settings.config_for(state.setup.target.path)
        self.picker.show_side(default_sides(state, saved, self._services.library)[1])
        self._update()

    def _choose_page(self) -> None:
        state = self._services.session.state
        self._no_model.set_loading(isinstance(state, Loading))
        is_there = isinstance(state, Running) or self._experiment is not None
        self._stack.setCurrentIndex(1 if is_there else 0)

    def _update(self) -> None:
        """Whether and how much can be run, in words."""
        self._watch.check()
        is_running = self._watch.work is not None
        self.picker.set_enabled_reason(self.tr("A comparison is running.") if is_running else "")
        work = self._make_work()
        show_line(self._amount, "" if is_running or isinstance(work, str) else self._amount_of(work))

    def _amount_of(self, work: Work) -> str:
        measured = self._experiment
        is_about = measured is not None and is_about_loaded(measured, self._services.session.state)
        amount = amount_text(work.plan, measured.runs if measured is not None and is_about else ())
        return self.tr("1 to 8 draft tokens and off: {amount}").format(amount=amount)
