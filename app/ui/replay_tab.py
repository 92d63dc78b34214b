"""How it works: a recorded answer to be watched round by round."""

from msgspec import Struct
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QScrollArea, QWidget

from app.core.experiment import Experiment, reference_of
from app.core.options import GenerationLimits, SamplingOptions, SpeculationOptions
from app.core.trace import Trace
from app.ui.compare_services import CompareServices
from app.ui.elided_choice import ElidedChoice
from app.ui.form_parts import set_shown, show_line
from app.ui.replay_intro import ReplayIntro
from app.ui.replay_view import ReplayView
from app.ui.session_state import Running
from app.ui.side import default_sides
from app.ui.trace_recorder import Recording, TraceRecorder, is_same_model, recording_of
from app.ui.variant_words import variant_text
from app.ui.widgets import button, column, label, row

_BOX_WIDTH = 380  # pixels
_EXAMPLE_TOKENS = 64
_GAP = 16
_ALL = 1000  # a stretch beside which others come to nothing


class _Shown(Struct, frozen=True):
    """A trace, with what it was generated with."""

    trace: Trace
    options: SpeculationOptions
    step_s: float | None  # of a plain step; None: not known


class ReplayTab(QScrollArea):
    """The answers of an experiment that drafted; without one, an example can be recorded."""

    trace_recorded = Signal(object)  # Trace of an answer of the experiment that is shown
    model_requested = Signal()

    def __init__(self, services: CompareServices, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self._session = services.session
        self._experiment: Experiment | None = None
        self._answers: list[tuple[str, str]] = []  # ids of variant and prompt
        self._asked: Recording | None = None  # that is being recorded
        self._asked_of: Experiment | None = None  # whose answer it is
        self._example: _Shown | None = None
        self._on_screen: _Shown | None = None
        self._recorder = TraceRecorder(services.session, services.library, self)
        self.setObjectName("replay_tab")
        self.setAccessibleName(self.tr("How it works"))
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._answer = ElidedChoice("replay_answer_box", self.tr("Answer"))
        self._answer.setFixedWidth(_BOX_WIDTH)
        self._line = label(tone="muted", wrap=True)
        self._line.setObjectName("replay_line")
        self._record = button("", "record_trace_button", kind="primary")
        self._stop = button(self.tr("Stop"), "stop_recording_button")
        self._load = button(self.tr("Load a model"), "compare_load_model_button")
        self._intro = ReplayIntro(services.theme)
        self._view = ReplayView(services.theme, services.icons)
        top = row(self._answer, self._line, None, self._record, self._stop, self._load, spacing=12)
        top.setStretchFactor(self._line, _ALL)
        content = QWidget()
        content.setObjectName("scroll_content")
        whole = column(top, self._intro, self._view, spacing=_GAP)
        whole.setStretchFactor(self._view, _ALL)
        whole.addStretch(1)
        content.setLayout(whole)
        self.setWidget(content)
        self._connect()
        self._show()

    def show_experiment(self, experiment: Experiment) -> None:
        """Offers its answers; the one that was looked at stays."""
        before, wanted = self._experiment, self._choice
        is_same = before is not None and before.created == experiment.created
        if not is_same:
            self._recorder.stop()
            wanted = None
        self._experiment = experiment
        self._answers = [
            (variant.id, prompt.id)
            for prompt in experiment.prompts
            for variant in experiment.variants
            if variant.drafts
        ]
        recorded = [(trace.variant, trace.prompt) for trace in experiment.traces]
        if wanted not in self._answers:
            wanted = next((each for each in self._answers if each in recorded), None)
        blocked = self._answer.blockSignals(True)
        self._answer.clear()
        self._answer.addItems([self._name(*answer) for answer in self._answers])
        self._answer.setCurrentIndex(self._answers.index(wanted) if wanted is not None else 0)
        self._answer.blockSignals(blocked)
        self._show()

    def take_focus(self) -> None:
        """Goes to what can be played, or recorded."""
        if self._on_screen is not None:
            self._view.take_focus()
        else:
            self._record.setFocus(Qt.FocusReason.OtherFocusReason)

    def picture_widget(self) -> QWidget | None:
        """The round that is shown."""
        return None if self._on_screen is None else self._view

    def hideEvent(self, event: QHideEvent) -> None:
        """Nothing plays that nobody sees."""
        super().hideEvent(event)
        self._view.player.pause()

    def _connect(self) -> None:
        self._answer.activated.connect(self._show)
        self._record.clicked.connect(self._begin)
        self._stop.clicked.connect(self._recorder.stop)
        self._load.clicked.connect(self.model_requested)
        self._recorder.progressed.connect(self._take_progress)
        self._recorder.recorded.connect(self._take)
        self._recorder.failed.connect(self._fail)
        self._session.state_changed.connect(self._offer)
        self._session.measuring_changed.connect(self._offer)

    @property
    def _choice(self) -> tuple[str, str] | None:
        index = self._answer.currentIndex()
        return self._answers[index] if 0 <= index < len(self._answers) else None

    def _name(self, variant: str, prompt: str) -> str:
        assert self._experiment is not None
        return f"{variant_text(self._experiment.variant(variant))} · {prompt}"

    def _show(self) -> None:
        """Shows the chosen answer where it is recorded."""
        self._replay(self._chosen)
        self._offer()

    @property
    def _chosen(self) -> _Shown | None:
        experiment, choice = self._experiment, self._choice
        if experiment is None:
            return self._example
        found = next((each for each in experiment.traces if (each.variant, each.prompt) == choice), None)
        return None if found is None else self._as_shown(found)

    def _as_shown(self, trace: Trace) -> _Shown:
        """A trace of the experiment."""
        assert self._experiment is not None
        experiment = self._experiment
        reference = reference_of(experiment.variants)
        summary = None if reference.drafts else experiment.summary_of(reference.id, trace.prompt)
        rate = None if summary is None or summary.tok_per_s is None else summary.tok_per_s.median
        options = experiment.variant(trace.variant).speculation
        return _Shown(trace, options, None if rate is None else 1 / rate)

    def _replay(self, shown: _Shown | None, round_: int = 0) -> None:
        set_shown(self._view, shown is not None)
        set_shown(self._intro, shown is None)
        if shown is not None and shown != self._on_screen:
            self._view.show_trace(shown.trace, shown.options, shown.step_s, round_)
        self._on_screen = shown

    def _offer(self) -> None:
        """Says what can be recorded, or why nothing can."""
        recording = self._recorder.is_running
        is_loaded = isinstance(self._session.state, Running)
        reason = self._why_not()
        needs_record = self._chosen is None and self._wanted() is not None
        set_shown(self._answer, bool(self._answers))
        self._answer.setEnabled(not recording)
        set_shown(self._record, needs_record and not recording)
        self._record.setEnabled(not reason)
        set_shown(self._stop, recording)
        set_shown(self._load, not is_loaded and self._chosen is None)
        if self._experiment is None:
            self._record.setText(self.tr("Record an example"))
        else:
            self._record.setText(self.tr("Record this answer"))
        self._record.setAccessibleName(self._record.text())
        show_line(self._line, self._words(reason, recording))

    def _words(self, reason: str, recording: bool) -> str:
        if recording:
            return self.tr("Recording: the answer is generated once more, with every round kept.")
        if self._experiment is None and self._example is not None:
            return self.tr("A short example. After a comparison its answers can be watched here.")
        if self._experiment is None:
            tail = reason or self.tr("Or record a short example now.")
            return " ".join([self.tr("After a comparison its answers can be watched here."), tail])
        if self._chosen is None:
            return reason or self.tr("This answer is not recorded round by round yet.")
        return ""

    def _why_not(self) -> str:
        """Why nothing can be recorded; empty where it can."""
        state = self._session.state
        if not isinstance(state, Running):
            if self._experiment is None:
                return self.tr("Load a model to record an example now.")
            return self.tr("Load {name} to record this answer.").format(name=self._experiment.target.title)
        if self._experiment is not None and not is_same_model(self._experiment.target, state.setup.target):
            words = self.tr(
                "This comparison was made with {name}. Load that model to record an answer of it."
            )
            return words.format(name=self._experiment.target.title)
        if self._session.is_measuring and not self._recorder.is_running:
            return self.tr("A comparison is running.")
        return ""

    def _wanted(self) -> Recording | None:
        """What Record records."""
        state = self._session.state
        if self._experiment is not None:
            return recording_of(self._experiment, *self._choice) if self._choice is not None else None
        prompts = [prompt for suite in self._services.suites for prompt in suite.prompts]
        if not isinstance(state, Running) or not prompts:
            return None
        saved = self._services.preferences.settings.config_for(state.setup.target.path)
        side = default_sides(state, saved, self._services.library)[1]
        limits = GenerationLimits(max_tokens=_EXAMPLE_TOKENS)
        return Recording(side.variant, prompts[0], SamplingOptions(temperature=0.0), limits)

    def _begin(self) -> None:
        wanted = self._wanted()
        if wanted is None:
            return
        self._asked, self._asked_of = wanted, self._experiment
        problem = self._recorder.start(wanted)
        self._offer()
        if problem:
            show_line(self._line, problem)

    def _take_progress(self, trace: Trace) -> None:
        """Shows the newest round while the answer comes."""
        shown = self._shown_of(trace)
        if shown is not None:
            self._replay(shown, len(trace.rounds) - 1)

    def _take(self, trace: Trace) -> None:
        shown = self._shown_of(trace)
        if shown is None:
            self._show()
            return
        if self._experiment is None:
            self._example = shown
        self._on_screen = None  # from the beginning, whatever was shown of it so far
        self._replay(shown)
        self._offer()
        if self._experiment is not None:
            self.trace_recorded.emit(trace)

    def _shown_of(self, trace: Trace) -> _Shown | None:
        """What was just recorded; None where another comparison has come meanwhile."""
        asked, of = self._asked, self._asked_of
        if asked is None or (of is None) is not (self._experiment is None):
            return None
        if of is None or self._experiment is None:
            return _Shown(trace, asked.variant.speculation, None)
        return self._as_shown(trace) if of.created == self._experiment.created else None

    def _fail(self, sentence: str) -> None:
        self._show()
        if sentence:
            show_line(self._line, sentence)
