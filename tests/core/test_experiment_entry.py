"""What the list says about an experiment: of whatever kind, however far it came."""

import pytest
from msgspec.structs import replace

from app.core.experiment import Experiment, ExperimentKind
from app.core.experiment_entry import LONGEST_TEXT, entry_of
from app.core.prompts import Prompt
from tests.fakes.experiments import (
    CODE,
    CREATED,
    DRAFTED,
    LOOKUP,
    OFF,
    OTHER_DRAFT,
    draft_variant,
    prompt_experiment,
    suite_experiment,
    sweep_experiment,
)


def asked(text: str) -> Experiment:
    return replace(prompt_experiment((8.0,), (16.0,)), prompts=(Prompt(CODE.id, text),))


def test_of_a_prompt() -> None:
    entry = entry_of(prompt_experiment((8.0, 8.0), (16.0, 16.0)), 7)

    assert (entry.id, entry.created, entry.kind) == (7, CREATED, ExperimentKind.PROMPT)
    assert entry.target == "Coder 1.5B Instruct · F16"
    assert entry.drafts == ("Coder 0.5B Instruct · Q4_K_M",)
    assert (entry.prompt, entry.prompts) == (CODE.text, 1)
    assert entry.speedup == pytest.approx(2.0)
    assert entry.identical is True
    assert entry.is_complete
    assert not entry.is_noise
    assert not entry.looks_up


def test_of_a_suite_the_variant_that_gained_most_over_all_prompts() -> None:
    experiment = suite_experiment((OFF, DRAFTED, LOOKUP))
    entry = entry_of(experiment, 1)

    best = max(total.speedup or 0.0 for total in experiment.totals if total.variant != OFF.id)
    assert entry.speedup == pytest.approx(best)
    assert (entry.kind, entry.prompts, entry.prompt) == (ExperimentKind.SUITE, 3, "code, story, copy")
    assert entry.looks_up


def test_of_a_sweep_the_best_length() -> None:
    entry = entry_of(sweep_experiment((10.0, 20.0, 15.0), off=10.0, lookup=None), 1)

    assert entry.speedup == pytest.approx(2.0)
    assert entry.drafts == ("Coder 0.5B Instruct · Q4_K_M",), "each once"
    assert not entry.looks_up


def test_of_two_drafts_both_are_named() -> None:
    variants = (draft_variant("a"), draft_variant("b", draft=OTHER_DRAFT))
    entry = entry_of(prompt_experiment((10.0,), (12.0,), variants=variants), 1)

    assert entry.drafts == ("Coder 0.5B Instruct · Q4_K_M", "Coder 0.5B Instruct · Q8_0")
    assert entry.speedup == pytest.approx(1.2), "the second over the first"


@pytest.mark.parametrize(("near_tie", "excused"), [(True, True), (False, False)])
def test_another_text_is_told_from_a_near_tie(near_tie: bool, excused: bool) -> None:
    entry = entry_of(prompt_experiment(identical=False, near_tie=near_tie), 1)

    assert entry.identical is False
    assert entry.is_near_tie is excused


def test_a_difference_that_may_be_chance_is_marked() -> None:
    noisy = prompt_experiment((8.0, 8.4, 8.2), (8.1, 8.5, 8.0))
    sure = prompt_experiment((8.0, 8.1, 8.2), (16.1, 16.0, 16.2))

    assert entry_of(noisy, 1).is_noise
    assert not entry_of(sure, 1).is_noise


def test_stopped_before_anything_could_be_compared() -> None:
    entry = entry_of(prompt_experiment((8.0, 8.0), (16.0, 16.0), ended_runs=1), 1)

    assert (entry.speedup, entry.identical) == (None, None)
    assert not entry.is_complete


def test_too_short_for_a_speed() -> None:
    entry = entry_of(prompt_experiment((8.0,), (16.0,), tokens=1), 1)

    assert entry.speedup is None
    assert entry.identical is True


def test_of_a_long_prompt_the_first_words_on_one_line() -> None:
    entry = entry_of(asked("Say\n\n  this:\t" + "word " * 100_000), 1)

    assert entry.prompt.startswith("Say this: word word")
    assert len(entry.prompt) == LONGEST_TEXT
