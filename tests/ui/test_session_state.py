"""Which changes of a config need a reload."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from app.core.options import (
    GenerationLimits,
    LoadOptions,
    SamplingOptions,
    SpeculationMode,
    SpeculationOptions,
)
from app.settings import ModelConfig
from app.ui.session_state import (
    adjusted,
    needs_reload,
)
from tests.fakes.watched_session import DRAFT, DRAFTING

OTHER_DRAFT = Path("/models/other.gguf")
IN_FORCE = ModelConfig(speculation=DRAFTING, draft=DRAFT)


@pytest.mark.parametrize(
    "wanted",
    [
        IN_FORCE,
        replace(IN_FORCE, speculation=SpeculationOptions()),
        replace(IN_FORCE, speculation=SpeculationOptions(mode=SpeculationMode.PROMPT_LOOKUP), draft=None),
        replace(IN_FORCE, speculation=replace(DRAFTING, max_draft_tokens=8, draft_probability=0.5)),
        replace(IN_FORCE, speculation=SpeculationOptions(), draft=OTHER_DRAFT),
        replace(IN_FORCE, sampling=SamplingOptions(temperature=0.0), limits=GenerationLimits(max_tokens=9)),
        replace(IN_FORCE, system_prompt="Be brief.", seed=3),
    ],
)
def test_what_applies_to_the_next_answer_needs_no_reload(wanted: ModelConfig) -> None:
    assert not needs_reload(IN_FORCE, wanted)
    assert adjusted(IN_FORCE, wanted) == replace(wanted, draft=DRAFT)


@pytest.mark.parametrize(
    "wanted",
    [
        replace(IN_FORCE, load=LoadOptions(context_length=8192)),
        replace(IN_FORCE, load=LoadOptions(threads=1)),
        replace(IN_FORCE, draft=OTHER_DRAFT),
        replace(IN_FORCE, draft=None),
    ],
)
def test_what_is_done_at_a_load_needs_a_reload(wanted: ModelConfig) -> None:
    assert needs_reload(IN_FORCE, wanted)
    assert adjusted(IN_FORCE, wanted) == IN_FORCE


def test_drafting_with_a_model_that_is_not_in_memory_needs_a_reload() -> None:
    plain = ModelConfig()

    assert needs_reload(plain, IN_FORCE)
    assert adjusted(plain, IN_FORCE) == plain
