"""Compare, one prompt: two ways to answer it side by side, and what it comes to."""

from datetime import datetime

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from app.core.experiment import Experiment, ExperimentKind, Plan, PlannedRun, Run
from app.core.options import GenerationLimits, SpeculationMode
from app.core.protocol import Round
from app.core.verdict import verdict_of
from app.models.library import LocalModel
from app.settings import UserMode
from app.ui.compare_services import CompareServices
from app.ui.comparison_state import ComparisonState
from app.ui.difference_card import DifferenceCard
from app.ui.form_parts import set_shown
from app.ui.known_sides import is_about_loaded, known_side
from app.ui.no_model_page import NoModelPage
from app.ui.pane_pair import PanePair
from app.ui.plan_parts import prompt_with_system, sampling_of
from app.ui.prompt_box import PromptBox
from app.ui.remark import Remark
from app.ui.result_card import ResultCard
from app.ui.result_picture import ResultPicture
from app.ui.result_strips import ResultStrips
from app.ui.run_bar import RunBar
from app.ui.run_reason import reason_not_to_run
from app.ui.session_state import Loading, Running, SessionState
from app.ui.side import Side, default_sides
from app.ui.variant_words import variant_text
from app.ui.widgets import row

_SPACING = 12  # pixels
_LEAST_PANES = 300  # pixels, high
_BAR_STRETCH, _BOX_STRETCH = 2, 5


class PromptTab(QWidget):
    """Shows the comparison that it began, or one from elsewhere; follows the loaded model."""

    remember_requested = Signal(object)  # Side
    model_requested = Signal()
    find_draft_requested = Signal(object)  # LocalModel: a draft for it, from elsewhere

    def __init__(self, services: CompareServices, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self._plan: Plan | None = None  # while a comparison of this tab goes on
        self._sides: tuple[Side, Side] | None = None  # of what is shown, where they are known
        self._target: LocalModel | None = None  # for which sides are chosen
        self._measured: LocalModel | None = None  # what is shown was measured on it in this session
        self._experiment: Experiment | None = None
        self._chose = False  # the person has, so that the sides do not follow the settings
        self._reasons = ("", "")  # as they are shown
        self._picture: ResultPicture | None = None
        self.setObjectName("prompt_tab")
        self._box = PromptBox(services.theme, services.icons, services.suites)
        self._bar = RunBar(services.theme, services.icons)
        self._remark = Remark()
        self._card = ResultCard(services.theme)
        self._difference = DifferenceCard()
        self._panes = PanePair(services)
        self._panes.setMinimumHeight(_LEAST_PANES)
        self._strips = ResultStrips(services.theme)
        self._no_model = NoModelPage()
        self._stack = QStackedWidget()
        self._stack.addWidget(self._no_model)
        self._area = self._scrolling()
        self._stack.addWidget(self._area)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._stack)
        self._connect()
        self._show_result()
        self._session_changed(services.session.state)

    @property
    def experiment(self) -> Experiment | None:
        """What is shown."""
        return self._experiment

    def set_mode(self, mode: UserMode) -> None:
        """Shows logits to who wants them."""
        self._difference.set_logits(mode is not UserMode.USER)

    def take_focus(self) -> None:
        """Where a person begins."""
        if self._stack.currentWidget() is self._no_model:
            self._no_model.take_focus()
        else:
            self._box.take_focus()

    def show_experiment(self, experiment: Experiment) -> None:
        """Shows one that was measured at another time; the sides are words then, until the next run."""
        if experiment is self._experiment or self._plan is not None or len(experiment.variants) != 2:
            return
        self._experiment, self._sides, self._measured = experiment, None, None
        self._recognise()
        self._box.set_prompt(experiment.prompts[0])
        self._panes.clear()
        self._panes.show_variants(experiment.variants)
        moment = datetime.fromtimestamp(experiment.created).strftime("%Y-%m-%d %H:%M")
        self._remark.tell(
            self.tr("Measured {moment} with {target}.").format(moment=moment, target=experiment.target.title),
            self.tr("New comparison"),
        )
        self._show_result()
        self._choose_page()

    def picture_widget(self) -> QWidget | None:
        """What can be saved as a picture; None while there is no result."""
        if self._experiment is None:
            return None
        verdict = verdict_of(self._experiment)
        if verdict is None:
            return None
        if self._picture is not None:
            self._picture.deleteLater()
        self._picture = ResultPicture(self._services.theme, self._experiment, verdict, self)
        return self._picture

    def _scrolling(self) -> QScrollArea:
        asking = row(spacing=12)
        asking.addWidget(self._box, _BOX_STRETCH)
        asking.addWidget(self._bar, _BAR_STRETCH)
        content = QWidget()
        content.setObjectName("scroll_content")
        inside = QVBoxLayout(content)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(_SPACING)
        inside.addLayout(asking)
        for part in (self._remark, self._card, self._difference):
            inside.addWidget(part)
        inside.addWidget(self._panes, 1)
        inside.addWidget(self._strips)
        area = QScrollArea()
        area.setObjectName("prompt_tab_area")
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setWidget(content)
        return area

    def _connect(self) -> None:
        services = self._services
        self._no_model.model_requested.connect(self.model_requested)
        self._box.run_requested.connect(self._run)
        self._box.changed.connect(self._update_reasons)
        self._bar.run_requested.connect(self._run)
        self._bar.stop_requested.connect(services.comparison.stop)
        self._remark.acted.connect(self._begin_anew)
        self._card.remember_requested.connect(self.remember_requested)
        self._difference.shown_requested.connect(self._go_to_difference)
        self._panes.side_chosen.connect(self._side_chosen)
        self._panes.find_draft_requested.connect(self.find_draft_requested)
        session = services.session
        session.state_changed.connect(self._session_changed)
        for signal in (
            session.prompt_progressed,
            session.answer_finished,
            session.answer_failed,
            session.answer_lost,
            session.measuring_changed,
        ):
            signal.connect(self._update_reasons)
        services.preferences.changed.connect(self._follow_settings)
        comparison = services.comparison
        comparison.state_changed.connect(self._comparison_changed)
        comparison.run_began.connect(self._run_began)
        comparison.prefilled.connect(self._prefilled)
        comparison.round_received.connect(self._round_received)
        comparison.run_ended.connect(self._run_ended)
        comparison.finished.connect(self._finished)
        comparison.ended_without_result.connect(self._ended_without_result)
        comparison.problem_occurred.connect(self._problem_occurred)

    # What is asked

    def _run(self) -> None:
        state, prompt = self._services.session.state, self._box.prompt
        if self._reason() or not isinstance(state, Running) or prompt is None or self._plan is not None:
            return
        sides, config = self._panes.sides, state.setup.config
        plan = Plan(
            kind=ExperimentKind.PROMPT,
            variants=(sides[0].variant, sides[1].variant),
            prompts=(prompt_with_system(prompt, config),),
            repeats=self._bar.repeats,
            sampling=sampling_of(config),
            limits=GenerationLimits(self._bar.max_tokens, config.limits.stop_strings),
        )
        self._begin_anew()
        self._plan, self._sides, self._measured = plan, sides, state.setup.target
        self._panes.begin(sides, plan.repeats)
        refusal = self._services.comparison.start(plan, sides)
        if refusal:
            self._plan = None
            self._panes.clear()
            self._remark.tell(refusal, tone="warning")
        self._update_reasons()

    def _begin_anew(self) -> None:
        """Forgets what is shown; the sides can be chosen again."""
        self._experiment = self._sides = self._measured = None
        self._remark.clear()
        self._panes.clear()
        self._panes.show_variants(None)
        self._show_result()
        self._choose_page()

    def _side_chosen(self) -> None:
        self._chose = True
        self._begin_anew()

    # What comes of it

    def _comparison_changed(self, state: ComparisonState) -> None:
        if self._plan is not None:
            self._bar.show_state(state, self._words_of)
        self._update_reasons()

    def _words_of(self, id_: str) -> str:
        return variant_text(self._plan.variant(id_)) if self._plan is not None else id_

    def _run_began(self, planned: PlannedRun) -> None:
        if self._plan is not None:
            self._panes.begin_run(planned)

    def _prefilled(self, planned: PlannedRun, done: int, of: int) -> None:
        if self._plan is not None:
            self._panes.show_prefill(planned, done, of)

    def _round_received(self, planned: PlannedRun, round_: Round) -> None:
        if self._plan is not None:
            self._panes.add_round(planned, round_)

    def _run_ended(self, run: Run) -> None:
        if self._plan is not None:
            self._panes.end_run(run)

    def _finished(self, experiment: Experiment) -> None:
        if self._plan is None:
            return
        self._end()
        self._experiment = experiment
        self._show_result()
        self._update_reasons()

    def _ended_without_result(self, sentence: str) -> None:
        if self._plan is None:
            return
        self._end()
        self._begin_anew()
        if sentence:
            self._remark.tell(sentence, tone="warning")
        self._update_reasons()

    def _problem_occurred(self, sentence: str) -> None:
        if self._plan is not None:
            self._remark.tell(sentence, tone="warning")

    def _end(self) -> None:
        self._plan = None
        self._bar.show_state(ComparisonState(), self._words_of)

    def _show_result(self) -> None:
        experiment = self._experiment
        verdict = verdict_of(experiment) if experiment is not None else None
        if experiment is not None:
            prompt = experiment.prompts[0].id
            self._panes.show_result(experiment, prompt, verdict)
            self._strips.show_experiment(experiment, prompt)
            if verdict is None and not self._remark.text:
                self._remark.tell(self.tr("It was stopped before both sides had answered."))
        self._show_verdict()
        left, right = (
            (variant_text(each) for each in experiment.variants) if experiment is not None else ("", "")
        )
        self._difference.show_verdict(verdict, left, right)
        set_shown(self._strips, experiment is not None)

    def _go_to_difference(self) -> None:
        self._panes.go_to_difference()
        self._area.ensureWidgetVisible(self._panes, 0, 0)

    def _show_verdict(self) -> None:
        """Its buttons are for the model that it was measured on, while that is loaded."""
        verdict = verdict_of(self._experiment) if self._experiment is not None else None
        set_shown(self._card, verdict is not None)
        if verdict is None:
            return
        state = self._services.session.state
        is_loaded = isinstance(state, Running) and self._is_measured(state.setup.target)
        drafts = isinstance(state, Running) and state.setup.config.speculation.mode is not SpeculationMode.OFF
        self._card.show_verdict(
            verdict,
            self._sides if is_loaded else None,
            self._measured.name if self._measured is not None else "",
            drafts_now=drafts,
        )

    def _recognise(self) -> None:
        """An opened one can be put in force where its target is loaded and its draft models are here."""
        experiment, state = self._experiment, self._services.session.state
        if experiment is None or self._measured is not None or not isinstance(state, Running):
            return
        left, right = (known_side(variant, self._services.library, state) for variant in experiment.variants)
        if is_about_loaded(experiment, state) and left is not None and right is not None:
            self._sides, self._measured = (left, right), state.setup.target

    def _is_measured(self, target: LocalModel) -> bool:
        return self._measured is not None and self._measured.path == target.path

    # What is loaded

    def _session_changed(self, state: SessionState) -> None:
        if isinstance(state, Running):
            target = state.setup.target
            if self._target is None or self._target.path != target.path:
                self._chose = False
            self._target = target
            self._panes.set_target(target)
            self._follow_settings()
        self._recognise()
        self._show_verdict()
        self._choose_page()
        self._update_reasons()

    def _follow_settings(self) -> None:
        """Off against what is saved for the model, as long as nobody has chosen otherwise."""
        state = self._services.session.state
        if (
            self._chose
            or self._plan is not None
            or self._experiment is not None
            or not isinstance(state, Running)
        ):
            return
        saved = self._services.preferences.settings.config_for(state.setup.target.path)
        self._panes.show_sides(*default_sides(state, saved, self._services.library))

    def _choose_page(self) -> None:
        state = self._services.session.state
        is_there = isinstance(state, Running) or self._experiment is not None
        self._no_model.set_loading(isinstance(state, Loading))
        self._stack.setCurrentIndex(1 if is_there else 0)

    def _reason(self) -> str:
        if self._plan is not None:
            return ""
        reason = reason_not_to_run(self._services)
        if not reason and self._box.prompt is None:
            return self.tr("Write a prompt to compare with.")
        return reason

    def _update_reasons(self) -> None:
        reason = self._reason()
        locked = self.tr("A comparison is running.") if self._plan is not None else ""
        if (reason, locked) != self._reasons:
            self._reasons = (reason, locked)
            self._bar.set_reason(reason)
            self._panes.set_reason(locked)
