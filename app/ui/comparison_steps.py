"""What a comparison consists of, one request to the engine after the other."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from app.core.compare import schedule, warm_ups
from app.core.deviations import Deviation, Place
from app.core.experiment import Plan, PlannedRun
from app.core.options import SpeculationMode
from app.ui.session_state import Running
from app.ui.side import Side


class LoadDraft(Struct, frozen=True):
    """Put one more draft model into memory."""

    path: Path


class Answer(Struct, frozen=True):
    """Generate an answer. One that is not counted only warms the machine up."""

    planned: PlannedRun
    is_counted: bool


class WeighDifference(Struct, frozen=True):
    """Look at the place where an output leaves the reference's."""

    place: Place
    deviation: Deviation


Step = LoadDraft | Answer | WeighDifference


def added_drafts(sides: Sequence[Side], running: Running) -> dict[str, Path]:
    """The draft models that are not in memory yet, by the ids of the variants that want them."""
    setup = running.setup
    loaded = setup.draft.path if running.loaded.has_draft and setup.draft is not None else None
    return {
        side.variant.id: side.draft.path
        for side in sides
        if side.variant.speculation.mode is SpeculationMode.DRAFT_MODEL
        and side.draft is not None
        and side.draft.path != loaded
    }


def steps_of(plan: Plan, drafts: Mapping[str, Path]) -> list[Step]:
    """All that can be known beforehand; `drafts` are those of `added_drafts`. Each is loaded once."""
    return [
        *[LoadDraft(path) for path in dict.fromkeys(drafts.values())],
        *[Answer(planned, is_counted=False) for planned in warm_ups(plan)],
        *[Answer(planned, is_counted=True) for planned in schedule(plan)],
    ]


def counted_runs(steps: Sequence[Step]) -> list[PlannedRun]:
    """The answers among the steps that count."""
    return [step.planned for step in steps if isinstance(step, Answer) and step.is_counted]
