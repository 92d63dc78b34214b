"""What follows from a suite."""

from collections.abc import Sequence

import pytest

from app.core.experiment import Experiment, ExperimentKind, Variant
from app.core.options import AcceptanceRule
from app.core.suite_result import suite_result
from app.ui.finding import Finding
from app.ui.offers import Remembering
from app.ui.sentence_parts import plain
from app.ui.side import Side
from app.ui.suite_finding import suite_finding
from tests.fakes.experiments import (
    CODE,
    COPY,
    DRAFTED,
    LOOKUP,
    OFF,
    STORY,
    different,
    draft_variant,
    experiment_of,
    suite_experiment,
)
from tests.fakes.measured_answers import ANSWER

# A draft model that gains nothing takes memory for nothing.
EVEN = {CODE.id: 1.0, STORY.id: 1.0, COPY.id: 1.0}
LOSS = {CODE.id: 0.8, STORY.id: 0.7, COPY.id: 0.9}


def finding_of(experiment: Experiment, *, drafts_now: bool = True, known: bool = True) -> Finding:
    reference, judged = experiment.variants
    result = suite_result(experiment.prompts, judged, reference, experiment.summary)
    in_force = judged if drafts_now else OFF
    remembering = Remembering(
        Side if known else lambda _: None, "Coder 1.5B", drafts_now, lambda variant: variant == in_force
    )
    return suite_finding(result, reference, judged, {}, remembering, is_complete=experiment.is_complete)


def offers(found: Finding) -> list[str]:
    """The buttons' words, the advised one's with a star."""
    return [offer.text + ("*" if offer.is_advised else "") for offer in found.offers]


def scattered(runs: Sequence[float], variants: tuple[Variant, ...] = (OFF, DRAFTED)) -> Experiment:
    return experiment_of(
        ExperimentKind.SUITE,
        variants,
        (CODE, STORY, COPY),
        repeats=3,
        speeds=lambda planned: 10.0 if planned.variant == OFF.id else runs[planned.repeat],
    )


@pytest.mark.parametrize(
    ("experiment", "tone", "words"),
    [
        (suite_experiment((OFF, DRAFTED)), "accent", ["Turn off", "Keep it on*"]),
        (suite_experiment((OFF, DRAFTED), repeats=1), "accent", ["Turn off", "Keep it on"]),
        (suite_experiment((OFF, DRAFTED), gains=LOSS), "warning", ["Turn off*", "Keep it on"]),
        (
            suite_experiment((OFF, DRAFTED), gains=EVEN),
            "text",
            ["Turn off*", "Keep it on"],
        ),
        (suite_experiment((OFF, LOOKUP), gains=EVEN), "text", ["Turn off", "Keep it on"]),
        (scattered((8.0, 12.4, 16.0)), "text", ["Turn off", "Keep it on"]),
        (
            suite_experiment((OFF, DRAFTED), ended_runs=6),
            "accent",
            ["Turn off", "Keep it on"],
        ),
    ],
)
def test_the_advice_follows_from_the_figures(experiment: Experiment, tone: str, words: list[str]) -> None:
    found = finding_of(experiment)
    assert (found.tone, offers(found)) == (tone, words)


@pytest.mark.parametrize(
    ("variant", "changed", "near_tie", "tone"),
    [
        (DRAFTED, True, True, "accent"),
        (DRAFTED, True, False, "warning"),
        (draft_variant(rule=AcceptanceRule.REJECTION), True, False, "accent"),
        (draft_variant(rule=AcceptanceRule.TOP_K), False, True, "warning"),
    ],
)
def test_another_text_is_never_advised(variant: Variant, changed: bool, near_tie: bool, tone: str) -> None:
    found = finding_of(
        experiment_of(
            ExperimentKind.SUITE,
            (OFF, variant),
            (CODE, STORY),
            repeats=3,
            answers=lambda planned: different(ANSWER) if changed and planned.variant != OFF.id else ANSWER,
            near_tie=near_tie,
        )
    )
    assert found.tone == tone
    assert offers(found) == ["Turn off", "Keep it on*" if tone == "accent" else "Keep it on"]


def test_short_answers_speak_for_nothing() -> None:
    found = finding_of(
        experiment_of(
            ExperimentKind.SUITE, (OFF, DRAFTED), (CODE, STORY), repeats=3, answers=lambda _: ANSWER[:9]
        )
    )
    assert (found.headline, found.note, found.tone) == (
        "Too short to tell",
        "a speed over only 9 tokens",
        "text",
    )
    assert plain(found.sentence).startswith("The answers are too short to compare their speeds. ")
    assert offers(found) == ["Turn off", "Keep it on"]


def test_prompts_with_short_answers_are_not_counted_with_the_others() -> None:
    found = finding_of(
        experiment_of(
            ExperimentKind.SUITE,
            (OFF, DRAFTED),
            (CODE, COPY, STORY),
            repeats=3,
            answers=lambda planned: ANSWER[:9] if planned.prompt == STORY.id else ANSWER,
        )
    )
    assert plain(found.sentence).startswith(
        "Faster on 2 of 2 prompts, 2.02× on average. Too short to tell on 1. "
    )


def test_of_two_that_draft_each_can_be_used() -> None:
    found = finding_of(suite_experiment((DRAFTED, LOOKUP)))
    assert offers(found) == ["Use Draft Model · max 5", "Keep Prompt Lookup · max 3*"]


def test_what_is_off_can_be_turned_on_and_for_whom_is_known() -> None:
    found = finding_of(suite_experiment((OFF, DRAFTED)), drafts_now=False)
    assert offers(found) == ["Keep it off", "Turn it on*"]
    assert found.model == "Coder 1.5B"


def test_what_is_not_here_cannot_be_put_in_force() -> None:
    assert offers(finding_of(suite_experiment((OFF, DRAFTED)), known=False)) == []
