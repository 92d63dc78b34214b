"""A fixed draft length; automatic_policy.py has the other one."""

from app.core.options import SpeculationOptions


class FixedPolicy:
    """The numbers the person chose."""

    def __init__(self, options: SpeculationOptions, longest: int) -> None:
        """`longest`: what the target can verify at once and take back after a round, in tokens."""
        self._most = min(options.max_draft_tokens, longest)
        self._least = options.min_draft_tokens

    def limit(self, room: int) -> int:
        """The longest draft worth asking for where there is room for so many tokens."""
        return min(self._most, room)

    def worth_verifying(self, drafted: int) -> bool:
        """False for a draft shorter than the minimum, which is then dropped."""
        return drafted >= max(1, self._least)
