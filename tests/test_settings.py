"""Settings and their defaults, and which config a model gets."""

from pathlib import Path

from app.core.options import SamplingOptions, SpeculationOptions
from app.settings import ModelConfig, Settings, UserMode


def test_a_model_without_a_config_of_its_own_takes_the_defaults() -> None:
    own = ModelConfig(system_prompt="own")
    settings = Settings(defaults=ModelConfig(system_prompt="default"), configs={Path("/a.gguf"): own})

    assert settings.config_for(Path("/a.gguf")) == own
    assert settings.config_for(Path("/b.gguf")).system_prompt == "default"


def test_speculative_decoding_is_shown_from_the_first_start() -> None:
    assert Settings().mode is UserMode.POWER_USER


def test_the_defaults_hold_together() -> None:
    assert Settings().defaults.problems() == []


def test_a_config_tells_the_problems_of_all_its_parts() -> None:
    config = ModelConfig(
        speculation=SpeculationOptions(max_draft_tokens=0),
        sampling=SamplingOptions(top_p=2.0),
        seed=-1,
    )

    assert len(config.problems()) == 3
