"""What passes cost on this machine."""

from msgspec import Struct


class PassCosts(Struct, frozen=True):
    """Times in seconds, each the least of several passes."""

    target_s: tuple[float, ...]  # of a target pass over 1, 2, 3 … tokens
    draft_s: float | None  # of drafting one token; None without a draft model
    context_tokens: int  # that were in the caches meanwhile
