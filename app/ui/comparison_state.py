"""How far a comparison is."""

from enum import StrEnum

from msgspec import Struct

from app.core.experiment import PlannedRun


class Phase(StrEnum):
    """What it is doing."""

    IDLE = "idle"
    LOADING_DRAFT = "loading_draft"  # one that is not in memory yet
    WARMING_UP = "warming_up"  # short answers that are not counted
    RUNNING = "running"  # an answer that is counted
    WEIGHING = "weighing"  # looks at the places where outputs differ
    STOPPING = "stopping"  # stop was asked for; what is under way ends


class ComparisonState(Struct, frozen=True):
    """A moment of it. `planned` is the answer being generated, warm-ups included."""

    phase: Phase = Phase.IDLE
    planned: PlannedRun | None = None
    done: int = 0  # counted answers that have ended
    of: int = 0  # counted answers in all
    seconds_left: float | None = None  # None while no answer has ended
    read: float | None = None  # share of the prompt, while a warm-up reads it
