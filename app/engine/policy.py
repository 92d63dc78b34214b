"""How many tokens to draft in the coming round."""

from app.core.options import SpeculationOptions


class FixedPolicy:
    """The numbers the person chose, clamped by what may still be generated."""

    def __init__(self, options: SpeculationOptions, longest: int) -> None:
        """`longest`: what the target can verify at once and take back after a round, in tokens."""
        self._most = min(options.max_draft_tokens, longest)
        self._least = options.min_draft_tokens

    def limit(self, tokens_left: int, context_left: int) -> int:
        """The longest draft worth asking for.

        `tokens_left` may still be emitted, `context_left` positions are still free. A round emits one
        token more than it keeps of its draft, and its first token needs a position itself.
        """
        return max(0, min(self._most, tokens_left - 1, context_left - 1))

    def worth_verifying(self, drafted: int) -> bool:
        """False for a draft shorter than the minimum, which is then dropped."""
        return drafted >= max(1, self._least)
