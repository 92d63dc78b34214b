"""What the engine is asked for when the chat wants an answer."""

from collections.abc import Sequence

from app.core.chat import Message
from app.core.protocol import Generate
from app.settings import ModelConfig
from app.ui.asking import messages_with_system, sampling_of


def chat_request(messages: Sequence[Message], config: ModelConfig) -> Generate:
    """An answer by a config: with its system prompt where the conversation has none, and its seed or any."""
    return Generate(
        request_id=0,  # the client gives it one
        messages=messages_with_system(messages, config),
        sampling=sampling_of(config),
        speculation=config.speculation,
        limits=config.limits,
    )
