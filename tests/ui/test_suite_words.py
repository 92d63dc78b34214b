"""What a suite came to, in words."""

from collections.abc import Mapping

import pytest
from msgspec.structs import replace

from app.core.experiment import ExperimentKind
from app.core.prompts import Prompt
from app.core.suite_result import SuiteResult, suite_result
from app.ui.suite_words import details_text, headline, note, sameness_text, sentence, spread_sentence
from tests.fakes.experiments import DRAFTED, OFF, different, experiment_of
from tests.fakes.measured_answers import ANSWER

TITLES = {"code": "Code", "story": "Story", "edit": "Edit and repeat", "maths": "Mathematics", "thai": "Thai"}


def result(gains: Mapping[str, float]) -> SuiteResult:
    prompts = tuple(Prompt(f"{kind}-1", "text", suite=kind) for kind in gains)
    experiment = experiment_of(
        ExperimentKind.SUITE,
        prompts=prompts,
        speeds=lambda planned: 10.0 * (1.0 if planned.variant == "off" else gains[planned.prompt[:-2]]),
    )
    return suite_result(prompts, DRAFTED, OFF, experiment.summary)


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
        ({"code": 1.0, "story": 1.0}, "No clear difference on any of 2 prompts, 1.00× on average."),
        ({"code": 2.0}, "Faster on this prompt."),
        ({"code": 0.5}, "Slower on this prompt."),
        ({"own file": 2.0, "code": 0.5}, "Faster on 1 of 2 prompts, 1.00× on average; slower on Code."),
    ],
)
def test_the_sentence_counts_prompts_and_names_what_loses(gains: Mapping[str, float], words: str) -> None:
    assert sentence(result(gains), TITLES) == words


def test_many_kinds_that_lose_are_not_all_named() -> None:
    losing = {"code": 2.0, "story": 0.5, "edit": 0.6, "maths": 0.7, "thai": 0.8}
    assert sentence(result(losing), TITLES).endswith(
        "slower on Story, Edit and repeat, Mathematics and 1 more."
    )


def test_the_spread_is_told_with_its_ends() -> None:
    found = result({"code": 1.5, "edit": 2.6, "story": 0.9})
    words = "The gain depends on the prompt: 2.60× on Edit and repeat, 0.90× on Story."
    assert spread_sentence(found, TITLES) == words
    assert spread_sentence(result({"code": 1.5}), TITLES) == ""


def test_the_headline_is_the_mean() -> None:
    found = result({"code": 2.0, "edit": 2.0})
    assert (headline(found), note(found)) == ("2.00× as fast", "on average over 2 prompts")
    assert note(result({"code": 2.0})) == ""


def test_without_speeds_it_says_why() -> None:
    experiment = experiment_of(ExperimentKind.SUITE, answers=lambda _: ANSWER[:1])
    found = suite_result(experiment.prompts, DRAFTED, OFF, experiment.summary)
    assert headline(found) == "No speed"
    assert sentence(found, TITLES) == "No prompt has two speeds to compare: a speed takes two tokens."


def test_a_difference_is_told_with_both_tokens() -> None:
    experiment = experiment_of(
        ExperimentKind.SUITE,
        answers=lambda planned: ANSWER if planned.variant == "off" else different(ANSWER),
    )
    (row,) = suite_result(experiment.prompts, DRAFTED, OFF, experiment.summary).rows
    assert sameness_text(row) == "Near-tie at 10"
    words = "Token 10: “:” with off, “ however” with draft. Their logits are 14.21 and 14.18: a near-tie."
    assert details_text(row, OFF, DRAFTED) == words
    assert row.difference is not None
    bare = replace(row, difference=replace(row.difference, expected_text=None, found_text=None))
    assert details_text(bare, OFF, DRAFTED) == "The texts differ from token 10 on."
    far = replace(row, near_ties_only=False)
    assert sameness_text(far) == "Differs at 10"


def test_the_same_text_is_said_to_be_the_same() -> None:
    (row,) = result({"code": 1.01}).rows
    assert sameness_text(row) == "Yes"
    assert details_text(row, OFF, DRAFTED) == (
        "Both give the same text, token for token. No difference in speed that can be told from the noise."
    )
