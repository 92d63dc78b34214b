"""What the list of experiments says about one of them, without reading all of it."""

from collections.abc import Iterable

from msgspec import Struct

from app.core.experiment import Experiment, ExperimentKind, Total, reference_of
from app.core.experiment_file import FORMAT
from app.core.gain import Gain
from app.core.options import SpeculationMode
from app.core.sameness import Sameness, lossy_of
from app.core.suite_result import suite_result

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
    sameness: Sameness | None  # of its output and the reference's; None where they were not compared
    is_complete: bool
    prompts: int = 1
    looks_up: bool = False  # prompt lookup drafted too, or alone
    gain: Gain | None = None  # what the speed-up comes to; None without one
    is_sure: bool = False  # there were enough runs to know the noise
    runs: int = 0  # of the side and prompt with the fewest
    may_change: bool = False  # an acceptance rule may change the text, whether or not it did
    format: int = FORMAT


def entry_of(experiment: Experiment, id_: int) -> ExperimentEntry:
    """The row of an experiment."""
    reference = reference_of(experiment.variants)
    best = _best(experiment)
    judged = None if best is None else experiment.variant(best.variant)
    result = suite_result(experiment.prompts, judged, reference, experiment.summary)
    whole = result.whole
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
        speedup=None if best is None else best.speedup,
        sameness=None if judged is None else whole.sameness,
        is_complete=experiment.is_complete,
        prompts=len(experiment.prompts),
        looks_up=SpeculationMode.PROMPT_LOOKUP in modes,
        gain=None if best is None or best.speedup is None else result.gain,
        is_sure=whole.interval is not None,
        runs=whole.runs,
        may_change=judged is not None and bool(lossy_of(judged, reference)),
    )


def _best(experiment: Experiment) -> Total | None:
    reference = reference_of(experiment.variants).id
    others = [total for total in experiment.totals if total.variant != reference]
    return max(others, key=lambda total: total.speedup or 0.0, default=None)


def _prompt_words(experiment: Experiment) -> str:
    prompts = experiment.prompts
    suites = _each_once(prompt.suite for prompt in prompts if prompt.suite)
    if len(prompts) > 1 and suites:
        return ", ".join(suites)[:LONGEST_TEXT]
    text = prompts[0].text if prompts else ""
    return " ".join(text[: 4 * LONGEST_TEXT].split())[:LONGEST_TEXT]


def _each_once(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))
