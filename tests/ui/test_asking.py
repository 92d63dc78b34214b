"""How a model is asked by its config: the chat and comparisons alike."""

import pytest

from app.core.chat import Message, Role
from app.core.options import SamplingOptions
from app.core.prompts import Prompt
from app.settings import ModelConfig
from app.ui.asking import messages_with_system, prompt_with_system, sampling_of
from app.ui.chat_request import chat_request

QUESTION = Message(Role.USER, "text")


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


@pytest.mark.parametrize(
    ("own", "models", "wanted"),
    [(None, "Be brief.", "Be brief."), ("Tell.", "Be brief.", "Tell."), (None, "  ", None)],
)
def test_a_conversation_is_asked_as_a_prompt_is(own: str | None, models: str, wanted: str | None) -> None:
    config = ModelConfig(system_prompt=models)
    messages = (QUESTION,) if own is None else (Message(Role.SYSTEM, own), QUESTION)
    asked = messages_with_system(messages, config)
    assert asked == prompt_with_system(Prompt("a", "text", own), config).messages
    assert chat_request(messages, config).messages == asked
    assert asked == ((QUESTION,) if wanted is None else (Message(Role.SYSTEM, wanted), QUESTION))


def test_the_chat_takes_the_configs_seed_too() -> None:
    config = ModelConfig(sampling=SamplingOptions(temperature=0.3), seed=42)
    assert chat_request((QUESTION,), config).sampling == sampling_of(config)
