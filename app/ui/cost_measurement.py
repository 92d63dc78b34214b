"""Measures what passes cost on the loaded models."""

from collections.abc import Callable
from time import monotonic

from msgspec import Struct
from PySide6.QtCore import QObject, Signal

from app.core.options import LONGEST_DRAFT
from app.core.protocol import CostsMeasured, CostsProgressed, Event, Failed, FailureKind
from app.ui.engine_end import EngineEnd
from app.ui.engine_words import happened_sentence
from app.ui.session import Session
from app.ui.trials import Trials

MOST_TOKENS = LONGEST_DRAFT + 1  # of a pass: the longest draft, and the target's own token
PAUSE_S = 0.25  # between two tellings: to paint takes time from what is timed


class CostProgress(Struct, frozen=True):
    """How far it is."""

    done: int  # passes
    of: int
    seconds: float  # since its beginning
    is_repeated: bool  # more passes are needed than first thought, since their times disagree


class CostMeasurement(QObject):
    """One at a time; each ends with `measured` or `failed`."""

    progressed = Signal(object)  # CostProgress, now and then
    measured = Signal(object)  # PassCosts, which agree with each other
    failed = Signal(str)  # a sentence

    def __init__(
        self, session: Session, parent: QObject | None = None, *, clock: Callable[[], float] = monotonic
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._trials: Trials | None = None
        self._clock = clock
        self._began = self._next_telling = 0.0
        self._expected = 0  # passes, when it began

    @property
    def is_running(self) -> bool:
        """True from `start` to its end."""
        return self._trials is not None

    def start(self) -> bool:
        """Begins; False where the engine is not free."""
        if self._trials is not None:
            return False
        trials = self._session.begin_trials()
        if trials is None:
            return False
        self._trials = trials
        self._began = self._next_telling = self._clock()
        self._expected = 0
        trials.event_received.connect(self._take)
        trials.lost.connect(self._lose)
        trials.measure_costs(MOST_TOKENS)
        return True

    def stop(self) -> None:
        """Ends it early."""
        if self._trials is not None:
            self._trials.stop()

    def _take(self, event: Event) -> None:
        match event:
            case CostsProgressed():
                self._tell(event)
            case CostsMeasured() if event.costs.is_steady:
                self._give_back()
                self.measured.emit(event.costs)
            case CostsMeasured():
                self._give_back()
                self.failed.emit(
                    self.tr(
                        "The computer is too busy to measure: the same pass took quite different times. Try "
                        "again when less is going on."
                    )
                )
            case Failed():
                self._give_back()
                was_stopped = event.kind is FailureKind.CANCELLED
                self.failed.emit(self.tr("Stopped; nothing was measured.") if was_stopped else event.sentence)

    def _tell(self, event: CostsProgressed) -> None:
        self._expected = self._expected or event.of
        now = self._clock()
        if now >= self._next_telling:
            self._next_telling = now + PAUSE_S
            is_repeated = event.of > self._expected
            self.progressed.emit(CostProgress(event.done, event.of, now - self._began, is_repeated))

    def _lose(self, end: EngineEnd) -> None:
        self._give_back()
        self.failed.emit(happened_sentence(end))

    def _give_back(self) -> None:
        """Lets go of the engine. What it says or does from now on is no longer of this measurement."""
        trials, self._trials = self._trials, None
        if trials is not None:
            trials.event_received.disconnect(self._take)
            trials.lost.disconnect(self._lose)
            trials.close()
