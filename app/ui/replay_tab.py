"""How it works: a recorded answer to be watched round by round."""

from msgspec import Struct
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QScrollArea, QWidget

from app.core.experiment import Experiment, ModelIdentity, reference_of
from app.core.trace import Trace
from app.ui.compare_services import CompareServices
from app.ui.comparison_problems import follow_engine
from app.ui.elided_choice import ElidedChoice
from app.ui.form_parts import set_shown, show_line
from app.ui.identities import identity_of
from app.ui.replay_intro import ReplayIntro
from app.ui.replay_offer import example_recording, offer_text, recording_problem
from app.ui.replay_picture import ReplayPicture
from app.ui.replay_round_card import Recorded
from app.ui.replay_view import ReplayView
from app.ui.replay_words import origin_text
from app.ui.session_state import Running
from app.ui.suite_menu import first_words
from app.ui.trace_recorder import Recording, TraceRecorder, recording_of
from app.ui.variant_words import variant_text
from app.ui.widgets import button, column, label, row, set_property

_BOX_WIDTH = 380  # pixels
_LONGEST = 36  # characters of a prompt in that box
_GAP = 12
_ALL = 1000  # a stretch beside which others come to nothing


class _Shown(Struct, frozen=True):
    """A recorded answer, and to which prompt it was given by which models."""

    recorded: Recorded
    prompt: str
    origin: str


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
        self._asked_target: ModelIdentity | None = None  # which answers
        self._picture: ReplayPicture | None = None  # of what was exported last
        self._example: _Shown | None = None
        self._shown: _Shown | None = None  # what is replayed
        self._on_screen: _Shown | None = None  # as far as anybody has looked
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
        if not _are_same(before, experiment):
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
        if self._shown is not None:
            self._view.take_focus()
        else:
            self._record.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def has_picture(self) -> bool:
        """Whether there is a round to be shown."""
        return self._shown is not None

    def picture_widget(self) -> QWidget | None:
        """The moment that is shown, without what moves it."""
        self._open()
        if self._picture is not None:
            self._picture.deleteLater()
            self._picture = None
        shown = self._shown
        if shown is not None:
            self._picture = ReplayPicture(
                self._services.theme, shown.recorded, self._view.look, (shown.prompt, shown.origin), self
            )
        return self._picture

    def showEvent(self, event: QShowEvent) -> None:
        """Opens what came while nobody looked."""
        super().showEvent(event)
        self._open()
        self._offer()

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
        follow_engine(self._session, self._offer)

    @property
    def _choice(self) -> tuple[str, str] | None:
        index = self._answer.currentIndex()
        return self._answers[index] if 0 <= index < len(self._answers) else None

    def _name(self, variant: str, prompt: str) -> str:
        assert self._experiment is not None
        text = next(each.text for each in self._experiment.prompts if each.id == prompt)
        return f"{variant_text(self._experiment.variant(variant))} · {first_words(text, _LONGEST)}"

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
        variant = experiment.variant(trace.variant)
        prompt = next(each.text for each in experiment.prompts if each.id == trace.prompt)
        recorded = Recorded(trace, variant.speculation, None if rate is None else 1 / rate)
        return _Shown(recorded, prompt, origin_text(experiment.target, variant, experiment.machine.processor))

    def _replay(self, shown: _Shown | None) -> None:
        """Opens a trace: once somebody looks, for a long one takes a while."""
        self._shown = shown
        set_shown(self._view, shown is not None)
        set_shown(self._intro, shown is None)
        if self.isVisible():
            self._open()

    def _open(self) -> None:
        shown = self._shown
        if shown is not None and shown != self._on_screen:
            self._view.open(shown.recorded, shown.prompt)
        self._on_screen = shown

    def _offer(self) -> None:
        """Says what can be recorded, or why nothing can."""
        recording, is_recorded = self._recorder.is_running, self._chosen is not None
        problem = recording_problem(self._services, self._experiment)
        can_record = self._wanted() is not None and not recording and not (is_recorded and problem)
        set_shown(self._answer, bool(self._answers))
        self._answer.setEnabled(not recording)
        set_shown(self._record, can_record)
        self._record.setEnabled(not problem)
        set_shown(self._stop, recording)
        set_shown(self._load, not isinstance(self._session.state, Running) and not is_recorded)
        set_property(self._record, "kind", "plain" if is_recorded else "primary")
        if is_recorded:
            self._record.setText(self.tr("Record again"))
        elif self._experiment is None:
            self._record.setText(self.tr("Record an example"))
        else:
            self._record.setText(self.tr("Record this answer"))
        self._record.setAccessibleName(self._record.text())
        if not recording:
            show_line(self._line, offer_text(self._experiment, is_recorded=is_recorded, problem=problem))

    def _wanted(self) -> Recording | None:
        """What Record records."""
        if self._experiment is None:
            return example_recording(self._services)
        return None if self._choice is None else recording_of(self._experiment, *self._choice)

    def _begin(self) -> None:
        wanted = self._wanted()
        if wanted is None:
            return
        self._view.player.pause()  # the answer is timed
        state = self._session.state
        self._asked, self._asked_of = wanted, self._experiment
        self._asked_target = identity_of(state.setup.target) if isinstance(state, Running) else None
        problem = self._recorder.start(wanted)
        self._offer()
        show_line(self._line, problem or self.tr("Recording: the answer is generated once more."))

    def _take_progress(self, tokens: int) -> None:
        """A figure is enough: the answer is timed."""
        words = self.tr("Recording: the answer is generated once more, {count} tokens so far.")
        show_line(self._line, words.format(count=tokens))

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
        if self._experiment is None:
            assert self._asked_target is not None
            recorded = Recorded(trace, asked.variant.speculation, None)
            return _Shown(recorded, asked.prompt.text, origin_text(self._asked_target, asked.variant))
        return self._as_shown(trace) if _are_same(of, self._experiment) else None

    def _fail(self, sentence: str) -> None:
        self._show()
        if sentence:
            show_line(self._line, sentence)


def _are_same(one: Experiment | None, other: Experiment) -> bool:
    """Whether they are one experiment, which may have got a trace meanwhile. A copy in a file is another."""
    return one is not None and one.runs is other.runs
