"""The buffer for what lies between the weights and the logits while a pass is computed, in bytes.

llama.cpp reserves it once, for the largest pass. How much depends on which intermediate results are alive at
the same time; the formulas were fitted to what the library reserves for models of many shapes, and are
mostly within 10 % of it.
"""

from collections import defaultdict
from collections.abc import Mapping

from msgspec import Struct

from app.core.estimate import Missing
from app.core.options import LoadOptions, Switch
from app.engine.cache_memory import (
    FLOAT_BYTES,
    context_tokens,
    head_sizes,
    pass_tokens,
    sliding_tokens,
    snapshots,
)
from app.engine.weights import Weights, layer_of
from app.models.gguf import TensorInfo
from app.models.info import ModelInfo

_PER_LAYER_TABLE = "per_layer_token_embd.weight"
_NO_FLASH_ATTENTION = "grok"  # llama.cpp switches it off for this architecture

Matrices = Mapping[str, TensorInfo]  # of one layer, by the middle part of their names


class Widths(Struct, frozen=True):
    """What of a model's tensors counts here: numbers alive in its widest layers, whatever the options."""

    feed_forward: int  # for each token
    recurrent: tuple[
        tuple[int, int], ...
    ]  # for each token, and besides if snapshots are kept; each pair once
    per_layer_tables: int


def read_widths(info: ModelInfo, weights: Weights) -> Widths:
    """Looks through the tables of tensors, once for a model."""
    layers = _by_layer(weights)
    queries = _query_numbers(info)
    recurrent = {_recurrent(layer, info) for layer in layers if "ssm_out" in layer}
    tables = sum(tensor.shape[0] for tensor in weights.tensors if tensor.name == _PER_LAYER_TABLE)
    feed_forward = max((_feed_forward(layer, info, queries) for layer in layers), default=0)
    return Widths(feed_forward, tuple(sorted(recurrent)), tables)


def compute_bytes(info: ModelInfo, widths: Widths, options: LoadOptions, outputs: int) -> int | Missing:
    """The size of the compute buffer. `outputs`: rows of logits that one pass may give."""
    context, in_pass = context_tokens(info, options), pass_tokens(info, options)
    if context is None or in_pass is None:
        return Missing.CONTEXT_LENGTH
    if not info.layers:
        return Missing.LAYERS
    if info.embedding_width is None:
        return Missing.WIDTH
    if info.vocabulary_size is None:
        return Missing.VOCABULARY
    attention = _attention(info, options, context, in_pass)
    if attention is None:
        return Missing.HEADS
    kept = snapshots(info, options)
    state = (info.recurrent_elements or 0) * (1 + kept)
    numbers = [
        attention,
        widths.feed_forward * in_pass,
        *((each + (more if kept else 0)) * in_pass + state for each, more in widths.recurrent),
        min(outputs, in_pass) * (info.vocabulary_size + 3 * info.embedding_width),
    ]
    per_layer = widths.per_layer_tables * in_pass * 3 // 2
    return (max(numbers) + per_layer) * FLOAT_BYTES + _mask_bytes(info, options, context, in_pass)


def _uses_flash_attention(info: ModelInfo, options: LoadOptions) -> bool:
    return options.flash_attention is not Switch.OFF and info.architecture != _NO_FLASH_ATTENTION


def _cached_tokens(info: ModelInfo, context: int, in_pass: int) -> list[int]:
    """The lengths of the caches that attention looks at, one for each kind of layer."""
    kinds = {layer.sliding for layer in info.layers if layer.attention}
    return [sliding_tokens(info, context, in_pass) if sliding else context for sliding in kinds]


def _mask_bytes(info: ModelInfo, options: LoadOptions, context: int, in_pass: int) -> int:
    each = 2 if _uses_flash_attention(info, options) else FLOAT_BYTES
    return sum(_cached_tokens(info, context, in_pass)) * in_pass * each


def _query_numbers(info: ModelInfo) -> int:
    """Numbers in the queries of one token, at most."""
    found = [0]
    for layer in info.layers:
        sizes = head_sizes(info, layer)
        if layer.attention and sizes is not None and layer.heads is not None:
            found.append(sizes[0] * layer.heads)
    return max(found)


def _attention(info: ModelInfo, options: LoadOptions, context: int, in_pass: int) -> int | None:
    """Numbers alive in the largest attention layer; None where the header lacks the heads."""
    most = 0
    for layer in info.layers:
        if not layer.attention:
            continue
        sizes = head_sizes(info, layer)
        if sizes is None or layer.heads is None or layer.heads_kv is None:
            return None
        width = 3 * (info.embedding_width or 0)
        numbers = (sizes[0] * (2 * layer.heads + layer.heads_kv) + width) * in_pass
        if not _uses_flash_attention(info, options):
            seen = sliding_tokens(info, context, in_pass) if layer.sliding else context
            numbers += seen * in_pass * layer.heads  # every query with every key
        most = max(most, numbers)
    return most


def _by_layer(weights: Weights) -> list[Matrices]:
    found: defaultdict[int, dict[str, TensorInfo]] = defaultdict(dict)
    for tensor in weights.tensors:
        layer = layer_of(tensor.name)
        if layer is not None and len(tensor.shape) > 1 and tensor.name.endswith(".weight"):
            found[layer][tensor.name.split(".")[2]] = tensor
    return list(found.values())


def _rows(layer: Matrices, *names: str) -> int:
    return sum(layer[name].shape[1] for name in names if name in layer)


def _columns(layer: Matrices, name: str) -> int:
    return layer[name].shape[0] if name in layer else 0


def _feed_forward(layer: Matrices, info: ModelInfo, queries: int) -> int:
    """Numbers per token: what goes in, its two projections, their product, and what experts give."""
    width = info.embedding_width or 0
    inner = _columns(layer, "ffn_down")
    numbers = _rows(layer, "ffn_gate", "ffn_up") + inner
    if "ffn_down_exps" in layer:
        inner = info.experts_used * _columns(layer, "ffn_down_exps")
        projections = info.experts_used * _rows(layer, "ffn_gate_exps", "ffn_up_exps", "ffn_gate_up_exps")
        given = info.experts_used * width
        # What the experts give takes the place of the projections, where it fits in.
        numbers = projections + inner + (given if given > projections else 0)
    return numbers + 3 * width + (queries if queries < inner else 0)


def _recurrent(layer: Matrices, info: ModelInfo) -> tuple[int, int]:
    """Numbers alive for each token in a state-space or delta-net layer, and besides if snapshots are kept."""
    inner = _columns(layer, "ssm_out")
    width = info.embedding_width or 0
    return _rows(layer, "ssm_in") + 3 * _rows(layer, "ssm_conv1d") + inner + width, inner
