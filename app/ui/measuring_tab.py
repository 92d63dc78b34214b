"""What the tabs of Compare that measure have in common: from the question to the experiment that is shown."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from app.core.experiment import Experiment, ExperimentKind, Plan
from app.core.options import GenerationLimits, SpeculationMode
from app.core.prompts import Prompt
from app.models.library import LocalModel
from app.ui.asking import prompt_with_system, sampling_of
from app.ui.compare_services import CompareServices
from app.ui.known_sides import is_about_loaded, is_in_force, known_side
from app.ui.no_model_page import NoModelPage
from app.ui.offers import Remembering
from app.ui.plan_parts import amount_text, measured_text
from app.ui.remark import Remark
from app.ui.run_bar import RunBar
from app.ui.run_watch import RunWatch, Work
from app.ui.session_state import Loading, Running
from app.ui.side import Side, default_sides
from app.ui.variant_picker import VariantPicker
from app.ui.variant_words import full_variant_id
from app.ui.widgets import Tone, column


class MeasuringTab(QWidget):
    """Shows the comparison that it began, or one from elsewhere; follows the loaded model.

    A tab makes its parts, calls `_set_up` with them, and overrides what stands under "What a tab brings". Of
    its runs it hears by `_watch`.
    """

    remember_requested = Signal(object)  # Side
    model_requested = Signal()
    find_draft_requested = Signal(object)  # LocalModel: a draft for it, from elsewhere
    experiment_changed = Signal()  # another one is shown, or none

    def __init__(
        self,
        services: CompareServices,
        kind: ExperimentKind,
        *,
        name: str,
        repeats: int,
        parent: QWidget | None = None,
    ) -> None:
        """`name` goes before the object names of the run bar; `repeats` is what it shows at first."""
        super().__init__(parent)
        self._services = services
        self._kind = kind
        self._experiment: Experiment | None = None
        self._target: LocalModel | None = None  # for which sides are chosen
        self._chose = False  # the person has, so that the sides do not follow the settings
        self._pickers: tuple[VariantPicker, ...] = ()
        self._lock = ""  # as the pickers show it
        self._picture: QWidget | None = None
        self.setObjectName(f"{kind.value}_tab")
        self._bar = RunBar(services.theme, services.icons, name, repeats=repeats)
        self._remark = Remark()
        self._watch = RunWatch(services, self._bar, self._make_work, self)
        self._no_model = NoModelPage()
        self._stack = QStackedWidget()
        self._stack.addWidget(self._no_model)
        whole = column(spacing=0)
        whole.addWidget(self._stack)
        self.setLayout(whole)

    @property
    def experiment(self) -> Experiment | None:
        """What is shown."""
        return self._experiment

    @property
    def has_picture(self) -> bool:
        """Whether there is something to be saved as a picture."""
        return self._experiment is not None

    def picture_widget(self) -> QWidget | None:
        """What can be saved as a picture; None while there is no result."""
        if self._experiment is None or not self.has_picture:
            return None
        if self._picture is not None:
            self._picture.deleteLater()
        self._picture = self._make_picture(self._experiment)
        return self._picture

    def take_focus(self) -> None:
        """Where a person begins."""
        if self._stack.currentWidget() is self._no_model:
            self._no_model.take_focus()
        else:
            self._focus_question()

    def show_experiment(self, experiment: Experiment) -> None:
        """Shows one that was measured at another time. While one of its own goes on, that stays."""
        if experiment is self._experiment or self._watch.work is not None:
            return
        self._experiment = experiment
        self._tell(measured_text(experiment), self.tr("New comparison"))
        self._show_question(experiment)
        self._show_result(experiment)
        self._choose_page()
        self._update()
        self.experiment_changed.emit()

    def showEvent(self, event: QShowEvent) -> None:
        """A chat may have begun meanwhile."""
        super().showEvent(event)
        self._update()

    # What a tab brings

    def _focus_question(self) -> None:
        """Goes to where the question is asked."""
        raise NotImplementedError

    def _sides(self) -> tuple[Side, ...]:
        """What is to be compared, with ids that tell all apart."""
        raise NotImplementedError

    def _prompts(self) -> tuple[Prompt, ...]:
        """What is to be asked; nothing where nothing is chosen or written."""
        raise NotImplementedError

    def _show_sides(self, plain: Side, drafting: Side) -> None:
        """Puts the settings of the model into the pickers."""
        raise NotImplementedError

    def _show_question(self, experiment: Experiment) -> None:
        """Shows what was asked in an experiment from elsewhere."""
        raise NotImplementedError

    def _show_past(self, experiment: Experiment) -> None:
        """What is shown is not of the model in memory any more: the sides are no longer about it."""

    def _show_begun(self, work: Work) -> None:
        """Makes room for what will come of the work."""
        raise NotImplementedError

    def _show_result(self, experiment: Experiment) -> None:
        """Shows what came of it."""
        raise NotImplementedError

    def _show_offers(self, experiment: Experiment) -> None:
        """Shows anew what can be put in force of it, and how the model answers as things are."""
        raise NotImplementedError

    def _clear_result(self) -> None:
        """Shows no result."""
        raise NotImplementedError

    def _make_picture(self, experiment: Experiment) -> QWidget:
        """What is saved as a picture."""
        raise NotImplementedError

    def _show_amount(self, amount: str) -> None:
        """Says how much there is to run; empty where nothing can be."""

    def _set_locked(self, reason: str) -> None:
        """Keeps what is asked as it is, and says why; empty: it can be changed again."""
        for picker in self._pickers:
            picker.set_enabled_reason(reason)

    # What tabs use

    def _set_up(self, content: QWidget, pickers: Sequence[VariantPicker]) -> None:
        """Puts the content where it belongs, and begins to follow what happens."""
        services, watch = self._services, self._watch
        self._pickers = tuple(pickers)
        self._stack.addWidget(content)
        self._no_model.model_requested.connect(self.model_requested)
        self._bar.choices_changed.connect(self._update)
        self._remark.acted.connect(self._begin_anew)
        for picker in self._pickers:
            picker.side_chosen.connect(self._side_chosen)
            picker.find_draft_requested.connect(self.find_draft_requested)
        watch.began.connect(self._begun)
        watch.finished.connect(self._finished)
        watch.ended_without_result.connect(self._end_without_result)
        watch.problem_occurred.connect(self._tell_problem)
        services.session.state_changed.connect(self._follow_session)
        services.session.config_changed.connect(self._offer_anew)
        services.preferences.changed.connect(self._follow_settings)
        self._clear_result()
        self._follow_session()

    @property
    def _remembering(self) -> Remembering:
        """What of it can be put in force: where its target is loaded and its draft models are here."""
        library, state = self._services.library, self._services.session.state
        if self._experiment is None or not is_about_loaded(self._experiment, state):
            return Remembering()
        assert isinstance(state, Running)
        return Remembering(
            lambda variant: known_side(variant, library, state),
            state.setup.target.name,
            state.speculation is not SpeculationMode.OFF,
            lambda variant: is_in_force(variant, state),
        )

    def _begin_anew(self) -> None:
        """Shows no result; the sides follow the settings again, unless they are the person's choice."""
        self._experiment = None
        self._tell("")
        self._clear_result()
        self._follow_settings()
        self._choose_page()
        self._update()
        self.experiment_changed.emit()

    def _side_chosen(self) -> None:
        self._chose = True
        self._question_changed()

    def _question_changed(self) -> None:
        """What was measured is no answer to the question that stands there now, and what was said is not
        about it.
        """
        if self._watch.work is not None:
            return
        had_result = self._experiment is not None
        self._begin_anew()
        if had_result:
            self._tell(self.tr("The question has changed: its last result was cleared. History has it."))
            self._update()

    def _tell(self, sentence: str, action: str = "", *, tone: Tone = "muted") -> None:
        """Says something on whichever page is shown; nothing takes back what was said."""
        self._no_model.tell(sentence)
        if sentence:
            self._remark.tell(sentence, action, tone=tone)
        else:
            self._remark.clear()

    def _update(self) -> None:
        """Whether and how much can be run, in words."""
        self._watch.check()
        is_running = self._watch.work is not None
        lock = self.tr("A comparison is running.") if is_running else ""
        if lock != self._lock:
            self._lock = lock
            self._set_locked(lock)
        work = None if is_running or self._watch.reason else self._make_work()
        self._show_amount("" if work is None else self._amount_of(work))
        if work is not None and self._experiment is None and not self._remark.text and _is_one_way(work):
            self._tell(
                self.tr("Both sides are the same: they will show how much the speed varies by itself.")
            )

    # What happens

    def _make_work(self) -> Work | None:
        state = self._services.session.state
        if not isinstance(state, Running):
            return None
        config, sides = state.setup.config, self._sides()
        plan = Plan(
            kind=self._kind,
            variants=tuple(side.variant for side in sides),
            prompts=tuple(prompt_with_system(prompt, config) for prompt in self._prompts()),
            repeats=self._bar.repeats,
            sampling=sampling_of(config),
            limits=GenerationLimits(self._bar.max_tokens, config.limits.stop_strings),
        )
        return Work(plan, sides)

    def _amount_of(self, work: Work) -> str:
        measured = self._experiment
        is_about = measured is not None and is_about_loaded(measured, self._services.session.state)
        return amount_text(work.plan, measured.runs if measured is not None and is_about else ())

    def _begun(self, work: Work) -> None:
        self._experiment = None
        self._tell("")
        self._clear_result()
        self._show_begun(work)
        self._update()
        self.experiment_changed.emit()

    def _finished(self, experiment: Experiment) -> None:
        self._experiment = experiment
        self._show_result(experiment)
        self._choose_page()
        self._update()
        self.experiment_changed.emit()

    def _end_without_result(self, why: str) -> None:
        self._begin_anew()
        self._tell_problem(why)

    def _tell_problem(self, problem: str) -> None:
        self._tell(problem, tone="warning")
        self._update()

    def _follow_session(self) -> None:
        state = self._services.session.state
        if isinstance(state, Running):
            target = state.setup.target
            is_other = self._target is None or self._target.path != target.path
            self._chose = self._chose and not is_other
            self._target = target
            for picker in self._pickers:
                picker.set_target(target)
            if is_other and self._experiment is not None and not is_about_loaded(self._experiment, state):
                self._tell(measured_text(self._experiment), self.tr("New comparison"))
                self._show_past(self._experiment)
            self._follow_settings()
        self._offer_anew()
        self._choose_page()
        self._update()

    def _offer_anew(self) -> None:
        if self._experiment is not None:
            self._show_offers(self._experiment)

    def _follow_settings(self) -> None:
        """Off against what is saved for the model, as long as nobody has chosen otherwise.

        A result that is shown stays what the sides above it are about.
        """
        state, is_shown = self._services.session.state, self._experiment is not None
        if self._chose or is_shown or self._watch.work is not None or not isinstance(state, Running):
            return
        saved = self._services.preferences.settings.config_for(state.setup.target.path)
        self._show_sides(*default_sides(state, saved, self._services.library))
        self._update()

    def _choose_page(self) -> None:
        state = self._services.session.state
        self._no_model.set_loading(isinstance(state, Loading))
        is_there = isinstance(state, Running) or self._experiment is not None or self._watch.work is not None
        self._stack.setCurrentIndex(1 if is_there else 0)


def _is_one_way(work: Work) -> bool:
    """Whether all sides answer alike."""
    first, *others = ((full_variant_id(side.variant.speculation), side.draft) for side in work.sides)
    return all(each == first for each in others)
