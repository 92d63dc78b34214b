"""What drafting has come to over the last rounds of an answer.

A round may draft and the next may not, several times a second. What is told looks at a stretch of rounds,
stays for a second at least, and needs more to change than it needed to be told.
"""

from collections import Counter, deque
from collections.abc import Sequence
from enum import StrEnum

from msgspec import Struct

from app.core.drafting_state import DraftingState
from app.core.drafting_totals import DraftingTotals
from app.core.gain import LEAST_TOKENS
from app.core.protocol import Done, Round
from app.core.stats import DraftSource, RoundStats

ROUNDS_SHOWN = 100

_STRETCH = 16  # rounds that are looked at
_FEWEST = 3  # rounds; before them nothing is told
_KEPT_S = 1.0  # for which the same is told at least
_STEADY_FROM, _STEADY_WHILE = 0.75, 0.5  # shares of rounds that draft
_PAUSED_FROM, _PAUSED_WHILE = 0.07, 0.2  # the odd probe is no end of a pause
_ODD = 10  # one draft among so many does not count for the range of lengths


class Course(StrEnum):
    """How the last rounds went."""

    STEADY = "steady"  # most of them drafted
    AT_TIMES = "at_times"  # some did
    PAUSED = "paused"  # none did, or hardly any


class LatelyDrafted(Struct, frozen=True):
    """The last rounds in short.

    `typical` is the decision of a round that drafted where the course is steady, otherwise of one that did
    not; None of a fixed length that is not steady, and where what passes cost is not known.
    """

    course: Course
    sources: tuple[DraftSource, ...] = ()  # of the drafts, the commoner first
    shortest: int = 0  # tokens of a draft, but for the odd one
    longest: int = 0
    typical: DraftingState | None = None


class DraftingReading(Struct, frozen=True):
    """What there is to show of an answer's drafts at one moment."""

    rounds: tuple[RoundStats, ...] = ()  # the last ones, oldest first
    lately: LatelyDrafted | None = None  # None before there is anything to tell
    whole: DraftingTotals | None = None  # once the answer has ended
    speedup: float | None = None  # against plain generation so far, by estimate


class RecentDrafting:
    """Follows answers, one after the other. Moments are seconds on one monotonic clock."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """An answer begins; of the one before nothing is left."""
        self._rounds: deque[Round] = deque(maxlen=ROUNDS_SHOWN)
        self._totals: DraftingTotals | None = None  # None until the prompt is read
        self._generated = 0
        self._speedup: float | None = None
        self._lately: LatelyDrafted | None = None
        self._told_s = 0.0
        self._has_ended = False

    def add(self, round_: Round) -> None:
        """A round of it; the first is the one that reading the prompt gives."""
        stats = round_.stats
        self._generated += stats.emitted
        if self._totals is None:
            self._totals = DraftingTotals()
            return
        self._rounds.append(round_)
        self._totals = DraftingTotals(
            self._totals.rounds + 1,
            self._totals.drafting + (stats.tested > 0),
            self._totals.tested + stats.tested,
        )
        if round_.drafting is not None:
            self._speedup = round_.drafting.speedup

    def end(self, done: Done | None = None) -> None:
        """It has ended; with its figures, the estimate is the one that stands under the answer."""
        self._has_ended = True
        if done is not None:
            self._speedup = done.stats.estimated_speedup

    def read(self, now_s: float) -> DraftingReading:
        """What there is to show, to be asked a few times a second."""
        if self._lately is None or now_s >= self._told_s + _KEPT_S:
            self._lately, self._told_s = self._look(), now_s
        totals = self._totals or DraftingTotals()
        tells_speedup = totals.tested > 0 and self._generated >= LEAST_TOKENS
        return DraftingReading(
            rounds=tuple(round_.stats for round_ in self._rounds),
            lately=self._lately,
            whole=totals if self._has_ended else None,
            speedup=self._speedup if tells_speedup else None,
        )

    def _look(self) -> LatelyDrafted | None:
        rounds = list(self._rounds)[-_STRETCH:]
        if len(rounds) < _FEWEST:
            return None
        drafting = [round_ for round_ in rounds if round_.stats.drafted]
        course = self._course(len(drafting) / len(rounds))
        if course is Course.PAUSED:
            return LatelyDrafted(course, typical=_typical_pause(rounds))
        lengths = sorted(round_.stats.drafted for round_ in drafting)
        odd = len(lengths) // _ODD
        return LatelyDrafted(
            course,
            sources=tuple(
                source for source, _ in Counter(round_.stats.source for round_ in drafting).most_common()
            ),
            shortest=lengths[odd],
            longest=lengths[-1 - odd],
            typical=_typical_draft(drafting) if course is Course.STEADY else _typical_pause(rounds),
        )

    def _course(self, share: float) -> Course:
        before = self._lately.course if self._lately is not None else None
        if share >= (_STEADY_WHILE if before is Course.STEADY else _STEADY_FROM):
            return Course.STEADY
        if share <= (_PAUSED_WHILE if before is Course.PAUSED else _PAUSED_FROM):
            return Course.PAUSED
        return Course.AT_TIMES


def _typical_draft(drafting: Sequence[Round]) -> DraftingState | None:
    """Of those that checked the middle number of tokens the one with the middle cost: times scatter."""
    states = sorted(
        (round_.drafting for round_ in drafting if round_.drafting is not None),
        key=lambda state: (state.checked, state.steps),
    )
    if not states:
        return None
    checked = states[len(states) // 2].checked
    alike = [state for state in states if state.checked == checked]
    return alike[len(alike) // 2]


def _typical_pause(rounds: Sequence[Round]) -> DraftingState | None:
    """The latest of those that paused for the commonest reason, with the commonest round in mind."""
    paused = [
        round_.drafting
        for round_ in rounds
        if round_.drafting is not None and round_.drafting.pause is not None
    ]
    if not paused:
        return None
    kinds = Counter((state.pause, state.checked) for state in paused)
    commonest = kinds.most_common(1)[0][0]
    return next(state for state in reversed(paused) if (state.pause, state.checked) == commonest)
