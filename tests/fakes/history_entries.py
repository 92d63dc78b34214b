"""Rows of the history."""

from app.core.experiment import FORMAT, ExperimentKind
from app.core.experiment_entry import ExperimentEntry
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
    identical: bool | None = True,
    is_complete: bool = True,
    prompts: int = 1,
    looks_up: bool = False,
    is_noise: bool = False,
    is_near_tie: bool = False,
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
        identical=identical,
        is_complete=is_complete,
        prompts=prompts,
        looks_up=looks_up,
        is_noise=is_noise,
        is_near_tie=is_near_tie,
        format=format_,
    )
