"""The figures that the meters show, put together four times a second."""

import time
from collections.abc import Callable

from msgspec import Struct
from PySide6.QtCore import QObject, Signal

from app.core.protocol import Done, Round
from app.core.rates import RateMeter, RateReading
from app.core.recent_drafting import DraftingReading, RecentDrafting
from app.ui.monitor import MachineSample, Monitor


class AnswerTally(Struct, frozen=True):
    """Tokens of one answer so far."""

    generated: int = 0
    tested: int = 0  # drafted and verified
    accepted: int = 0


class MeterReading(Struct, frozen=True):
    """What there is to show at one moment."""

    rates: RateReading
    tally: AnswerTally
    is_answering: bool
    machine: MachineSample
    drafting: DraftingReading = DraftingReading()


class Meters(QObject):
    """Follows answers and the machine. `changed` comes with the monitor's samples: never when nobody looks.

    Connect the session's rounds to `add_round`; call `begin_answer` and `end_answer` around them.
    """

    changed = Signal(object)  # MeterReading

    def __init__(
        self,
        monitor: Monitor,
        parent: QObject | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(parent)
        self._clock = clock
        self._rates = RateMeter()
        self._drafting = RecentDrafting()
        self._tally = AnswerTally()
        self._answering = False
        self._average: float | None = None  # the engine's own, once the answer has ended
        monitor.sampled.connect(self._sampled)

    def begin_answer(self) -> None:
        """An answer was asked for."""
        self._rates.begin(self._clock())
        self._tally = AnswerTally()
        self._drafting.begin()
        self._average = None
        self._answering = True

    def add_round(self, round_: Round) -> None:
        """A round of it arrived."""
        stats = round_.stats
        self._rates.add(stats.emitted, self._clock())
        self._drafting.add(round_)
        self._tally = AnswerTally(
            generated=self._tally.generated + stats.emitted,
            tested=self._tally.tested + stats.tested,
            accepted=self._tally.accepted + stats.accepted,
        )

    def end_answer(self, done: Done | None = None) -> None:
        """It has ended; with its figures, from now on the average is the one that stands under the answer."""
        self._answering = False
        self._drafting.end(done)
        if done is not None:
            self._average = done.stats.tok_per_s

    def _sampled(self, machine: MachineSample) -> None:
        now_s = self._clock()
        rates = self._rates.read(now_s)
        if self._average is not None:
            rates = RateReading(rates.now, self._average, rates.history)
        self.changed.emit(
            MeterReading(rates, self._tally, self._answering, machine, self._drafting.read(now_s))
        )
