"""Hyperparameters that end the process if llama.cpp meets them: found before it does.

llama.cpp refuses most nonsense with an error. The rest are assertions (src/llama-model.cpp, ggml.c) and
divisions by zero, which abort; each rule here stands for one of those. Missing values are no concern of it.
"""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from app.models.architectures import NO_ROTATION
from app.models.gguf import TOKENS, read_header, read_strings
from app.models.layers import MOST_LAYERS, Attributes, Layer
from app.models.window import damaged

_MOST_EXPERTS = 1024
_LARGEST = 2**30  # llama.cpp adds to these values in 32 bits
_LARGEST_WINDOW = 2**24  # tokens; llama.cpp reserves memory for each
_SCALINGS = ("none", "linear", "yarn", "longrope")
_EPSILONS = ("attention.layer_norm_epsilon", "attention.layer_norm_rms_epsilon")


def check_hyperparameters(path: Path, attributes: Attributes, architecture: str) -> None:
    """Raises ModelFileError (DAMAGED) for values that would crash llama.cpp."""
    _check_sizes(path, attributes)
    _check_experts(path, attributes, architecture)
    _check_heads(path, attributes)
    _check_rotation(path, attributes, architecture)
    for key in _EPSILONS:
        epsilon = attributes.number(key)
        if epsilon is not None and not epsilon >= 0.0:
            damaged(path, f"{key} is {epsilon}")


def check_token_texts(path: Path) -> None:
    """Raises ModelFileError (DAMAGED) where two tokens have the same text.

    Reads the whole vocabulary (some 0.1 s for 150,000 tokens), so this is for a file about to be loaded.
    """
    header = read_header(path)
    if TOKENS not in header.arrays:
        return
    texts = [text for text in read_strings(header, TOKENS) if text]  # empty ones get names of their own
    if len(set(texts)) == len(texts):
        return
    ((text, count),) = Counter(texts).most_common(1)
    shown = text.decode("utf-8", errors="replace")
    damaged(path, f"{count} of its tokens have the text {shown!r}")


def check_layers(path: Path, layers: Sequence[Layer], window: int, architecture: str) -> None:
    """Raises ModelFileError (DAMAGED) for a mixture of layers for which llama.cpp makes an empty cache."""
    if window and layers and not any(layer.sliding for layer in layers):
        damaged(path, "it has a sliding window, but no layer that uses it")
    kinds = {layer.recurrent for layer in layers}
    if architecture in ("lfm2", "lfm2moe") and len(kinds) == 1:
        damaged(path, "it is a mixture of two kinds of layers, but has only one of them")


def _check_sizes(path: Path, attributes: Attributes) -> None:
    layers = attributes.whole("block_count")
    if layers is not None and not 1 <= layers <= MOST_LAYERS:
        damaged(path, f"it claims {layers} layers")
    predicting = attributes.whole("nextn_predict_layers") or 0
    if layers is not None and not 0 <= predicting <= layers:
        damaged(path, f"it claims {predicting} predicting layers among {layers}")
    for key, least, most in (
        ("embedding_length", 1, _LARGEST),
        ("context_length", 0, _LARGEST),
        ("attention.sliding_window", 0, _LARGEST_WINDOW),
        ("shortconv.l_cache", 2, _LARGEST),
        ("full_attention_interval", 1, _LARGEST),
    ):
        value = attributes.whole(key)
        if value is not None and not least <= value <= most:
            damaged(path, f"{key} is {value}")


def _check_experts(path: Path, attributes: Attributes, architecture: str) -> None:
    experts = attributes.whole("expert_count") or 0
    used = max(attributes.listed("expert_used_count") or [attributes.whole("expert_used_count") or 0])
    groups = attributes.whole("expert_group_count") or 0
    groups_used = attributes.whole("expert_group_used_count") or 0
    if architecture in ("hunyuan_vl", "hunyuan-dense") and experts <= 1:
        experts = used = 0  # as llama.cpp takes it
    if experts:
        sound = experts <= _MOST_EXPERTS and 0 < used <= experts and groups < experts
        if groups > 1:
            sound = sound and experts % groups == 0 and 0 < groups_used < groups
    else:
        sound = used == 0 and groups == 0
    if not sound:
        damaged(path, f"it claims {used} of {experts} experts, in {groups_used} of {groups} groups")


def _check_heads(path: Path, attributes: Attributes) -> None:
    layers = attributes.whole("block_count") or 0
    heads = attributes.per_layer("attention.head_count", layers) or []
    heads_kv = attributes.per_layer("attention.head_count_kv", layers) or []
    for all_heads, shared in zip(heads, heads_kv, strict=False):
        if shared and all_heads % shared:
            damaged(path, f"{all_heads} heads cannot share {shared} keys")


def _check_rotation(path: Path, attributes: Attributes, architecture: str) -> None:
    scaling = attributes.text("rope.scaling.type")
    if scaling is not None and scaling not in _SCALINGS:
        damaged(path, f"its rope scaling {scaling[:40]!a} does not exist")
    width = attributes.whole("embedding_length") or 0
    heads = (attributes.listed("attention.head_count") or [attributes.whole("attention.head_count") or 0])[0]
    size = attributes.whole("attention.key_length")
    if size is None and width and heads:
        size = width // heads
    for key, limit in (
        ("rope.dimension_count", size),
        ("rope.dimension_count_swa", attributes.whole("attention.key_length_swa") or size),
    ):
        rotates = architecture not in NO_ROTATION
        rotated = attributes.whole(key)
        if rotated is None and rotates:
            rotated = limit
        if rotated is None or limit is None:
            continue
        if (rotates and rotated == 0) or rotated % 2 or rotated > limit:
            damaged(path, f"it rotates {rotated} of {limit} dimensions")
