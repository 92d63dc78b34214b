"""What can be said about models before loading them."""

from enum import StrEnum
from pathlib import Path
from typing import Protocol

from app.core.compatibility import Compatibility
from app.core.estimate import MemoryEstimate
from app.core.options import LoadOptions
from app.core.pair_expectation import DraftLengths, PairExpectation


class Advisor(Protocol):
    """Reads headers, never weights. Slow the first time (0.1 to 0.3 s a file), quick again; any thread."""

    def compatibility(self, target: Path, draft: Path) -> Compatibility:
        """Whether a draft model's vocabulary fits. Raises ModelFileError."""

    def estimate(self, target: Path, draft: Path | None, options: LoadOptions) -> MemoryEstimate:
        """The memory that loading will take. Raises ModelFileError."""

    def expectation(
        self, target: Path, draft: Path | None, options: LoadOptions, lengths: DraftLengths
    ) -> PairExpectation:
        """What a draft gains for a target here, or prompt lookup for None. Raises ModelFileError."""


class DraftSize(StrEnum):
    """How a draft model's size suits its target's."""

    SUITS = "suits"
    LARGE = "large"  # likely too slow to gain from
    TARGET_SMALL = "target_small"  # the target is so fast that no draft is likely to pay


# LM Studio's guide: targets of about so many parameters, and the largest draft that is worth trying.
# A "1B" may well have 1.24 billion, hence the allowance below.
_GUIDE = ((24e9, 7e9), (10e9, 3e9), (5e9, 1e9))


def draft_size(target_parameters: int, draft_parameters: int) -> DraftSize:
    """How a draft suits by size alone, by LM Studio's guide (3B: none, 7B: 1B, 14B: 3B, 32B: 7B)."""
    for target, largest in _GUIDE:
        if target_parameters >= target:
            return DraftSize.SUITS if draft_parameters <= 1.3 * largest else DraftSize.LARGE
    return DraftSize.TARGET_SMALL
