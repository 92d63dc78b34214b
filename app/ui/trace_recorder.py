"""Generates an answer once more, recorded round by round."""

from msgspec import Struct
from PySide6.QtCore import QObject, QTimer, Signal

from app.core.experiment import Experiment, ModelIdentity, Variant
from app.core.options import GenerationLimits, SamplingOptions
from app.core.prompts import Prompt
from app.core.protocol import DraftAdded, Event, Failed, FailureKind, Finished, RoundFinished
from app.core.stats import StopReason
from app.core.trace import Trace, TracedRound
from app.models.library import LocalModel
from app.ui.engine_end import EngineEnd
from app.ui.engine_words import happened_sentence
from app.ui.identities import is_model
from app.ui.library_service import LibraryService
from app.ui.session import Session
from app.ui.session_state import Running
from app.ui.trials import Trials

_PAUSE = 250  # milliseconds between two tellings: the answer is being timed


class Recording(Struct, frozen=True):
    """Which answer is to be recorded."""

    variant: Variant
    prompt: Prompt
    sampling: SamplingOptions
    limits: GenerationLimits


def recording_of(experiment: Experiment, variant: str, prompt: str) -> Recording:
    """The answer of an experiment. Raises KeyError for a variant or prompt that it does not have."""
    for each in experiment.prompts:
        if each.id == prompt:
            return Recording(experiment.variant(variant), each, experiment.sampling, experiment.limits)
    raise KeyError(prompt)


class TraceRecorder(QObject):
    """One recording at a time; each ends with `recorded` or `failed`, once."""

    progressed = Signal(int)  # tokens of the answer so far, a few times a second
    recorded = Signal(object)  # Trace of the whole answer
    failed = Signal(str)  # a sentence; empty where it was stopped: a part is not the answer

    def __init__(self, session: Session, library: LibraryService, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._library = library
        self._trials: Trials | None = None
        self._recording: Recording | None = None
        self._draft: LocalModel | None = None  # that is added for it
        self._rounds: list[TracedRound] = []
        self._is_stopped = False
        self._telling = QTimer(self, singleShot=True, interval=_PAUSE)
        self._telling.timeout.connect(self._tell)

    @property
    def is_running(self) -> bool:
        """True from `start` to its end."""
        return self._trials is not None

    def start(self, recording: Recording) -> str:
        """Begins, and gives an empty text; or a sentence why not."""
        draft = None
        wanted = recording.variant.draft
        if wanted is not None and not self._is_in_memory(wanted):
            models = self._library.listing.models
            draft = next((model for model in models if is_model(model, wanted)), None)
            if draft is None:
                return self.tr("The draft model {name} is not among your models.").format(name=wanted.title)
        trials = None if self.is_running else self._session.begin_trials()
        if trials is None:
            return self.tr("The engine is busy. Try again when it is done.")
        self._trials, self._recording, self._draft, self._rounds = trials, recording, draft, []
        self._is_stopped = False
        trials.event_received.connect(self._take)
        trials.lost.connect(self._lose)
        if draft is None:
            self._answer(trials, recording)
        else:
            trials.add_draft(draft.path)
        return ""

    def stop(self) -> None:
        """Ends it early; what was recorded so far is dropped."""
        if self._trials is not None:
            self._is_stopped = True
            self._trials.stop()

    def _is_in_memory(self, wanted: ModelIdentity) -> bool:
        """Whether the draft model that was loaded with the target is the wanted one."""
        state = self._session.state
        if not isinstance(state, Running) or not state.has_draft or state.setup.draft is None:
            return False
        return is_model(state.setup.draft, wanted)

    def _answer(self, trials: Trials, recording: Recording) -> None:
        trials.answer(
            recording.prompt.messages,
            recording.sampling,
            recording.variant.speculation,
            recording.limits,
            draft=None if self._draft is None else self._draft.path,
            trace=True,
        )

    def _take(self, event: Event) -> None:
        trials, recording = self._trials, self._recording
        if trials is None or recording is None:
            return
        match event:
            case DraftAdded():
                if self._is_stopped:  # it was in memory before the engine heard of it
                    self._fail("")
                elif event.refusal is not None:
                    self._fail(event.refusal.sentence)
                else:
                    self._answer(trials, recording)
            case RoundFinished():
                if event.round.trace is not None:
                    self._rounds.append(event.round.trace)
                    if not self._telling.isActive():
                        self._telling.start()
            case Finished():
                self._finish(recording, event.done.stats.stop_reason)
            case Failed():
                self._fail("" if event.kind is FailureKind.CANCELLED else event.sentence)

    def _tell(self) -> None:
        self.progressed.emit(sum(each.stats.emitted for each in self._rounds))

    def _finish(self, recording: Recording, reason: StopReason) -> None:
        trace = Trace(recording.variant.id, recording.prompt.id, tuple(self._rounds))
        self._give_back()
        if reason is StopReason.STOPPED or not trace.rounds:
            self.failed.emit("")
        else:
            self.recorded.emit(trace)

    def _fail(self, sentence: str) -> None:
        self._give_back()
        self.failed.emit(sentence)

    def _lose(self, end: EngineEnd) -> None:
        self._fail(happened_sentence(end))

    def _give_back(self) -> None:
        """Lets go of the engine. What it says or does from now on is no longer of this recording."""
        self._telling.stop()
        trials, self._trials, self._recording = self._trials, None, None
        self._rounds = []
        if trials is not None:
            trials.event_received.disconnect(self._take)
            trials.lost.disconnect(self._lose)
            trials.close()
