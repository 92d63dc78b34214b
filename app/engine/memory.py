"""What a target and its draft will need, part by part, from their headers alone."""

from msgspec import Struct

from app.core.estimate import MemoryEstimate, Missing, ModelMemory, Part, PartName
from app.core.options import LoadOptions, Switch
from app.engine.cache_memory import FLOAT_BYTES, kv_cache_bytes, pass_tokens, recurrent_state_bytes
from app.engine.compute_memory import Widths, compute_bytes, read_widths
from app.engine.cpu_features import CpuFeatures as CpuFeatures
from app.engine.cpu_features import detect_features as detect_features
from app.engine.weights import loaded_bytes, read_weights, repacked_bytes, tied_copy_bytes
from app.models.info import ModelInfo

# Measured: what llama.cpp's vocabulary takes for a token's text and for a rule of its tokenizer, and what a
# model and its context take besides all other parts (descriptions of tensors and graphs, library pages).
_TOKEN_BYTES = 155
_MERGE_BYTES = 150
_LIBRARY_BYTES = 8_000_000

_CONSIDERABLE = 0.1  # a second copy of more than this share of the weights


class WeighedModel(Struct, frozen=True):
    """A model with what its tables of tensors tell of memory, in bytes, so that options are tried quickly."""

    info: ModelInfo
    mapped_bytes: int  # of the tensors, where the file is mapped into memory
    read_bytes: int  # where it is read
    repacked_bytes: int  # the second copy, where it is mapped
    tied_copy_bytes: int  # where it is read
    vocabulary_bytes: int
    widths: Widths
    certain: bool  # False where the processor's features were assumed

    def maps(self, options: LoadOptions) -> bool:
        """Whether the file is mapped into memory: see `uses_memory_map`."""
        if options.mmap is not Switch.AUTOMATIC:
            return options.mmap is Switch.ON
        return self.repacked_bytes - self.tied_copy_bytes <= _CONSIDERABLE * self.mapped_bytes


def weigh(info: ModelInfo, features: CpuFeatures) -> WeighedModel:
    """Reads the tables from the model's headers. Raises ModelFileError if a file has changed."""
    weights = read_weights(info)
    return WeighedModel(
        info=info,
        mapped_bytes=loaded_bytes(info, weights, memory_map=True),
        read_bytes=loaded_bytes(info, weights, memory_map=False),
        repacked_bytes=repacked_bytes(info, weights, features),
        tied_copy_bytes=tied_copy_bytes(weights, features),
        vocabulary_bytes=weights.tokens * _TOKEN_BYTES + weights.merges * _MERGE_BYTES,
        widths=read_widths(info, weights),
        certain=features.certain,
    )


def estimate(
    target: ModelInfo,
    draft: ModelInfo | None,
    options: LoadOptions,
    draft_options: LoadOptions,
    features: CpuFeatures,
) -> MemoryEstimate:
    """`estimate_weighed`, with the headers read again. Raises ModelFileError if a file has changed."""
    weighed_draft = None if draft is None else weigh(draft, features)
    return estimate_weighed(weigh(target, features), weighed_draft, options, draft_options)


def estimate_weighed(
    target: WeighedModel, draft: WeighedModel | None, options: LoadOptions, draft_options: LoadOptions
) -> MemoryEstimate:
    """The memory for a target with `options` and a draft with `draft_options`, on the CPU.

    As the engine loads them: one pass of the target gives logits for the longest draft and one token more,
    one pass of the draft for one token; the draft's context is no longer than the target's, nor than it was
    trained for. Layers that are put on a GPU are counted in, wherever their bytes lie.
    """
    target_memory = _model_memory(target, options, options.longest_draft + 1)
    draft_memory = None
    if draft is not None:
        room = options.context_length or target.info.context_length or 0
        fitted = draft_options.for_draft(room, draft.info.context_length)
        draft_memory = _model_memory(draft, fitted, 1)
    return MemoryEstimate(target_memory, draft_memory, target.certain)


def uses_memory_map(info: ModelInfo, options: LoadOptions, features: CpuFeatures) -> bool:
    """Whether to map the file into memory instead of reading it.

    As the options ask. Left to the program, a map is used (loading is quicker, and the system may drop pages
    and share them) unless it would leave a considerable part of the weights in memory twice: the original
    pages and the copy in the layout of faster kernels, where that is more than a tenth of the weights.
    Reads the headers again; raises ModelFileError if a file has changed.
    """
    return weigh(info, features).maps(options)


def _model_memory(model: WeighedModel, options: LoadOptions, outputs: int) -> ModelMemory:
    info = model.info
    mapped = model.maps(options)
    return ModelMemory(
        (
            _part(PartName.WEIGHTS, model.mapped_bytes if mapped else model.read_bytes),
            _part(PartName.REPACKED_WEIGHTS, model.repacked_bytes if mapped else model.tied_copy_bytes),
            _part(PartName.KV_CACHE, kv_cache_bytes(info, options)),
            _part(PartName.RECURRENT_STATE, recurrent_state_bytes(info, options)),
            _part(PartName.COMPUTE, compute_bytes(info, model.widths, options, outputs)),
            _part(PartName.OUTPUTS, _output_bytes(info, options, outputs)),
            _part(PartName.VOCABULARY, model.vocabulary_bytes),
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
