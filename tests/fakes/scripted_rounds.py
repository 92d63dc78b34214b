"""Rounds as an automatic draft length makes them, and as a fixed one does."""

from collections.abc import Iterator, Sequence
from itertools import cycle

from app.core.drafting_state import DraftingState, Pause
from app.core.protocol import Round
from app.core.stats import DraftSource, RoundStats

_STEP_S = 0.1  # of a plain step
_EXTRA = 0.1  # plain steps that each drafted token costs more

FIRST = Round(
    (1,), (), RoundStats(DraftSource.NONE, 0, 0, 0, 1, 0.0, 0.0, 0.0)
)  # that reading a prompt gives


def drafted_round(
    drafted: int = 4,
    accepted: int = 3,
    *,
    source: DraftSource = DraftSource.DRAFT_MODEL,
    speedup: float | None = 1.6,
    automatic: bool = True,
) -> Round:
    """One that drafted; the whole costs a tenth of a plain step for each drafted token, and one."""
    steps = 1.0 + _EXTRA * drafted
    state = DraftingState(source, drafted, None, drafted + 1, steps, 0.9, 0.3, speedup)
    return _round(source, drafted, accepted, steps, state if automatic else None)


def paused_round(
    pause: Pause = Pause.TOO_DEAR,
    *,
    checked: int = 4,
    steps: float = 4.3,
    acceptance: float = 0.41,
    needed: float | None = None,
    speedup: float | None = 1.0,
) -> Round:
    """One that drafted nothing, though it thought of a draft."""
    state = DraftingState(DraftSource.NONE, 0, pause, checked, steps, acceptance, needed, speedup)
    return _round(DraftSource.NONE, 0, 0, 1.0, state)


def undrafted_round(source: DraftSource = DraftSource.PROMPT_LOOKUP) -> Round:
    """One of a fixed draft length that found nothing to draft."""
    return _round(source, 0, 0, 1.0, None)


def drafted_rounds(lengths: Sequence[int], count: int, *, automatic: bool = True) -> Iterator[Round]:
    """So many rounds of a draft model, with these lengths over and over; of every other one is not kept."""
    for number, length in zip(range(count), cycle(lengths), strict=False):
        yield drafted_round(length, max(0, length - number % 2), automatic=automatic)


def _round(
    source: DraftSource, drafted: int, accepted: int, steps: float, state: DraftingState | None
) -> Round:
    stats = RoundStats(source, drafted, drafted, accepted, accepted + 1, 0.0, steps * _STEP_S, 0.0)
    return Round((1,) * stats.emitted, (), stats, drafting=state)
