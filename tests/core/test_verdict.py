"""What a comparison comes to."""

import pytest
from msgspec.structs import replace

from app.core.experiment import Experiment
from app.core.options import AcceptanceRule
from app.core.sameness import Sameness
from app.core.verdict import Advice, Verdict, VerdictKind, verdict_of
from tests.fakes.experiments import (
    CODE,
    DRAFTED,
    LOOKUP,
    OFF,
    OTHER_DRAFT,
    STORY,
    draft_variant,
    experiment_of,
    off_variant,
    prompt_experiment,
    suite_experiment,
    sweep_experiment,
)
from tests.fakes.measured_answers import ANSWER

FAST = (16.6, 16.2, 17.0, 16.7, 16.4)
SLOW = (7.5, 7.4, 7.6, 7.5, 7.3)
ALIKE = (8.3, 8.0, 8.4, 8.1, 8.2)
PLAIN = (8.2, 8.0, 8.3, 8.2, 8.1)


def judged(experiment: Experiment, prompt: str | None = None) -> Verdict:
    verdict = verdict_of(experiment, prompt)
    assert verdict is not None
    return verdict


@pytest.mark.parametrize(
    ("right", "kind", "advice"),
    [
        (FAST, VerdictKind.FASTER, Advice.KEEP_ON),
        (SLOW, VerdictKind.SLOWER, Advice.TURN_OFF),
        (ALIKE, VerdictKind.NOISE, Advice.TURN_OFF),  # memory for nothing
    ],
)
def test_a_draft_model_is_kept_only_where_it_is_clearly_faster(
    right: tuple[float, ...], kind: VerdictKind, advice: Advice
) -> None:
    verdict = judged(prompt_experiment(right=right))
    assert (verdict.kind, verdict.advice) == (kind, advice)
    assert verdict.is_against_plain


def test_its_figures_are_medians_and_what_the_draft_takes() -> None:
    verdict = judged(prompt_experiment())
    assert verdict.rate == pytest.approx(16.6)
    assert verdict.other_rate == pytest.approx(8.2)
    assert verdict.factor == pytest.approx(16.6 / 8.2)
    assert verdict.interval is not None
    assert verdict.interval.low < 16.6 / 8.2 < verdict.interval.high
    assert (verdict.runs, verdict.other_runs, verdict.tokens) == (5, 5, 96)
    assert verdict.extra_memory_bytes == 500_000_000
    assert verdict.is_complete


@pytest.mark.parametrize("right", [(8.2, 16.0, 6.1, 15.0, 5.0), (8.2, 4.0, 12.0, 4.1, 8.3)])
def test_runs_that_scatter_speak_for_nothing(right: tuple[float, ...]) -> None:
    verdict = judged(prompt_experiment(right=right))
    assert (verdict.kind, verdict.advice) == (VerdictKind.NOISE, Advice.NO_DIFFERENCE)
    assert verdict.scatters
    assert not judged(prompt_experiment(right=ALIKE)).scatters


def test_prompt_lookup_that_gains_nothing_costs_nothing_either() -> None:
    verdict = judged(prompt_experiment(right=ALIKE, variants=(OFF, LOOKUP)))
    assert (verdict.kind, verdict.advice) == (VerdictKind.NOISE, Advice.NO_DIFFERENCE)
    assert verdict.extra_memory_bytes == 0


def test_drafting_is_judged_on_whichever_side_it_is() -> None:
    verdict = judged(prompt_experiment(left=FAST, right=PLAIN, variants=(DRAFTED, OFF)))
    assert not verdict.judged_is_right
    assert verdict.judged == DRAFTED
    assert (verdict.kind, verdict.advice) == (VerdictKind.FASTER, Advice.KEEP_ON)
    assert verdict.extra_memory_bytes == 500_000_000


@pytest.mark.parametrize(
    ("right", "advice"),
    [(FAST, Advice.USE_RIGHT), (SLOW, Advice.USE_LEFT), (ALIKE, Advice.NO_DIFFERENCE)],
)
def test_of_two_that_draft_the_faster_is_used(right: tuple[float, ...], advice: Advice) -> None:
    other = draft_variant("draft max 2", 2, draft=OTHER_DRAFT)
    verdict = judged(prompt_experiment(right=right, variants=(DRAFTED, other)))
    assert verdict.judged == other
    assert verdict.judged_is_right
    assert not verdict.is_against_plain
    assert verdict.advice is advice


def test_two_that_do_not_draft_are_no_choice() -> None:
    verdict = judged(prompt_experiment(right=FAST, variants=(OFF, off_variant("off (2)"))))
    assert verdict.advice is Advice.NO_DIFFERENCE


@pytest.mark.parametrize(
    ("right", "advice"),
    [(10.0, Advice.KEEP_ON), (8.4, Advice.TURN_OFF), (8.0, Advice.TURN_OFF), (7.0, Advice.TURN_OFF)],
)
def test_single_runs_are_unsure_and_small_differences_of_them_no_gain(right: float, advice: Advice) -> None:
    verdict = judged(prompt_experiment((8.2,), (right,)))
    assert (verdict.kind, verdict.advice, verdict.interval) == (VerdictKind.UNSURE, advice, None)


@pytest.mark.parametrize(("right", "advice"), [((16.0, 16.2), Advice.KEEP_ON), ((8.5, 8.4), Advice.TURN_OFF)])
def test_two_runs_each_are_unsure_too(right: tuple[float, float], advice: Advice) -> None:
    verdict = judged(prompt_experiment((8.2, 8.1), right))
    assert (verdict.kind, verdict.advice, verdict.interval) == (VerdictKind.UNSURE, advice, None)
    assert not verdict.scatters


@pytest.mark.parametrize(("tokens", "kind"), [(15, VerdictKind.SHORT), (16, VerdictKind.FASTER)])
def test_short_answers_tell_nothing(tokens: int, kind: VerdictKind) -> None:
    verdict = judged(prompt_experiment(right=FAST, tokens=tokens))
    assert verdict.kind is kind
    assert (verdict.advice is Advice.KEEP_ON) is (kind is VerdictKind.FASTER)


def test_the_shorter_answer_counts() -> None:
    found = experiment_of(
        repeats=3, answers=lambda planned: ANSWER[:5] if planned.variant == OFF.id else ANSWER
    )
    assert (judged(found).kind, judged(found).fewest_tokens) == (VerdictKind.SHORT, 5)


def test_short_answers_do_not_scatter() -> None:
    assert not judged(prompt_experiment(right=(8.2, 16.0, 6.1, 15.0, 5.0), tokens=15)).scatters


@pytest.mark.parametrize(("taken", "kept"), [(19_000_000, 0), (21_000_000, 21_000_000)])
def test_little_memory_is_none(taken: int, kept: int) -> None:
    found = prompt_experiment(right=ALIKE)
    verdict = judged(replace(found, memory=replace(found.memory, draft_bytes={"draft": taken})))
    assert verdict.extra_memory_bytes == kept
    assert verdict.advice is (Advice.TURN_OFF if kept else Advice.NO_DIFFERENCE)


def test_a_gain_that_nobody_would_notice_is_none() -> None:
    verdict = judged(prompt_experiment((8.0, 8.01, 8.02), (8.1, 8.11, 8.12)))
    assert verdict.interval is not None
    assert verdict.interval.low > 1.0
    assert (verdict.kind, verdict.advice) == (VerdictKind.NOISE, Advice.TURN_OFF)


def test_one_token_has_no_speed_and_gives_no_advice() -> None:
    verdict = judged(prompt_experiment((8.2,), (8.2,), tokens=1))
    assert (verdict.kind, verdict.advice) == (VerdictKind.NO_RATE, Advice.NO_DIFFERENCE)
    assert (verdict.factor, verdict.rate, verdict.tokens) == (None, None, 1)


def test_a_near_tie_does_not_stand_in_the_way_of_the_advice() -> None:
    verdict = judged(prompt_experiment(identical=False, near_tie=True))
    assert verdict.sameness is Sameness.NEAR_TIE
    assert verdict.is_faithful


def test_another_text_does() -> None:
    verdict = judged(prompt_experiment(identical=False, near_tie=False))
    assert verdict.sameness is Sameness.DIFFERS
    assert not verdict.is_faithful
    assert verdict.difference is not None
    assert verdict.difference.position == 9


def test_a_difference_of_which_no_logits_are_known_is_not_taken_for_a_near_tie() -> None:
    experiment = prompt_experiment(identical=False)
    summaries = tuple(
        replace(
            each, first_difference=each.first_difference and replace(each.first_difference, near_tie=None)
        )
        for each in experiment.summary
    )
    assert judged(replace(experiment, summary=summaries)).sameness is Sameness.DIFFERS


@pytest.mark.parametrize("rule", [rule for rule in AcceptanceRule if rule.changes_output])
def test_a_rule_that_changes_the_text_is_told_even_where_it_did_not(rule: AcceptanceRule) -> None:
    lossy = draft_variant(rule=rule)
    verdict = judged(prompt_experiment(variants=(OFF, lossy)))
    assert verdict.sameness is Sameness.IDENTICAL
    assert verdict.lossy_variants == (lossy,)
    assert not verdict.is_faithful


def test_rejection_sampling_may_say_something_else() -> None:
    drafted = draft_variant(rule=AcceptanceRule.REJECTION)
    verdict = judged(prompt_experiment(variants=(OFF, drafted), identical=False, near_tie=False))
    assert verdict.sameness is Sameness.RESAMPLED
    assert verdict.is_faithful


def test_what_was_stopped_early_is_judged_by_what_there_is() -> None:
    verdict = judged(prompt_experiment(ended_runs=5))  # A B B A A
    assert not verdict.is_complete
    assert (verdict.runs, verdict.other_runs) == (2, 3)


def test_without_both_sides_there_is_nothing_to_judge() -> None:
    assert verdict_of(prompt_experiment(ended_runs=1)) is None
    assert verdict_of(sweep_experiment()) is None


def test_each_prompt_of_a_suite_has_its_own() -> None:
    suite = suite_experiment((OFF, DRAFTED))
    assert judged(suite).advice is judged(suite, CODE.id).advice is Advice.KEEP_ON
    assert judged(suite, STORY.id).factor == pytest.approx(0.9)
    assert verdict_of(suite, "not there") is None
