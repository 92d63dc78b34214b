"""Rows of the history."""

from app.core.experiment import ExperimentKind
from app.core.experiment_entry import ExperimentEntry
from app.core.experiment_file import FORMAT
from app.core.gain import Gain
from app.core.sameness import Sameness
from tests.fakes.experiments import CREATED


def history_entry(
    id_: int = 1,
    *,
    created: float = CREATED,
    kind: ExperimentKind | None = ExperimentKind.PROMPT,
    target: str = "Coder 1.5B Instruct · F16",
    drafts: tuple[str, ...] = ("Coder 0.5B Instruct · Q4_K_M",),
    prompt: str = "Write quicksort in Python.",
    speedup: float | None = 2.02,
    sameness: Sameness | None = Sameness.IDENTICAL,
    is_complete: bool = True,
    prompts: int = 1,
    looks_up: bool = False,
    gain: Gain | None = Gain.FASTER,
    is_sure: bool = True,
    runs: int = 3,
    may_change: bool = False,
    format_: int = FORMAT,
) -> ExperimentEntry:
    """One of them, drafted and identical."""
    return ExperimentEntry(
        id=id_,
        created=created,
        kind=kind,
        target=target,
        drafts=drafts,
        prompt=prompt,
        speedup=speedup,
        sameness=sameness,
        is_complete=is_complete,
        prompts=prompts,
        looks_up=looks_up,
        gain=gain,
        is_sure=is_sure,
        runs=runs,
        may_change=may_change,
        format=format_,
    )
