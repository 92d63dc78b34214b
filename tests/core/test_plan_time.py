"""How long a plan takes."""

import pytest
from msgspec.structs import replace

from app.core.experiment import ExperimentKind, Plan, Run
from app.core.options import GenerationLimits, SamplingOptions
from app.core.plan_time import seconds_about
from app.core.prompts import Prompt
from tests.fakes.experiments import CODE, DRAFTED, LOOKUP, OFF, run_of
from tests.fakes.measured_answers import ANSWER

SHORT = Prompt("short", "x" * 60)  # about 50 tokens with the template
PLAN = Plan(
    ExperimentKind.SUITE, (OFF, DRAFTED), (SHORT,), 3, SamplingOptions(), GenerationLimits(max_tokens=96)
)


def measured(run: Run, *, prompt_s: float = 0.5) -> Run:
    """Read a prompt of 50 tokens in so much time."""
    return replace(run, stats=replace(run.stats, prompt_tokens=50, prompt_s=prompt_s))


RUNS = [measured(run_of(OFF, 8.0)), measured(run_of(DRAFTED, 16.0))]


def test_it_is_reading_answering_and_the_warm_ups() -> None:
    answers = 3 * (0.5 + 96 / 8 + 0.5 + 96 / 16)
    warming_up = 0.5 + 8 / 8 + 0.5 + 8 / 16
    assert seconds_about(PLAN, RUNS) == pytest.approx(answers + warming_up)


def test_a_long_prompt_takes_its_time_to_read() -> None:
    plan = replace(PLAN, prompts=(replace(SHORT, text="x" * 6_000, system="x" * 60),))
    by, before = seconds_about(plan, RUNS), seconds_about(PLAN, RUNS)
    assert by is not None
    assert before is not None
    assert by - before == pytest.approx((6 + 2) * 0.5 / 50 * 2_000)


def test_what_was_never_run_is_like_the_others() -> None:
    plan = replace(PLAN, variants=(LOOKUP,), repeats=1)
    assert seconds_about(plan, RUNS) == pytest.approx(0.5 + 96 * (1 / 8 + 1 / 16) / 2 + 0.5 + 8 * 0.09375)


def test_without_a_limit_a_prompt_or_a_speed_nobody_knows() -> None:
    assert seconds_about(PLAN, ()) is None
    assert seconds_about(PLAN, [measured(run_of(OFF, tokens=ANSWER[:1]))]) is None
    assert seconds_about(replace(PLAN, limits=GenerationLimits()), RUNS) is None
    assert seconds_about(replace(PLAN, prompts=()), RUNS) is None
    assert seconds_about(replace(PLAN, prompts=(CODE,)), RUNS) is not None
