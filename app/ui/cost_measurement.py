"""Measures what passes cost on the loaded models."""

from PySide6.QtCore import QObject, Signal

from app.core.protocol import CostsMeasured, Event, Failed, FailureKind
from app.ui.engine_end import EngineEnd
from app.ui.engine_words import happened_sentence
from app.ui.session import Session
from app.ui.trials import Trials

MOST_TOKENS = 9  # of a pass: drafts of up to 8


class CostMeasurement(QObject):
    """One at a time; each ends with `measured` or `failed`."""

    measured = Signal(object)  # PassCosts
    failed = Signal(str)  # a sentence; empty where it was stopped

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._trials: Trials | None = None

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
            case CostsMeasured():
                self._give_back()
                self.measured.emit(event.costs)
            case Failed():
                self._give_back()
                self.failed.emit("" if event.kind is FailureKind.CANCELLED else event.sentence)

    def _lose(self, end: EngineEnd) -> None:
        self._trials = None
        self.failed.emit(happened_sentence(end))

    def _give_back(self) -> None:
        if self._trials is not None:
            self._trials.close()
            self._trials = None
