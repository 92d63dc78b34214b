"""What a target and its draft will need, part by part, from their headers alone.

Figures only; whoever shows them owns the words. What a header does not tell is None and says what is missing:
an estimate that cannot be made is no reason to refuse a model.
"""

from enum import StrEnum

from msgspec import Struct

from app.core.options import LoadOptions, Switch
from app.engine.cache_memory import FLOAT_BYTES, Missing, kv_cache_bytes, pass_tokens, recurrent_state_bytes
from app.engine.compute_memory import compute_bytes
from app.engine.cpu_features import CpuFeatures as CpuFeatures
from app.engine.cpu_features import detect_features as detect_features
from app.engine.weights import Weights, loaded_bytes, read_weights, repacked_bytes, tied_copy_bytes
from app.models.info import ModelInfo

# Measured: what llama.cpp's vocabulary takes for a token's text and for a rule of its tokenizer, and what a
# model and its context take besides all other parts (descriptions of tensors and graphs, library pages).
_TOKEN_BYTES = 155
_MERGE_BYTES = 150
_LIBRARY_BYTES = 8_000_000

_CONSIDERABLE = 0.1  # a second copy of more than this share of the weights


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


def estimate(
    target: ModelInfo,
    draft: ModelInfo | None,
    options: LoadOptions,
    draft_options: LoadOptions,
    features: CpuFeatures,
) -> MemoryEstimate:
    """The memory for a target with `options` and a draft with `draft_options`, on the CPU.

    As the engine loads them: one pass of the target gives logits for the longest draft and one token more,
    one pass of the draft for one token; the draft's context is no longer than the target's, nor than it was
    trained for. Layers that are put on a GPU are counted in, wherever their bytes lie. Reads the headers
    again for their tables of tensors. Raises ModelFileError if a file has changed.
    """
    target_memory = _model_memory(target, options, options.longest_draft + 1, features)
    draft_memory = None
    if draft is not None:
        room = options.context_length or target.context_length or 0
        fitted = draft_options.for_draft(room, draft.context_length)
        draft_memory = _model_memory(draft, fitted, 1, features)
    return MemoryEstimate(target_memory, draft_memory, features.certain)


def uses_memory_map(info: ModelInfo, options: LoadOptions, features: CpuFeatures) -> bool:
    """Whether to map the file into memory instead of reading it.

    As the options ask. Left to the program, a map is used (loading is quicker, and the system may drop pages
    and share them) unless it would leave a considerable part of the weights in memory twice: the original
    pages and the copy in the layout of faster kernels, where that is more than a tenth of the weights.
    Reads the headers again; raises ModelFileError if a file has changed.
    """
    return _maps(info, read_weights(info), options, features)


def _maps(info: ModelInfo, weights: Weights, options: LoadOptions, features: CpuFeatures) -> bool:
    if options.mmap is not Switch.AUTOMATIC:
        return options.mmap is Switch.ON
    spared = repacked_bytes(info, weights, features) - tied_copy_bytes(weights, features)
    return spared <= _CONSIDERABLE * loaded_bytes(info, weights, memory_map=True)


def _model_memory(info: ModelInfo, options: LoadOptions, outputs: int, features: CpuFeatures) -> ModelMemory:
    weights = read_weights(info)
    mapped = _maps(info, weights, options, features)
    second_copy = repacked_bytes(info, weights, features) if mapped else tied_copy_bytes(weights, features)
    return ModelMemory(
        (
            _part(PartName.WEIGHTS, loaded_bytes(info, weights, memory_map=mapped)),
            _part(PartName.REPACKED_WEIGHTS, second_copy),
            _part(PartName.KV_CACHE, kv_cache_bytes(info, options)),
            _part(PartName.RECURRENT_STATE, recurrent_state_bytes(info, options)),
            _part(PartName.COMPUTE, compute_bytes(info, weights, options, outputs)),
            _part(PartName.OUTPUTS, _output_bytes(info, options, outputs)),
            _part(PartName.VOCABULARY, weights.tokens * _TOKEN_BYTES + weights.merges * _MERGE_BYTES),
            _part(PartName.LIBRARY, _LIBRARY_BYTES),
        )
    )


def _part(name: PartName, found: int | Missing) -> Part:
    return Part(name, None, found) if isinstance(found, Missing) else Part(name, found)


def _output_bytes(info: ModelInfo, options: LoadOptions, outputs: int) -> int | Missing:
    if info.vocabulary_size is None:
        return Missing.VOCABULARY
    in_pass = pass_tokens(info, options)
    rows = outputs if in_pass is None else min(outputs, in_pass)
    return rows * info.vocabulary_size * FLOAT_BYTES
