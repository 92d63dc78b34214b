"""What the engine is asked for when the chat wants an answer."""

import secrets
from collections.abc import Sequence

from msgspec.structs import replace

from app.core.chat import Message, Role
from app.core.protocol import Generate
from app.settings import ModelConfig

_SEEDS = 2**32


def chat_request(messages: Sequence[Message], config: ModelConfig) -> Generate:
    """An answer by a config: with its system prompt where the conversation has none, and its seed or any."""
    seed = secrets.randbelow(_SEEDS) if config.seed is None else config.seed
    return Generate(
        request_id=0,  # the client gives it one
        messages=_with_system_prompt(messages, config.system_prompt),
        sampling=replace(config.sampling, seed=seed),
        speculation=config.speculation,
        limits=config.limits,
    )


def _with_system_prompt(messages: Sequence[Message], prompt: str) -> tuple[Message, ...]:
    if not prompt or (messages and messages[0].role is Role.SYSTEM):
        return tuple(messages)
    return (Message(Role.SYSTEM, prompt), *messages)
