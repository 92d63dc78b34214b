"""How much of an answer was drafted, round by round."""

from msgspec import Struct

from app.core.stats import GenerationStats


class DraftingTotals(Struct, frozen=True):
    """Counts over an answer. The round that reading the prompt gives is none of them: it is never drafted."""

    rounds: int = 0
    drafting: int = 0  # of these, rounds in which a draft was checked
    tested: int = 0  # tokens of those drafts

    @property
    def mean_length(self) -> float | None:
        """Tokens of a draft that was checked; None without one."""
        return self.tested / self.drafting if self.drafting else None

    @property
    def paused_share(self) -> float | None:
        """Which share of the rounds checked no draft; None without rounds."""
        return 1.0 - self.drafting / self.rounds if self.rounds else None


def totals_of(stats: GenerationStats) -> DraftingTotals:
    """Those of a whole answer."""
    drafting = stats.tested_by_position[0] if stats.tested_by_position else 0
    return DraftingTotals(max(stats.rounds - 1, drafting), drafting, stats.tested)
