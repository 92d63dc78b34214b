"""What a target and its draft will need, part by part, from their headers alone."""

from app.core.estimate import MemoryEstimate, Missing, ModelMemory, Part, PartName
from app.core.options import LoadOptions, Switch
from app.engine.cache_memory import FLOAT_BYTES, kv_cache_bytes, pass_tokens, recurrent_state_bytes
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
