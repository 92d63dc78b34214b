"""Tiny random GGUF models, written at test time: real files that llama.cpp loads and runs on a CPU.

Every model is deterministic: the same arguments give the same bytes. Weights are F32, so that results do not
depend on quantisation. `noise` adds a second random model to the first, so that a model and its noisy
copy make a target and a draft: they choose the same token about 9 times in 10 at 0.01, 7 in 10 at 0.03,
3 in 10 at 0.1.
"""

import math
from pathlib import Path

import gguf
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tests.fakes.tiny_vocabulary import byte_vocabulary as byte_vocabulary
from tests.fakes.tiny_vocabulary import scores, token_types

Scalar = bool | int | float | str
Value = Scalar | list[int] | list[float] | list[str]
Floats = NDArray[np.float32]

# By how much logits of these models, some units apart, may move with the way in which tokens are put into
# passes: keys and values are kept in 16 bits, and rounding may make the last one of them another.
LAST_BITS = 5e-3

CHATML = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n{{ message['content'] }}<|im_end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


class TinyModel(Struct):
    """What goes into a file. Keys that start with a dot get the architecture's name in front."""

    architecture: str
    values: dict[str, Value]
    tensors: dict[str, Floats]


class _Weights:
    """Draws weights; `noise` mixes in a second, independent stream."""

    def __init__(self, seed: int, noise: float) -> None:
        self._first = np.random.default_rng(seed)
        self._second = np.random.default_rng(seed + 1_000_003)
        self._noise = noise

    def matrix(self, outputs: int, inputs: int, gain: float = 1.0) -> Floats:
        """A matrix whose product with a vector of unit variance has standard deviation `gain`."""
        drawn = self._first.standard_normal((outputs, inputs))
        other = self._second.standard_normal((outputs, inputs))
        mixed = (drawn + self._noise * other) / math.sqrt(1.0 + self._noise**2)
        return (mixed * gain / math.sqrt(inputs)).astype(np.float32)


def write_llama(
    path: Path,
    *,
    seed: int = 0,
    layers: int = 2,
    width: int = 64,
    heads: int = 4,
    heads_kv: int = 2,
    vocabulary: list[str] | None = None,
    context_length: int = 512,
    chat_template: str | None = None,
    noise: float = 0.0,
    may_end: bool = False,
    changes: dict[str, Value | None] | None = None,
) -> Path:
    """A plain transformer.

    `may_end=False` makes end-of-generation tokens unlikely. `changes` sets header keys; None removes one.
    """
    model = llama_model(
        seed=seed,
        layers=layers,
        width=width,
        heads=heads,
        heads_kv=heads_kv,
        vocabulary=vocabulary,
        context_length=context_length,
        chat_template=chat_template,
        noise=noise,
        may_end=may_end,
    )
    return write_model(path, model, changes)


def write_lfm2(
    path: Path,
    *,
    seed: int = 0,
    kinds: str = "cca",
    width: int = 64,
    heads: int = 4,
    heads_kv: int = 2,
    vocabulary: list[str] | None = None,
    context_length: int = 512,
    chat_template: str | None = None,
    noise: float = 0.0,
    may_end: bool = False,
    changes: dict[str, Value | None] | None = None,
) -> Path:
    """A hybrid: each letter of `kinds` is a layer, c a short convolution, a an attention layer.

    Its recurrent state can be rolled back with snapshots.
    """
    weights = _Weights(seed, noise)
    head = width // heads
    kernel = 3
    values = _common(layers=len(kinds), width=width, context_length=context_length)
    values |= {
        ".attention.head_count": heads,
        ".attention.head_count_kv": [heads_kv if kind == "a" else 0 for kind in kinds],
        ".shortconv.l_cache": kernel,
        ".rope.freq_base": 10000.0,
    }
    tensors: dict[str, Floats] = {}
    for layer, kind in enumerate(kinds):
        name = f"blk.{layer}."
        tensors[name + "attn_norm.weight"] = _ones(width)
        if kind == "a":
            tensors |= _attention(weights, name, width, heads, heads_kv, head)
            tensors[name + "attn_q_norm.weight"] = _ones(head)
            tensors[name + "attn_k_norm.weight"] = _ones(head)
        else:
            tensors[name + "shortconv.conv.weight"] = weights.matrix(width, kernel)
            tensors[name + "shortconv.in_proj.weight"] = weights.matrix(3 * width, width, 1.5)
            tensors[name + "shortconv.out_proj.weight"] = weights.matrix(width, width)
        tensors |= _feed_forward(weights, name, width)
    model = TinyModel("lfm2", values, tensors)
    _add_vocabulary(model, weights, width, vocabulary, chat_template, may_end)
    model.tensors["token_embd_norm.weight"] = model.tensors.pop("output_norm.weight")
    return write_model(path, model, changes)


def write_mamba(
    path: Path,
    *,
    seed: int = 0,
    layers: int = 2,
    width: int = 64,
    vocabulary: list[str] | None = None,
    context_length: int = 512,
    chat_template: str | None = None,
    noise: float = 0.0,
    may_end: bool = False,
    changes: dict[str, Value | None] | None = None,
) -> Path:
    """A recurrent model (Mamba 1): no attention at all, and no snapshots to roll back to."""
    weights = _Weights(seed, noise)
    inner, state, rank, kernel = 2 * width, 8, 4, 4
    values = _common(layers=layers, width=width, context_length=context_length)
    values |= {
        ".feed_forward_length": 0,
        ".attention.head_count": 0,
        ".ssm.conv_kernel": kernel,
        ".ssm.inner_size": inner,
        ".ssm.state_size": state,
        ".ssm.time_step_rank": rank,
    }
    tensors: dict[str, Floats] = {}
    for layer in range(layers):
        name = f"blk.{layer}."
        tensors[name + "attn_norm.weight"] = _ones(width)
        tensors[name + "ssm_in.weight"] = weights.matrix(2 * inner, width, 1.5)
        tensors[name + "ssm_conv1d.weight"] = weights.matrix(inner, kernel)
        tensors[name + "ssm_conv1d.bias"] = np.zeros(inner, np.float32)
        tensors[name + "ssm_x.weight"] = weights.matrix(rank + 2 * state, inner, 2.0)
        tensors[name + "ssm_dt.weight"] = weights.matrix(inner, rank)
        tensors[name + "ssm_dt.bias"] = np.full(inner, -2.0, np.float32)
        tensors[name + "ssm_a"] = -np.tile(np.arange(1, state + 1, dtype=np.float32), (inner, 1))
        tensors[name + "ssm_d"] = _ones(inner)
        tensors[name + "ssm_out.weight"] = weights.matrix(width, inner, 2.0)
    model = TinyModel("mamba", values, tensors)
    _add_vocabulary(model, weights, width, vocabulary, chat_template, may_end)
    return write_model(path, model, changes)


def write_gemma_swa(
    path: Path,
    *,
    seed: int = 0,
    layers: int = 2,
    width: int = 64,
    heads: int = 4,
    heads_kv: int = 2,
    window: int = 32,
    pattern: int = 2,
    vocabulary: list[str] | None = None,
    context_length: int = 512,
    chat_template: str | None = None,
    noise: float = 0.0,
    may_end: bool = False,
    changes: dict[str, Value | None] | None = None,
) -> Path:
    """Gemma 3 with a small sliding window.

    Of every `pattern` layers the last one sees everything, the others only the last `window` tokens.
    """
    weights = _Weights(seed, noise)
    head = width // heads
    values = _common(layers=layers, width=width, context_length=context_length)
    values |= {
        ".attention.head_count": heads,
        ".attention.head_count_kv": heads_kv,
        ".attention.key_length": head,
        ".attention.value_length": head,
        ".attention.sliding_window": window,
        ".attention.sliding_window_pattern": pattern,
        ".rope.freq_base": 10000.0,
    }
    tensors: dict[str, Floats] = {}
    for layer in range(layers):
        name = f"blk.{layer}."
        for norm in ("attn_norm", "post_attention_norm", "post_ffw_norm"):
            tensors[f"{name}{norm}.weight"] = _ones(width)
        tensors |= _attention(weights, name, width, heads, heads_kv, head)
        tensors[name + "attn_q_norm.weight"] = np.full(head, 1.7, np.float32)
        tensors[name + "attn_k_norm.weight"] = np.full(head, 1.7, np.float32)
        tensors |= _feed_forward(weights, name, width)
    model = TinyModel("gemma3", values, tensors)
    _add_vocabulary(model, weights, width, vocabulary, chat_template, may_end)
    model.tensors["token_embd.weight"] /= np.float32(math.sqrt(width))  # gemma multiplies by it
    return write_model(path, model, changes)


def llama_model(
    *,
    seed: int = 0,
    layers: int = 2,
    width: int = 64,
    heads: int = 4,
    heads_kv: int = 2,
    vocabulary: list[str] | None = None,
    context_length: int = 512,
    chat_template: str | None = None,
    noise: float = 0.0,
    may_end: bool = False,
) -> TinyModel:
    """The content of `write_llama`'s file, to be changed or split before it is written."""
    weights = _Weights(seed, noise)
    head = width // heads
    values = _common(layers=layers, width=width, context_length=context_length)
    values |= {
        ".attention.head_count": heads,
        ".attention.head_count_kv": heads_kv,
        ".rope.dimension_count": head,
        ".rope.freq_base": 10000.0,
    }
    tensors: dict[str, Floats] = {}
    for layer in range(layers):
        name = f"blk.{layer}."
        tensors[name + "attn_norm.weight"] = _ones(width)
        tensors |= _attention(weights, name, width, heads, heads_kv, head)
        tensors |= _feed_forward(weights, name, width)
    model = TinyModel("llama", values, tensors)
    _add_vocabulary(model, weights, width, vocabulary, chat_template, may_end)
    return model


def write_model(path: Path, model: TinyModel, changes: dict[str, Value | None] | None = None) -> Path:
    """Writes a model as one file."""
    _write(gguf.GGUFWriter(path, model.architecture), model, changes)
    return path


def write_split(folder: Path, name: str, model: TinyModel, parts: int = 3) -> tuple[Path, ...]:
    """Writes a model as a split set, `name-00001-of-00003.gguf` and so on, and gives the parts in order."""
    each = math.ceil(len(model.tensors) / parts)
    _write(gguf.GGUFWriter(folder / name, model.architecture, split_max_tensors=each), model, None)
    return tuple(folder / f"{name}-{part:05d}-of-{parts:05d}.gguf" for part in range(1, parts + 1))


def write_vocabulary_only(path: Path, vocabulary: list[str] | None = None) -> Path:
    """A file with hyperparameters and tokens, but without weights."""
    model = llama_model(vocabulary=vocabulary)
    model.tensors.clear()
    return write_model(path, model)


def write_embedding_model(path: Path, architecture: str = "bert") -> Path:
    """The header of an encoder that makes one vector of a text (mean pooling), with a single small tensor."""
    values: dict[str, Value] = _common(layers=1, width=32, context_length=128)
    values |= {".attention.head_count": 2, ".attention.causal": False, ".pooling_type": 1}
    model = TinyModel(architecture, values, {"token_embd.weight": np.zeros((300, 32), np.float32)})
    _describe_vocabulary(model, byte_vocabulary(), None)
    return write_model(path, model)


def write_projector(path: Path) -> Path:
    """The header of a vision projector, the second file of a model that sees images."""
    values: dict[str, Value] = {
        "general.type": "mmproj",
        ".has_vision_encoder": True,
        ".projector_type": "mlp",
        ".vision.block_count": 1,
        ".vision.embedding_length": 32,
    }
    model = TinyModel("clip", values, {"mm.0.weight": np.zeros((32, 32), np.float32)})
    return write_model(path, model)


def truncate_file(path: Path, keep: int | float) -> Path:
    """Cuts a file to `keep` bytes if that is an int (negative: off its end), else to that share of it."""
    data = path.read_bytes()
    path.write_bytes(data[: keep if isinstance(keep, int) else int(len(data) * keep)])
    return path


def _ones(length: int) -> Floats:
    return np.ones(length, np.float32)


def _common(*, layers: int, width: int, context_length: int) -> dict[str, Value]:
    return {
        "general.name": "Tiny",
        "general.file_type": 0,
        ".context_length": context_length,
        ".embedding_length": width,
        ".block_count": layers,
        ".feed_forward_length": 2 * width,
        ".attention.layer_norm_rms_epsilon": 1e-5,
    }


def _attention(
    weights: _Weights, name: str, width: int, heads: int, heads_kv: int, head: int
) -> dict[str, Floats]:
    return {
        name + "attn_q.weight": weights.matrix(heads * head, width, 1.7),
        name + "attn_k.weight": weights.matrix(heads_kv * head, width, 1.7),
        name + "attn_v.weight": weights.matrix(heads_kv * head, width, 2.0),
        name + "attn_output.weight": weights.matrix(width, heads * head, 1.5),
    }


def _feed_forward(weights: _Weights, name: str, width: int) -> dict[str, Floats]:
    return {
        name + "ffn_norm.weight": _ones(width),
        name + "ffn_gate.weight": weights.matrix(2 * width, width, 1.5),
        name + "ffn_up.weight": weights.matrix(2 * width, width, 1.5),
        name + "ffn_down.weight": weights.matrix(width, 2 * width, 1.5),
    }


def _add_vocabulary(
    model: TinyModel,
    weights: _Weights,
    width: int,
    vocabulary: list[str] | None,
    chat_template: str | None,
    may_end: bool,
) -> None:
    tokens = byte_vocabulary() if vocabulary is None else vocabulary
    output = weights.matrix(len(tokens), width, 3.0)
    if not may_end:
        special = [kind in (gguf.TokenType.CONTROL, gguf.TokenType.UNKNOWN) for kind in token_types(tokens)]
        output[special] = 0.0  # a logit of 0, far below the best of hundreds
    model.tensors["token_embd.weight"] = weights.matrix(len(tokens), width, math.sqrt(width))
    model.tensors["output_norm.weight"] = _ones(width)
    model.tensors["output.weight"] = output
    _describe_vocabulary(model, tokens, chat_template)


def _describe_vocabulary(model: TinyModel, tokens: list[str], chat_template: str | None) -> None:
    model.values |= {
        ".vocab_size": len(tokens),
        "tokenizer.ggml.model": "llama",
        "tokenizer.ggml.tokens": tokens,
        "tokenizer.ggml.scores": scores(tokens),
        "tokenizer.ggml.token_type": token_types(tokens),
        "tokenizer.ggml.bos_token_id": 1,
        "tokenizer.ggml.eos_token_id": 2,
        "tokenizer.ggml.unknown_token_id": 0,
        "tokenizer.ggml.add_bos_token": True,
        "tokenizer.ggml.add_eos_token": False,
        "tokenizer.ggml.add_space_prefix": False,
    }
    if chat_template is not None:
        model.values["tokenizer.chat_template"] = chat_template


def _write(writer: gguf.GGUFWriter, model: TinyModel, changes: dict[str, Value | None] | None) -> None:
    values = {**model.values, **(changes or {})}
    for key, value in values.items():
        full = model.architecture + key if key.startswith(".") else key
        if isinstance(value, bool):
            writer.add_bool(full, value)
        elif isinstance(value, int):
            writer.add_uint32(full, value)
        elif isinstance(value, float):
            writer.add_float32(full, value)
        elif isinstance(value, str):
            writer.add_string(full, value)
        elif value is not None:
            writer.add_array(full, value)
    for name, tensor in model.tensors.items():
        writer.add_tensor(name, tensor)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
