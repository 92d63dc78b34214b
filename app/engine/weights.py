"""A model's weights in memory: what lies there as in the file, and what llama.cpp copies into another layout.

The CPU build rearranges tensors of some formats for faster kernels ("repacking"). Without a memory map each
tensor is read into the one place where it is used; with one, the rearranged tensors are in memory twice.
The rules are those of ggml's ggml_repack_get_optimal_repack_type (repack.cpp), of its AMX buffer (amx.cpp),
and of llama.cpp's choice of a buffer for each tensor (llama-model-loader.cpp).
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from msgspec import Struct

from app.engine.cpu_features import CpuFamily, CpuFeatures
from app.models.gguf import TensorInfo, read_header
from app.models.info import ModelInfo

_TOKEN_TABLE = "token_embd.weight"
_OUTPUT = "output.weight"

# Quantised tables that rows are looked up in: they are not multiplied with, so they are never repacked.
_LOOKED_UP = frozenset(
    (_TOKEN_TABLE, "per_layer_token_embd.weight", "position_embd.weight", "token_types.weight")
)

# For each format, what the number of rows must be divisible by.
_X86: Mapping[str, int] = MappingProxyType({"Q4_0": 8, "Q4_K": 8, "IQ4_NL": 8, "MXFP4": 8})
_X86_AVX512: Mapping[str, int] = MappingProxyType({**_X86, "Q2_K": 8})
_ARM: Mapping[str, int] = MappingProxyType(
    {"Q4_0": 4, "Q4_K": 8, "Q5_K": 8, "Q6_K": 8, "Q8_0": 4, "IQ4_NL": 4, "MXFP4": 4}
)
_NOTHING: Mapping[str, int] = MappingProxyType({})

# For each format, what the length of a row must be divisible by; the number of rows always by 32.
_AMX: Mapping[str, int] = MappingProxyType(
    {"Q4_0": 32, "Q4_1": 32, "Q8_0": 32, "Q4_K": 256, "Q5_K": 256, "Q6_K": 256, "IQ4_XS": 256, "F16": 16}
)


class Weights(Struct, frozen=True):
    """The tables that a model's memory depends on, from all of its parts."""

    tensors: tuple[TensorInfo, ...]
    tokens: int
    merges: int  # rules by which a tokenizer joins tokens

    @property
    def ties_output(self) -> bool:
        """True where the table of tokens also makes the logits."""
        return all(tensor.name != _OUTPUT for tensor in self.tensors)


def read_weights(info: ModelInfo) -> Weights:
    """Reads the tables from the headers of a model's files. Raises ModelFileError if they have changed."""
    headers = [read_header(part) for part in info.parts]
    merges = headers[0].arrays.get("tokenizer.ggml.merges")
    return Weights(
        tensors=tuple(tensor for header in headers for tensor in header.tensors),
        tokens=info.vocabulary_size or 0,
        merges=0 if merges is None else merges.count,
    )


def loaded_bytes(info: ModelInfo, weights: Weights, *, memory_map: bool) -> int:
    """Bytes of the tensors as they lie in the files.

    A memory map holds the whole table; without one, the layers that chatting does not use (MTP) stay out.
    """
    tensors = weights.tensors if memory_map else tuple(_used(info, weights))
    return sum(tensor.byte_count for tensor in tensors)


def repacked_bytes(info: ModelInfo, weights: Weights, features: CpuFeatures) -> int:
    """Bytes of all tensors that are put into another layout, the table of tokens included where it is tied.

    A tied table is there twice, with a memory map or without: rows are looked up in the original.
    """
    return tied_copy_bytes(weights, features) + sum(
        tensor.byte_count
        for tensor in _used(info, weights)
        if tensor.name not in _LOOKED_UP and _is_repacked(tensor, features)
    )


def tied_copy_bytes(weights: Weights, features: CpuFeatures) -> int:
    """Bytes of the second copy of a tied table of tokens; 0 where it is not repacked."""
    tables = [tensor for tensor in weights.tensors if tensor.name == _TOKEN_TABLE]
    if not weights.ties_output:
        return 0
    return sum(tensor.byte_count for tensor in tables if _is_repacked(tensor, features))


def layer_of(name: str) -> int | None:
    """The number of the layer that a tensor belongs to; None for one outside the layers."""
    parts = name.split(".", 2)
    return int(parts[1]) if len(parts) == 3 and parts[0] == "blk" and parts[1].isdecimal() else None


def _used(info: ModelInfo, weights: Weights) -> Iterator[TensorInfo]:
    for tensor in weights.tensors:
        layer = layer_of(tensor.name)
        if layer is None or not info.layers or layer < len(info.layers):
            yield tensor


def _is_repacked(tensor: TensorInfo, features: CpuFeatures) -> bool:
    if len(tensor.shape) < 2 or not tensor.name.endswith(".weight"):
        return False
    length, rows = tensor.shape[:2]
    kind = tensor.type.name
    experts = len(tensor.shape) == 3 and "exps" in tensor.name
    flat = len(tensor.shape) == 2
    if features.amx and not experts and kind in _AMX and rows % 32 == 0 and length % _AMX[kind] == 0:
        return True
    multiple = _rules(features).get(kind)
    return (flat or experts) and multiple is not None and rows % multiple == 0


def _rules(features: CpuFeatures) -> Mapping[str, int]:
    if features.family is CpuFamily.X86 and features.avx2:
        return _X86_AVX512 if features.avx512 else _X86
    return _ARM if features.family is CpuFamily.ARM and features.dot_product else _NOTHING
