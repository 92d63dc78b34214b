"""What the list of experiments says about one of them, without reading all of it."""

from collections.abc import Iterable

from msgspec import Struct

from app.core.experiment import FORMAT, Experiment, ExperimentKind, Total, reference_of
from app.core.options import SpeculationMode

LONGEST_TEXT = 240  # characters of a name or a prompt that are kept for the list


class ExperimentEntry(Struct, frozen=True):
    """One row. The result is that of the variant that gained most over the reference."""

    id: int
    created: float  # seconds since 1970
    kind: ExperimentKind | None  # None for one that this version does not know
    target: str  # name and quantisation
    drafts: tuple[str, ...]  # the same of every draft model, each once
    prompt: str  # its first words; the kinds of prompts where there are several
    speedup: float | None  # None where nothing could be compared
    identical: bool | None  # its output and the reference's
    is_complete: bool
    prompts: int = 1
    looks_up: bool = False  # prompt lookup drafted too, or alone
    is_noise: bool = False  # the speed-up's interval spans 1
    is_near_tie: bool = False  # it is not identical, and leaves the reference at near-ties alone
    format: int = FORMAT


def entry_of(experiment: Experiment, id_: int) -> ExperimentEntry:
    """The row of an experiment."""
    best = _best(experiment)
    modes = [variant.speculation.mode for variant in experiment.variants]
    return ExperimentEntry(
        id=id_,
        created=experiment.created,
        kind=experiment.kind,
        target=experiment.target.title[:LONGEST_TEXT],
        drafts=_each_once(
            variant.draft.title[:LONGEST_TEXT] for variant in experiment.variants if variant.draft is not None
        ),
        prompt=_prompt_words(experiment),
        speedup=best.speedup if best is not None else None,
        identical=best.identical if best is not None else None,
        is_complete=experiment.is_complete,
        prompts=len(experiment.prompts),
        looks_up=SpeculationMode.PROMPT_LOOKUP in modes,
        is_noise=best is not None and _is_noise(experiment, best),
        is_near_tie=best is not None and _is_near_tie(experiment, best),
        format=experiment.format,
    )


def _best(experiment: Experiment) -> Total | None:
    reference = reference_of(experiment.variants).id
    others = [total for total in experiment.totals if total.variant != reference]
    return max(others, key=lambda total: total.speedup or 0.0, default=None)


def _is_noise(experiment: Experiment, best: Total) -> bool:
    """Of one prompt alone: over several there is no interval."""
    if len(experiment.prompts) != 1:
        return False
    summary = experiment.summary_of(best.variant, experiment.prompts[0].id)
    interval = summary.speedup_interval if summary is not None else None
    return interval is not None and interval.contains(1.0)


def _is_near_tie(experiment: Experiment, best: Total) -> bool:
    own = (summary for summary in experiment.summary if summary.variant == best.variant)
    differences = [first for summary in own if (first := summary.first_difference) is not None]
    return bool(differences) and all(first.near_tie for first in differences)


def _prompt_words(experiment: Experiment) -> str:
    prompts = experiment.prompts
    suites = _each_once(prompt.suite for prompt in prompts if prompt.suite)
    if len(prompts) > 1 and suites:
        return ", ".join(suites)[:LONGEST_TEXT]
    text = prompts[0].text if prompts else ""
    return " ".join(text[: 4 * LONGEST_TEXT].split())[:LONGEST_TEXT]


def _each_once(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))
