"""The order in which a comparison is run."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.compare import schedule, warm_ups
from app.core.errors import OptionsError
from app.core.experiment import ExperimentKind, Plan, PlannedRun, Variant
from app.core.options import GenerationLimits, SamplingOptions
from app.core.prompts import Prompt
from tests.fakes.experiments import DRAFTED, LOOKUP, OFF, OTHER_DRAFT, draft_variant

ALL = (OFF, DRAFTED, LOOKUP)


def plan_of(variants: tuple[Variant, ...], prompts: tuple[str, ...], repeats: int) -> Plan:
    asked = tuple(Prompt(id_, "?") for id_ in prompts)
    return Plan(
        ExperimentKind.SUITE, variants, asked, repeats, SamplingOptions(), GenerationLimits(max_tokens=4)
    )


def test_two_variants_run_a_b_b_a() -> None:
    order = [planned.variant for planned in schedule(plan_of((OFF, DRAFTED), ("p",), 4))]
    assert order == ["off", "draft", "draft", "off", "off", "draft", "draft", "off"]


def test_three_variants_run_a_b_c_c_b_a() -> None:
    assert schedule(plan_of(ALL, ("p",), 2)) == [
        PlannedRun("off", "p", 0),
        PlannedRun("draft", "p", 0),
        PlannedRun("lookup", "p", 0),
        PlannedRun("lookup", "p", 1),
        PlannedRun("draft", "p", 1),
        PlannedRun("off", "p", 1),
    ]


def test_a_single_repeat_is_balanced_over_the_prompts() -> None:
    planned = schedule(plan_of((OFF, DRAFTED), ("p", "q"), 1))
    order = [(each.prompt, each.variant) for each in planned]
    assert order == [("p", "off"), ("p", "draft"), ("q", "draft"), ("q", "off")]


@given(
    variants=st.lists(st.sampled_from(ALL), min_size=1, unique=True).map(tuple),
    prompts=st.lists(st.text("abc", min_size=1), min_size=1, max_size=4, unique=True).map(tuple),
    repeats=st.integers(1, 5),
)
def test_every_run_is_planned_once_and_even_passes_cancel_a_steady_drift(
    variants: tuple[Variant, ...], prompts: tuple[str, ...], repeats: int
) -> None:
    planned = schedule(plan_of(variants, prompts, repeats))
    expected = {
        PlannedRun(variant.id, prompt, repeat)
        for variant in variants
        for prompt in prompts
        for repeat in range(repeats)
    }
    assert Counter(planned) == Counter(expected)
    if (repeats * len(prompts)) % 2 == 0:
        moments = Counter[str]()
        for moment, each in enumerate(planned):
            moments[each.variant] += moment
        assert len(set(moments.values())) == 1  # the same mean moment for all


@pytest.mark.parametrize(
    ("variants", "prompts", "repeats", "words"),
    [
        ((OFF,), ("p",), 0, "repeats must be at least 1"),
        ((), ("p",), 1, "at least one mode"),
        ((OFF,), (), 1, "at least one prompt"),
        ((OFF, OFF), ("p",), 1, "mode is named twice"),
        ((OFF,), ("p", "p"), 1, "prompt is named twice"),
    ],
)
def test_a_plan_that_makes_no_sense_is_refused(
    variants: tuple[Variant, ...], prompts: tuple[str, ...], repeats: int, words: str
) -> None:
    with pytest.raises(OptionsError, match=words):
        schedule(plan_of(variants, prompts, repeats))


def test_each_source_of_drafts_warms_up_once_on_the_first_prompt() -> None:
    other = draft_variant("other", draft=OTHER_DRAFT)
    variants = (OFF, draft_variant("draft 2", 2), draft_variant("draft 5", 5), other, LOOKUP)
    found = warm_ups(plan_of(variants, ("p", "q"), 3))
    assert found == [PlannedRun(id_, "p", 0) for id_ in ("off", "draft 2", "other", "lookup")]
