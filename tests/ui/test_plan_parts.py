"""What is said of plans."""

from msgspec.structs import replace

from app.core.experiment import ExperimentKind, Plan
from app.core.options import GenerationLimits, SamplingOptions
from app.ui.plan_parts import amount_text, measured_text, models_text
from tests.fakes.experiments import CODE, DRAFTED, OFF, run_of, suite_experiment


def test_the_amount_counts_answers_and_reckons_their_time() -> None:
    plan = Plan(
        ExperimentKind.SUITE, (OFF, DRAFTED), (CODE,), 5, SamplingOptions(), GenerationLimits(max_tokens=96)
    )
    assert amount_text(plan, ()) == "10 answers in all"
    assert amount_text(plan, [run_of(OFF, 8.0)]) == "10 answers in all, about 2 min 10 s"


def test_the_caption_names_models_and_machine() -> None:
    assert models_text(suite_experiment()) == (
        "Coder 1.5B Instruct · F16, drafted by Coder 0.5B Instruct · Q4_K_M — Example CPU"
    )


def test_a_result_is_dated_as_far_as_a_calendar_goes() -> None:
    experiment = suite_experiment()
    assert measured_text(experiment).endswith(" with Coder 1.5B Instruct · F16.")
    assert measured_text(replace(experiment, created=1e20)) == ("Measured – with Coder 1.5B Instruct · F16.")
