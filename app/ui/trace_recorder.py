"""Generates an answer once more, recorded round by round."""

from msgspec import Struct
from PySide6.QtCore import QObject, QTimer, Signal

from app.core.experiment import Experiment, ModelIdentity, Variant
from app.core.options import GenerationLimits, SamplingOptions
from app.core.prompts import Prompt
from app.core.protocol import DraftAdded, Event, Failed, FailureKind, Finished, RoundFinished
from app.core.trace import Trace, TracedRound
from app.models.library import LocalModel
from app.models.model_names import printable
from app.ui.engine_end import EngineEnd
from app.ui.engine_words import happened_sentence
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


def is_same_model(identity: ModelIdentity, model: LocalModel) -> bool:
    """Whether a file here is, by its name and size, the one that an experiment used."""
    return (identity.file, identity.size_bytes) == (printable(model.path.name), model.info.total_bytes)


class TraceRecorder(QObject):
    """One recording at a time; each ends with `recorded` or `failed`."""

    progressed = Signal(object)  # Trace as far as it goes, a few times a second
    recorded = Signal(object)  # Trace; that of a stopped answer, too
    failed = Signal(str)  # a sentence; empty where it was stopped before there was anything

    def __init__(self, session: Session, library: LibraryService, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._library = library
        self._trials: Trials | None = None
        self._recording: Recording | None = None
        self._draft: LocalModel | None = None  # that is added for it
        self._rounds: list[TracedRound] = []
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
            draft = next((model for model in models if is_same_model(wanted, model)), None)
            if draft is None:
                return self.tr("The draft model {name} is not among your models.").format(name=wanted.title)
        trials = None if self.is_running else self._session.begin_trials()
        if trials is None:
            return self.tr("The engine is busy. Try again when it is done.")
        self._trials, self._recording, self._draft, self._rounds = trials, recording, draft, []
        trials.event_received.connect(self._take)
        trials.lost.connect(self._lose)
        if draft is None:
            self._answer(trials, recording)
        else:
            trials.add_draft(draft.path)
        return ""

    def stop(self) -> None:
        """Ends it early; what was recorded stands."""
        if self._trials is not None:
            self._trials.stop()

    def _is_in_memory(self, wanted: ModelIdentity) -> bool:
        """Whether the draft model that was loaded with the target is the wanted one."""
        state = self._session.state
        if not isinstance(state, Running) or not state.has_draft or state.setup.draft is None:
            return False
        return is_same_model(wanted, state.setup.draft)

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
                if event.refusal is None:
                    self._answer(trials, recording)
                else:
                    self._fail(event.refusal.sentence)
            case RoundFinished():
                if event.round.trace is not None:
                    self._rounds.append(event.round.trace)
                    if not self._telling.isActive():
                        self._telling.start()
            case Finished():
                self._finish()
            case Failed():
                self._fail("" if event.kind is FailureKind.CANCELLED else event.sentence)

    def _tell(self) -> None:
        trace = self._trace
        if trace is not None:
            self.progressed.emit(trace)

    @property
    def _trace(self) -> Trace | None:
        if self._recording is None or not self._rounds:
            return None
        return Trace(self._recording.variant.id, self._recording.prompt.id, tuple(self._rounds))

    def _finish(self) -> None:
        trace = self._trace
        self._give_back()
        if trace is not None:
            self.recorded.emit(trace)
        else:
            self.failed.emit("")

    def _fail(self, sentence: str) -> None:
        self._give_back()
        self.failed.emit(sentence)

    def _lose(self, end: EngineEnd) -> None:
        self._trials = None
        self._fail(happened_sentence(end))

    def _give_back(self) -> None:
        self._telling.stop()
        trials, self._trials, self._recording = self._trials, None, None
        if trials is not None:
            trials.close()
