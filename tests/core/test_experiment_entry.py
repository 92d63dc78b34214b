"""What the list says about an experiment: of whatever kind, however far it came."""

import pytest
from msgspec.structs import replace

from app.core.experiment import Experiment, ExperimentKind
from app.core.experiment_entry import LONGEST_TEXT, entry_of
from app.core.gain import Gain
from app.core.options import AcceptanceRule
from app.core.prompts import Prompt
from app.core.sameness import Sameness
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
    entry = entry_of(prompt_experiment((8.0,) * 3, (16.0,) * 3), 7)

    assert (entry.id, entry.created, entry.kind) == (7, CREATED, ExperimentKind.PROMPT)
    assert entry.target == "Coder 1.5B Instruct · F16"
    assert entry.drafts == ("Coder 0.5B Instruct · Q4_K_M",)
    assert (entry.prompt, entry.prompts) == (CODE.text, 1)
    assert entry.speedup == pytest.approx(2.0)
    assert entry.sameness is Sameness.IDENTICAL
    assert entry.is_complete
    assert (entry.gain, entry.is_sure) == (Gain.FASTER, True)
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


@pytest.mark.parametrize(("near_tie", "sameness"), [(True, Sameness.NEAR_TIE), (False, Sameness.DIFFERS)])
def test_another_text_is_told_from_a_near_tie(near_tie: bool, sameness: Sameness) -> None:
    assert entry_of(prompt_experiment(identical=False, near_tie=near_tie), 1).sameness is sameness


def test_a_rule_that_changes_the_text_is_no_near_tie() -> None:
    lossy = draft_variant(rule=AcceptanceRule.TOP_K)
    entry = entry_of(prompt_experiment(variants=(OFF, lossy), identical=False), 1)

    assert entry.sameness is Sameness.DIFFERS


@pytest.mark.parametrize("rule", [AcceptanceRule.TOP_K, AcceptanceRule.MATCH])
def test_the_same_text_under_a_rule_that_may_change_it_is_marked(rule: AcceptanceRule) -> None:
    entry = entry_of(prompt_experiment(variants=(OFF, draft_variant(rule=rule))), 1)

    assert entry.sameness is Sameness.IDENTICAL
    assert entry.may_change is (rule is AcceptanceRule.TOP_K)


def test_a_difference_that_may_be_chance_is_marked() -> None:
    noisy = prompt_experiment((8.0, 8.4, 8.2), (8.1, 8.5, 8.0))
    sure = prompt_experiment((8.0, 8.1, 8.2), (16.1, 16.0, 16.2))

    assert (entry_of(noisy, 1).gain, entry_of(noisy, 1).is_sure) == (Gain.EVEN, True)
    assert entry_of(sure, 1).gain is Gain.FASTER


def test_of_many_prompts_the_mean_is_judged_by_an_interval_too() -> None:
    entry = entry_of(suite_experiment((OFF, DRAFTED), repeats=3), 1)

    assert (entry.gain, entry.is_sure) == (Gain.FASTER, True)


def test_few_runs_are_not_sure() -> None:
    entry = entry_of(prompt_experiment((8.0,), (16.0,)), 1)

    assert (entry.gain, entry.is_sure, entry.runs) == (Gain.FASTER, False, 1)


def test_short_answers_are_told_from_gains() -> None:
    assert entry_of(prompt_experiment(tokens=12), 1).gain is Gain.SHORT


def test_stopped_before_anything_could_be_compared() -> None:
    entry = entry_of(prompt_experiment((8.0, 8.0), (16.0, 16.0), ended_runs=1), 1)

    assert (entry.speedup, entry.gain, entry.sameness) == (None, None, None)
    assert not entry.is_complete


def test_too_short_for_a_speed() -> None:
    entry = entry_of(prompt_experiment((8.0,), (16.0,), tokens=1), 1)

    assert entry.speedup is None
    assert entry.sameness is Sameness.IDENTICAL


def test_of_a_long_prompt_the_first_words_on_one_line() -> None:
    entry = entry_of(asked("Say\n\n  this:\t" + "word " * 100_000), 1)

    assert entry.prompt.startswith("Say this: word word")
    assert len(entry.prompt) == LONGEST_TEXT
