"""How long a plan takes."""

import pytest
from msgspec.structs import replace

from app.core.experiment import ExperimentKind, Plan
from app.core.options import GenerationLimits, SamplingOptions
from app.core.plan_time import seconds_at_most
from tests.fakes.experiments import CODE, DRAFTED, OFF, STORY, run_of
from tests.fakes.measured_answers import ANSWER

PLAN = Plan(
    ExperimentKind.SUITE, (OFF, DRAFTED), (CODE, STORY), 3, SamplingOptions(), GenerationLimits(max_tokens=96)
)


def test_it_is_the_mean_of_what_answers_took_at_full_length() -> None:
    runs = [run_of(OFF, 8.0), run_of(DRAFTED, 16.0)]
    first = runs[0].stats.time_to_first_token_s
    assert first is not None
    assert seconds_at_most(PLAN, runs) == pytest.approx(12 * (first + (12.0 + 6.0) / 2))


def test_without_a_limit_or_a_speed_nobody_knows() -> None:
    assert seconds_at_most(PLAN, ()) is None
    assert seconds_at_most(PLAN, [run_of(OFF, tokens=ANSWER[:1])]) is None
    assert seconds_at_most(replace(PLAN, limits=GenerationLimits()), [run_of(OFF)]) is None
