"""What a suite came to, in words."""

from collections.abc import Mapping

import pytest
from msgspec.structs import replace

from app.core.experiment import ExperimentKind
from app.core.options import AcceptanceRule
from app.core.prompts import Prompt
from app.core.sameness import Sameness
from app.core.suite_result import SuiteResult, suite_result
from app.ui.sentence_parts import Emphasis, plain
from app.ui.suite_words import (
    advice_text,
    details_text,
    headline,
    note,
    sameness_text,
    sentence_parts,
)
from tests.fakes.experiments import DRAFTED, OFF, different, draft_variant, experiment_of
from tests.fakes.measured_answers import ANSWER

TITLES = {"code": "Code", "story": "Story", "edit": "Edit and repeat", "maths": "Mathematics", "thai": "Thai"}
SAME = " Output identical on all of them."


def result(gains: Mapping[str, float], *, repeats: int = 1, noise: float = 0.0) -> SuiteResult:
    """`noise`: by which share each run is faster than the one before."""
    prompts = tuple(Prompt(f"{kind}-1", "text", suite=kind) for kind in gains)
    experiment = experiment_of(
        ExperimentKind.SUITE,
        prompts=prompts,
        repeats=repeats,
        speeds=lambda planned: (
            10.0
            * (1.0 if planned.variant == "off" else gains[planned.prompt[:-2]])
            * (1.0 + noise * planned.repeat)
        ),
    )
    return suite_result(prompts, DRAFTED, OFF, experiment.summary)


def sentence(found: SuiteResult, *, is_complete: bool = True) -> str:
    return plain(sentence_parts(found, OFF, DRAFTED, TITLES, is_complete=is_complete))


@pytest.mark.parametrize(
    ("gains", "words"),
    [
        ({"code": 2.0, "edit": 2.0}, "Faster on 2 of 2 prompts, 2.00× on average."),
        (
            {"code": 2.0, "edit": 2.0, "story": 0.5},
            "Faster on 2 of 3 prompts, 1.26× on average; slower on Story.",
        ),
        (
            {"code": 2.0, "story": 0.5, "maths": 0.6},
            "Faster on 1 of 3 prompts, 0.84× on average; slower on Story and Mathematics.",
        ),
        (
            {"code": 2.0, "story": 1.0},
            "Faster on 1 of 2 prompts, 1.41× on average; no clear difference on 1.",
        ),
        ({"code": 0.8, "story": 0.8}, "Slower on 2 of 2 prompts, 0.80× on average."),
        (
            {"code": 0.8, "story": 1.0},
            "Slower on 1 of 2 prompts, 0.89× on average; no clear difference on 1.",
        ),
        ({"code": 1.0, "story": 1.0}, "No clear difference on any of 2 prompts, 1.00× on average."),
        ({"own file": 2.0, "code": 0.5}, "Faster on 1 of 2 prompts, 1.00× on average; slower on Code."),
    ],
)
def test_the_sentence_counts_prompts_and_names_what_loses(gains: Mapping[str, float], words: str) -> None:
    assert sentence(result(gains)) == words + SAME


@pytest.mark.parametrize(
    ("gain", "words"),
    [
        (2.0, "Faster on this prompt."),
        (0.5, "Slower on this prompt."),
        (1.0, "No clear difference on this prompt."),
    ],
)
def test_of_one_prompt_it_says_what_the_prompt_tab_says(gain: float, words: str) -> None:
    assert sentence(result({"code": gain})) == words + " Output identical, 96 of 96 tokens."


def test_many_kinds_that_lose_are_not_all_named() -> None:
    losing = {"code": 2.0, "story": 0.5, "edit": 0.6, "maths": 0.7, "thai": 0.8}
    assert "slower on Story, Edit and repeat, Mathematics and 1 more." in sentence(result(losing))


def test_the_spread_is_told_with_its_ends_where_there_is_one() -> None:
    found = result({"code": 1.5, "edit": 2.6, "story": 0.9})
    words = "The gain depends on the prompt: 2.60× on Edit and repeat, 0.90× on Story."
    assert advice_text(found, TITLES) == words
    assert advice_text(result({"code": 1.5}), TITLES) == ""
    assert advice_text(result({"code": 1.24, "edit": 1.24}), TITLES) == ""


def test_the_headline_is_the_mean_and_single_runs_are_cautioned() -> None:
    found = result({"code": 2.0, "edit": 2.0})
    assert (headline(found), note(found)) == ("2.0× as fast", "one run each: repeat to be sure")
    assert note(result({"code": 2.0}, repeats=2)) == "too few runs: repeat to be sure"


def test_from_three_runs_on_it_is_told_how_sure_that_is() -> None:
    found = result({"code": 2.0, "edit": 2.0}, repeats=3, noise=0.02)
    assert note(found) == "1.9 to 2.1, mean of 2 prompts"
    alone = result({"code": 1.1}, repeats=3, noise=0.01)
    assert (headline(alone), note(alone)) == ("1.10× as fast", "1.08 to 1.12, median of 3")


def test_what_is_even_is_not_praised() -> None:
    found = result({"code": 1.01, "edit": 1.02}, repeats=3, noise=0.01)
    assert headline(found) == "No clear difference"


def test_runs_that_scatter_are_told() -> None:
    found = result({"code": 1.24, "edit": 1.24}, repeats=3, noise=0.5)
    assert headline(found) == "Too noisy to tell"
    assert advice_text(found, TITLES).startswith("The runs differ too much to tell.")


def test_a_loss_is_said_to_be_one() -> None:
    assert headline(result({"code": 0.8, "story": 0.8})) == "Slower: 0.80×"


def test_what_was_stopped_early_says_so() -> None:
    assert sentence(result({"code": 2.0}), is_complete=False).endswith(" Stopped early.")


def test_without_speeds_it_says_why() -> None:
    experiment = experiment_of(ExperimentKind.SUITE, answers=lambda _: ANSWER[:1])
    found = suite_result(experiment.prompts, DRAFTED, OFF, experiment.summary)
    assert (headline(found), note(found)) == ("Too short to compare", "a speed takes two tokens")
    assert sentence(found).startswith("No prompt has two speeds to compare: a speed takes two tokens.")


@pytest.mark.parametrize(
    ("near_tie", "words"),
    [(True, "Output identical on 1 of 2, the rest near-ties."), (False, "Output differs on 1 of 2.")],
)
def test_it_says_how_many_texts_differ(near_tie: bool, words: str) -> None:
    prompts = (Prompt("code-1", "text", suite="code"), Prompt("story-1", "text", suite="story"))
    experiment = experiment_of(
        ExperimentKind.SUITE,
        prompts=prompts,
        answers=lambda planned: (
            different(ANSWER) if (planned.variant, planned.prompt) == ("draft", "code-1") else ANSWER
        ),
        near_tie=near_tie,
    )
    found = suite_result(prompts, DRAFTED, OFF, experiment.summary)
    assert sentence(found).endswith(words)
    choice = "Faster, but not the same text: your choice."
    assert advice_text(found, TITLES) == ("" if near_tie else choice)


def test_a_rule_that_may_change_the_text_is_told() -> None:
    lossy = draft_variant(rule=AcceptanceRule.TOP_K)
    experiment = experiment_of(ExperimentKind.SUITE, (OFF, lossy))
    found = suite_result(experiment.prompts, lossy, OFF, experiment.summary)
    parts = sentence_parts(found, OFF, lossy, TITLES, is_complete=True)
    warned = [part.text for part in parts if part.emphasis is Emphasis.WARNING]
    assert warned == ["The acceptance rule (Top-k) may change the text."]


def test_a_difference_is_told_with_both_tokens_and_its_reason() -> None:
    experiment = experiment_of(
        ExperimentKind.SUITE,
        answers=lambda planned: ANSWER if planned.variant == "off" else different(ANSWER),
    )
    (row,) = suite_result(experiment.prompts, DRAFTED, OFF, experiment.summary).rows
    assert sameness_text(row) == "Near-tie at 10"
    assert details_text(row, OFF, DRAFTED).startswith(
        "The answers part at token 10: Off goes on with “:” (logit 14.21), Draft Model · max 5 with "
        "“·however” (logit 14.18). A near-tie: "
    )


@pytest.mark.parametrize(
    ("sameness", "one", "several"),
    [
        (None, "–", "–"),
        (Sameness.IDENTICAL, "Yes", "Yes"),
        (Sameness.NEAR_TIE, "Near-tie at 10", "Near-ties"),
        (Sameness.RESAMPLED, "Resampled at 10", "Resampled"),
        (Sameness.DIFFERS, "Differs at 10", "Not all"),
    ],
)
def test_the_table_says_it_in_a_word(sameness: Sameness | None, one: str, several: str) -> None:
    experiment = experiment_of(
        ExperimentKind.SUITE,
        answers=lambda planned: ANSWER if planned.variant == "off" else different(ANSWER),
    )
    (row,) = suite_result(experiment.prompts, DRAFTED, OFF, experiment.summary).rows
    assert sameness_text(replace(row, sameness=sameness)) == one
    assert sameness_text(replace(row, sameness=sameness, difference=None)) == several


def test_the_same_text_is_said_to_be_the_same() -> None:
    (row,) = result({"code": 1.01}).rows
    assert details_text(row, OFF, DRAFTED) == (
        "Both give the same text, token for token. No clear difference in speed."
    )
