"""An estimate of the memory that models will need, item by item.

Figures only; whoever shows them owns the words. What a header does not tell is None and says what is missing:
an estimate that cannot be made is no reason to refuse a model.
"""

from enum import StrEnum

from msgspec import Struct


class Missing(StrEnum):
    """What a header lacks, so that a part of the estimate cannot be made."""

    LAYERS = "layers"
    HEADS = "heads"  # their number or their size
    WIDTH = "width"
    RECURRENT_STATE = "recurrent_state"
    VOCABULARY = "vocabulary"
    CONTEXT_LENGTH = "context_length"
    KNOWN_ARCHITECTURE = "known_architecture"  # it keeps caches of a kind that is not calculated here


class PartName(StrEnum):
    """What a model takes memory for."""

    WEIGHTS = "weights"
    REPACKED_WEIGHTS = "repacked_weights"  # a second copy, in the layout of faster kernels
    KV_CACHE = "kv_cache"
    RECURRENT_STATE = "recurrent_state"
    COMPUTE = "compute"
    OUTPUTS = "outputs"  # logits
    VOCABULARY = "vocabulary"
    LIBRARY = "library"


class Part(Struct, frozen=True):
    """One item, in bytes; None where the header lacks what `missing` names."""

    name: PartName
    bytes: int | None
    missing: Missing | None = None


class ModelMemory(Struct, frozen=True):
    """The items of one model, every name once."""

    parts: tuple[Part, ...]

    @property
    def known_bytes(self) -> int:
        """The sum of what is known."""
        return sum(part.bytes or 0 for part in self.parts)

    @property
    def is_complete(self) -> bool:
        """True where every part is known."""
        return all(part.bytes is not None for part in self.parts)

    def bytes_of(self, name: PartName) -> int | None:
        """One item, in bytes; None where it is unknown."""
        return next(part.bytes for part in self.parts if part.name is name)


class MemoryEstimate(Struct, frozen=True):
    """What a target and, where there is one, its draft will add to the process's resident memory.

    `certain` is False where the processor's features were assumed, so that the second copy may be wrong.
    """

    target: ModelMemory
    draft: ModelMemory | None
    certain: bool

    @property
    def known_bytes(self) -> int:
        """The sum of what is known of both."""
        return self.target.known_bytes + (self.draft.known_bytes if self.draft else 0)

    @property
    def is_complete(self) -> bool:
        """True where every part of both is known."""
        return self.target.is_complete and (self.draft is None or self.draft.is_complete)

    def fits(self, free_bytes: int) -> bool | None:
        """Whether both go into so many bytes; None where what is known does, and something is unknown."""
        if self.known_bytes > free_bytes:
            return False
        return True if self.is_complete else None
