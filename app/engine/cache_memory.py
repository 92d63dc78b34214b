"""What a context remembers of the tokens it has read: KV caches and recurrent states, in bytes.

Layers differ. Full attention keeps keys and values of the whole context, a sliding window only of its last
tokens and one batch, a recurrent layer a state of fixed size, with a snapshot for each token that may have
to be taken back. As in llama-kv-cache.cpp, llama-kv-cache-iswa.cpp and llama-memory-recurrent.cpp.
"""

import math

from app.core.estimate import Missing
from app.core.options import CacheType, LoadOptions, Switch
from app.models.info import ModelInfo
from app.models.layers import Layer
from app.models.tensor_types import TENSOR_TYPES

FLOAT_BYTES = 4

_PADDING = 256  # tokens; contexts and windows are rounded up to it

# Their contexts hold caches of further kinds (compressed keys, keys of an indexer).
_OTHER_CACHES = frozenset(
    ("deepseek4", "deepseek32", "dots3note", "glm-dsa", "glm5-next", "hy_v4", "minimax-m3", "qwen4exp")
)


def context_tokens(info: ModelInfo, options: LoadOptions) -> int | None:
    """Tokens that a context has room for; None where they are the model's own and the header lacks them."""
    wanted = options.context_length or info.context_length
    return None if wanted is None else _padded(wanted)


def pass_tokens(info: ModelInfo, options: LoadOptions) -> int | None:
    """Tokens in the largest pass; None as for `context_tokens`."""
    wanted = options.context_length or info.context_length
    return None if wanted is None else min(wanted, max(options.batch_size, options.longest_draft + 1))


def sliding_tokens(info: ModelInfo, context: int, in_pass: int) -> int:
    """Tokens that the cache of a sliding-window layer has room for."""
    return _padded(min(context, info.sliding_window + in_pass))


def snapshots(info: ModelInfo, options: LoadOptions) -> int:
    """Copies of each recurrent state that are kept for a rollback."""
    keeps_state = info.is_recurrent or info.is_hybrid
    return options.longest_draft if keeps_state and info.rolls_back else 0


def kv_cache_bytes(info: ModelInfo, options: LoadOptions) -> int | Missing:
    """Keys and values of all attention layers."""
    if info.architecture in _OTHER_CACHES:
        return Missing.KNOWN_ARCHITECTURE
    if not info.layers:
        return Missing.LAYERS
    context, in_pass = context_tokens(info, options), pass_tokens(info, options)
    if context is None or in_pass is None:
        return Missing.CONTEXT_LENGTH
    window = sliding_tokens(info, context, in_pass)
    layers = [layer for layer in info.layers if layer.attention and not layer.shares_cache]
    sizes = [_key_and_value_numbers(info, layer) for layer in layers]
    widest_value = max((size[1] for size in sizes if size is not None), default=0)
    total = 0
    for layer, size in zip(layers, sizes, strict=True):
        if size is None:
            return Missing.HEADS
        keys, values = size
        if options.flash_attention is Switch.OFF and values:
            values = widest_value  # stored the other way round, all layers alike
        row = _row_bytes(keys, options.k_cache_type) + _row_bytes(values, options.v_cache_type)
        total += row * (window if layer.sliding else context)
    return total


def recurrent_state_bytes(info: ModelInfo, options: LoadOptions) -> int | Missing:
    """States of all recurrent layers and their snapshots; llama.cpp keeps them as F32."""
    count = sum(layer.recurrent for layer in info.layers)
    if not info.layers and (info.is_recurrent or info.is_hybrid):
        return Missing.LAYERS
    if count == 0:
        return 0
    numbers = info.recurrent_elements
    if numbers is None:
        return Missing.RECURRENT_STATE
    return numbers * FLOAT_BYTES * count * (1 + snapshots(info, options))


def head_sizes(info: ModelInfo, layer: Layer) -> tuple[int, int] | None:
    """Numbers in a key and in a value of one head; None where the header does not say."""
    key = info.sliding_key_size if layer.sliding else info.key_size
    value = info.sliding_value_size if layer.sliding else info.value_size
    if key is None or value is None:
        return None
    return key, 0 if info.latent_attention else value


def _key_and_value_numbers(info: ModelInfo, layer: Layer) -> tuple[int, int] | None:
    sizes = head_sizes(info, layer)
    if sizes is None or layer.heads_kv is None:
        return None
    return sizes[0] * layer.heads_kv, sizes[1] * layer.heads_kv


def _row_bytes(numbers: int, kind: CacheType) -> int:
    stored = next(found for found in TENSOR_TYPES.values() if found.name == kind.upper())
    return math.ceil(numbers / stored.block) * stored.block_bytes


def _padded(tokens: int) -> int:
    return math.ceil(tokens / _PADDING) * _PADDING
