"""Where a replay is, and how it goes on by itself."""

from enum import StrEnum

from msgspec import Struct
from PySide6.QtCore import QObject, QTimer, Signal

from app.core.trace import Trace, TracedRound

_SHORTEST = 30  # milliseconds


class Pace(StrEnum):
    """How fast a replay goes on."""

    SLOW = "slow"
    NORMAL = "normal"
    FAST = "fast"
    AS_IT_RAN = "as_it_ran"  # in the time that it took


_INTERVALS = {Pace.SLOW: 1800, Pace.NORMAL: 800, Pace.FAST: 200}  # milliseconds


class Moment(Struct, frozen=True):
    """A round, from 0, before or after its drafted tokens are checked."""

    round: int
    is_checked: bool


class ReplayPlayer(QObject):
    """Steps through a trace: each round first as it is drafted, then as it is checked."""

    moved = Signal(object)  # Moment
    playing_changed = Signal(bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rounds: tuple[TracedRound, ...] = ()
        self._moment = Moment(0, True)
        self._pace = Pace.NORMAL
        self._is_playing = False
        self._clock = QTimer(self, singleShot=True)
        self._clock.timeout.connect(self._tick)

    @property
    def moment(self) -> Moment:
        """Where it is."""
        return self._moment

    @property
    def is_playing(self) -> bool:
        """Whether it goes on by itself."""
        return self._is_playing

    @property
    def at_end(self) -> bool:
        """Nothing follows."""
        return self._moment.round >= len(self._rounds) - 1 and self._moment.is_checked

    @property
    def at_start(self) -> bool:
        """Nothing is before."""
        return self._moment == Moment(0, self._is_plain(0))

    def show_trace(self, trace: Trace) -> None:
        """Another answer, from its beginning."""
        self.pause()
        self._rounds = trace.rounds
        self._moment = Moment(0, True)
        self.moved.emit(self._moment)

    def set_pace(self, pace: Pace) -> None:
        """How fast from now on."""
        self._pace = pace
        if self._is_playing:
            self._clock.start(self._interval())

    def play(self) -> None:
        """Goes on by itself; from the beginning where it is at the end."""
        if not self._rounds or self._is_playing:
            return
        if self.at_end:
            self._go(Moment(0, self._is_plain(0)))
        self._is_playing = True
        self._clock.start(self._interval())
        self.playing_changed.emit(True)

    def pause(self) -> None:
        """Stays where it is."""
        self._clock.stop()
        if self._is_playing:
            self._is_playing = False
            self.playing_changed.emit(False)

    def forward(self) -> None:
        """The next moment; pauses."""
        self.pause()
        self._advance()

    def back(self) -> None:
        """The one before; pauses."""
        self.pause()
        moment = self._moment
        if moment.is_checked and not self._is_plain(moment.round):
            self._go(Moment(moment.round, False))
        elif moment.round > 0:
            self._go(Moment(moment.round - 1, True))

    def seek(self, round_: int) -> None:
        """A round, checked; pauses."""
        self.pause()
        self._go(Moment(min(max(round_, 0), len(self._rounds) - 1), True))

    def _advance(self) -> None:
        moment = self._moment
        if not moment.is_checked:
            self._go(Moment(moment.round, True))
        elif moment.round < len(self._rounds) - 1:
            self._go(Moment(moment.round + 1, self._is_plain(moment.round + 1)))

    def _tick(self) -> None:
        self._advance()
        if self.at_end:
            self.pause()
        else:
            self._clock.start(self._interval())

    def _interval(self) -> int:
        """Milliseconds until the next moment."""
        if self._pace is not Pace.AS_IT_RAN:
            return _INTERVALS[self._pace]
        moment = self._moment
        if not moment.is_checked:
            stats = self._rounds[moment.round].stats
            return max(_SHORTEST, round(1000 * (stats.verify_s + stats.sample_s)))
        following = min(moment.round + 1, len(self._rounds) - 1)
        stats = self._rounds[following].stats
        seconds = stats.total_s if self._is_plain(following) else stats.draft_s
        return max(_SHORTEST, round(1000 * seconds))

    def _is_plain(self, number: int) -> bool:
        """Whether nothing was tested in a round."""
        return not self._rounds or not self._rounds[number].tested

    def _go(self, moment: Moment) -> None:
        if moment != self._moment:
            self._moment = moment
            self.moved.emit(moment)
