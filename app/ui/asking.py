"""How a model is asked by its config, in the chat and in comparisons: its seed and its system prompt."""

import secrets
from collections.abc import Sequence

from msgspec.structs import replace

from app.core.chat import Message, Role
from app.core.options import SamplingOptions
from app.core.prompts import Prompt
from app.settings import ModelConfig

_SEEDS = 2**32


def sampling_of(config: ModelConfig) -> SamplingOptions:
    """How it samples, by the config's seed, or by one that is drawn here."""
    seed = secrets.randbelow(_SEEDS) if config.seed is None else config.seed
    return replace(config.sampling, seed=seed)


def messages_with_system(messages: Sequence[Message], config: ModelConfig) -> tuple[Message, ...]:
    """A conversation with the config's system prompt in front, where it brings none of its own."""
    system = _system_of(config)
    if system is None or (messages and messages[0].role is Role.SYSTEM):
        return tuple(messages)
    return (Message(Role.SYSTEM, system), *messages)


def prompt_with_system(prompt: Prompt, config: ModelConfig) -> Prompt:
    """A prompt with the config's system prompt, where it brings none of its own."""
    return prompt if prompt.system is not None else replace(prompt, system=_system_of(config))


def _system_of(config: ModelConfig) -> str | None:
    """A blank one is none."""
    return config.system_prompt if config.system_prompt.strip() else None
