"""What plans take over from a config, and what is said of them."""

import pytest

from app.core.experiment import ExperimentKind, Plan
from app.core.options import GenerationLimits, SamplingOptions
from app.core.prompts import Prompt
from app.settings import ModelConfig
from app.ui.plan_parts import amount_text, models_text, prompt_with_system, sampling_of
from tests.fakes.experiments import CODE, DRAFTED, OFF, run_of, suite_experiment


def test_the_configs_seed_is_the_plans() -> None:
    config = ModelConfig(sampling=SamplingOptions(temperature=0.3, seed=1), seed=42)
    assert sampling_of(config) == SamplingOptions(temperature=0.3, seed=42)


def test_without_a_seed_one_is_drawn_for_all_runs() -> None:
    seeds = {sampling_of(ModelConfig()).seed for _ in range(8)}
    assert len(seeds) > 1
    assert not any(SamplingOptions(seed=seed).problems() for seed in seeds)


@pytest.mark.parametrize(
    ("own", "models", "wanted"),
    [(None, "Be brief.", "Be brief."), ("Tell.", "Be brief.", "Tell."), (None, "  ", None)],
)
def test_a_prompts_own_system_message_comes_first(own: str | None, models: str, wanted: str | None) -> None:
    asked = prompt_with_system(Prompt("a", "text", own), ModelConfig(system_prompt=models))
    assert (asked.id, asked.text, asked.system) == ("a", "text", wanted)


def test_the_amount_counts_answers_and_reckons_their_time() -> None:
    plan = Plan(
        ExperimentKind.SUITE, (OFF, DRAFTED), (CODE,), 5, SamplingOptions(), GenerationLimits(max_tokens=96)
    )
    assert amount_text(plan, ()) == "10 answers in all"
    assert amount_text(plan, [run_of(OFF, 8.0)]) == "10 answers in all, at most about 2 min 05 s"


def test_the_caption_names_models_and_machine() -> None:
    assert models_text(suite_experiment()) == (
        "Coder 1.5B Instruct · F16, drafted by Coder 0.5B Instruct · Q4_K_M — Example CPU"
    )
