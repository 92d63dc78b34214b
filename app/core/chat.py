"""What is said in a chat: messages and who said them."""

from enum import StrEnum

from msgspec import Struct


class Role(StrEnum):
    """Who speaks. The values are the names that chat templates know."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"


class Message(Struct, frozen=True):
    """One turn of a chat."""

    role: Role
    content: str = ""
