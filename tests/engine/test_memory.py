"""The memory estimate: its parts against llama.cpp's own figures, and what is said about the unknown."""

import ctypes
import re
from collections.abc import Callable
from pathlib import Path

import llama_cpp.llama_cpp as native
import numpy as np
import pytest
from msgspec.structs import replace

from app.core.estimate import MemoryEstimate, Missing, ModelMemory, Part, PartName
from app.core.options import CacheType, LoadOptions, Switch
from app.engine.compute_memory import compute_bytes, read_widths
from app.engine.cpu_features import CpuFamily, features_from_cpu_info
from app.engine.llama import Library
from app.engine.memory import CpuFeatures, detect_features, estimate, uses_memory_map
from app.engine.weights import Weights, read_weights, repacked_bytes, tied_copy_bytes
from app.models.gguf import TensorInfo
from app.models.info import ModelInfo, read_info
from app.models.tensor_types import TENSOR_TYPES
from tests.fakes.real_models import opened
from tests.fakes.tiny_gguf import (
    TinyModel,
    byte_vocabulary,
    llama_model,
    write_gemma_swa,
    write_lfm2,
    write_llama,
    write_mamba,
    write_model,
)

MIB = 2**20
OPTIONS = LoadOptions(context_length=2048, threads=1, mmap=Switch.OFF)

X86 = CpuFeatures(CpuFamily.X86, avx2=True)
OLD_X86 = CpuFeatures(CpuFamily.X86)
ARM = CpuFeatures(CpuFamily.ARM, dot_product=True)
AMX = CpuFeatures(CpuFamily.X86, avx2=True, avx512=True, amx=True)
UNKNOWN = CpuFeatures(CpuFamily.OTHER, certain=False)

F16, Q4_0, Q4_K_M = 1, 2, 15  # llama_ftype; ggml_type has the same numbers for the first two


def memory_of(
    info: ModelInfo, options: LoadOptions = OPTIONS, features: CpuFeatures = OLD_X86
) -> ModelMemory:
    return estimate(info, None, options, options, features).target


def known(memory: ModelMemory, name: PartName) -> int:
    found = memory.bytes_of(name)
    assert found is not None
    return found


def missing(memory: ModelMemory) -> dict[PartName, Missing]:
    return {part.name: part.missing for part in memory.parts if part.missing is not None}


def weights_of(name: str, kind: str, shape: tuple[int, ...]) -> Weights:
    """A tensor of 1,000 bytes, beside an output matrix in a format that is never repacked."""
    type_id = next(key for key, stored in TENSOR_TYPES.items() if stored.name == kind)
    output = TensorInfo("output.weight", (256, 64), 0, 0, 256 * 64 * 4)
    return Weights((TensorInfo(name, shape, type_id, 0, 1000), output), tokens=0, merges=0)


def reserved(library: Library, kind: str) -> float:
    """The sum of llama.cpp's last buffers of a kind, in MiB with two decimals."""
    found = [re.search(rf"{kind} buffer size = +([\d.]+) MiB", line) for line in library.recent_log()]
    sizes = [float(size[1]) for size in found if size]
    assert sizes, "llama.cpp logged the size"
    return sum(sizes)


@pytest.fixture
def small(tmp_path: Path) -> ModelInfo:
    """A plain transformer."""
    return read_info(write_llama(tmp_path / "small.gguf"))


Quantise = Callable[..., ModelInfo]


@pytest.fixture
def quantised(tmp_path: Path) -> Quantise:
    """Makes a model with rows of 256 numbers in a format of llama.cpp's, its output tied or not.

    `table` is another format for the table of tokens (and for what it is tied to).
    """

    def make(file_type: int, *, tied: bool, table: int | None = None, tokens: int = 304) -> ModelInfo:
        model = llama_model(width=256, layers=2, vocabulary=byte_vocabulary(tokens))
        if tied:
            del model.tensors["output.weight"]
        source = write_model(tmp_path / "f32.gguf", model)
        path = tmp_path / "quantised.gguf"
        options = native.llama_model_quantize_default_params()
        options.ftype = file_type
        options.pure = table is None  # all tensors alike
        if table is not None:
            options.token_embedding_type = options.output_tensor_type = table
        status = native.llama_model_quantize(str(source).encode(), str(path).encode(), ctypes.byref(options))
        assert status == 0
        return read_info(path)

    return make


class TestAgainstLlamaCpp:
    @pytest.mark.parametrize(
        "options",
        [
            OPTIONS,
            replace(OPTIONS, context_length=1900),
            replace(OPTIONS, batch_size=64, longest_draft=4),
            replace(OPTIONS, k_cache_type=CacheType.F32, v_cache_type=CacheType.BF16),
            replace(OPTIONS, k_cache_type=CacheType.Q8_0, v_cache_type=CacheType.Q4_0),
            replace(OPTIONS, flash_attention=Switch.OFF),
        ],
    )
    def test_transformer(self, options: LoadOptions, tmp_path: Path, library: Library) -> None:
        path = write_llama(tmp_path / "m.gguf", width=256, heads=8, heads_kv=8, layers=3)
        memory = memory_of(read_info(path), options)
        with opened(library, path, options):
            assert known(memory, PartName.KV_CACHE) / MIB == pytest.approx(reserved(library, "KV"), abs=0.01)
            assert known(memory, PartName.COMPUTE) / MIB == pytest.approx(
                reserved(library, "compute"), rel=0.15
            )

    @pytest.mark.parametrize("context", [512, 2048, 4096])
    def test_sliding_window(self, context: int, tmp_path: Path, library: Library) -> None:
        path = write_gemma_swa(tmp_path / "m.gguf", width=256, layers=2, pattern=2, window=200)
        options = replace(OPTIONS, context_length=context)
        with opened(library, path, options):
            kv_cache = known(memory_of(read_info(path), options), PartName.KV_CACHE)
            assert kv_cache / MIB == pytest.approx(reserved(library, "KV"), abs=0.02)

    @pytest.mark.parametrize("longest_draft", [0, 16])
    def test_hybrid_with_snapshots(self, longest_draft: int, tmp_path: Path, library: Library) -> None:
        path = write_lfm2(tmp_path / "m.gguf", width=512, heads=8, heads_kv=2, kinds="cac")
        options = replace(OPTIONS, longest_draft=longest_draft)
        memory = memory_of(read_info(path), options)
        with opened(library, path, options):
            assert known(memory, PartName.KV_CACHE) / MIB == pytest.approx(reserved(library, "KV"), abs=0.01)
            state = known(memory, PartName.RECURRENT_STATE)
            assert state / MIB == pytest.approx(reserved(library, "RS"), abs=0.01)
            assert state == 2 * 512 * 4 * 2 * (1 + longest_draft)

    def test_recurrent_model_without_snapshots(self, tmp_path: Path, library: Library) -> None:
        path = write_mamba(tmp_path / "m.gguf", width=256)
        memory = memory_of(read_info(path))
        assert known(memory, PartName.KV_CACHE) == 0
        with opened(library, path, OPTIONS):
            state = known(memory, PartName.RECURRENT_STATE)
            assert state / MIB == pytest.approx(reserved(library, "RS"), abs=0.01)
            assert known(memory, PartName.COMPUTE) / MIB == pytest.approx(
                reserved(library, "compute"), rel=0.15
            )

    @pytest.mark.parametrize("file_type", [Q4_0, Q4_K_M])
    @pytest.mark.parametrize("tied", [False, True])
    def test_repacked_weights(
        self, file_type: int, tied: bool, quantised: Quantise, library: Library
    ) -> None:
        info = quantised(file_type, tied=tied)
        repacked = repacked_bytes(info, read_weights(info), detect_features())
        with opened(library, info.path, OPTIONS):
            assert repacked / MIB == pytest.approx(reserved(library, "CPU_REPACK model"), abs=0.01)


class TestKvCache:
    def test_only_attention_layers_count(self, tmp_path: Path) -> None:
        sizes = [
            known(
                memory_of(read_info(write_lfm2(tmp_path / f"{kinds}.gguf", kinds=kinds))), PartName.KV_CACHE
            )
            for kinds in ("ca", "ccca", "caa")
        ]
        assert sizes[0] == sizes[1]
        assert sizes[2] == 2 * sizes[0]

    def test_a_sliding_window_bounds_what_a_longer_context_adds(self, tmp_path: Path) -> None:
        info = read_info(write_gemma_swa(tmp_path / "m.gguf", layers=2, pattern=2, window=32))
        short, long = (
            known(memory_of(info, replace(OPTIONS, context_length=length)), PartName.KV_CACHE)
            for length in (2048, 8192)
        )
        row = 2 * 2 * 16 * 2  # keys and values of two heads of 16 numbers as F16
        assert long - short == row * (8192 - 2048)

    def test_compressed_keys_have_no_values(self, small: ModelInfo) -> None:
        latent = replace(small, latent_attention=True)
        whole, half = (known(memory_of(info), PartName.KV_CACHE) for info in (small, latent))
        assert whole == 2 * half

    def test_layers_that_share_a_cache_add_none(self, small: ModelInfo) -> None:
        first, second = small.layers
        shared = replace(small, layers=(first, replace(second, shares_cache=True)))
        whole, half = (known(memory_of(info), PartName.KV_CACHE) for info in (small, shared))
        assert whole == 2 * half

    def test_without_flash_attention_all_values_are_as_wide_as_the_widest(self, small: ModelInfo) -> None:
        first, second = small.layers
        uneven = replace(small, layers=(replace(first, heads_kv=1), second))
        numbers = [
            known(memory_of(uneven, replace(OPTIONS, flash_attention=switch)), PartName.KV_CACHE) // 2048 // 2
            for switch in (Switch.ON, Switch.OFF)
        ]
        assert numbers == [(1 + 1 + 2 + 2) * 16, (1 + 2 + 2 + 2) * 16]

    def test_grows_with_the_context(self, small: ModelInfo) -> None:
        lengths = (8, 256, 257, 2000, 100_000)
        sizes = [
            known(memory_of(small, replace(OPTIONS, context_length=length)), PartName.KV_CACHE)
            for length in lengths
        ]
        assert sizes[0] == sizes[1] < sizes[2] < sizes[3] < sizes[4]


class TestComputeBuffer:
    def test_a_pass_is_no_longer_than_the_context(self, small: ModelInfo) -> None:
        short = replace(OPTIONS, context_length=64)
        sizes = [
            known(memory_of(small, replace(short, batch_size=size)), PartName.COMPUTE) for size in (64, 512)
        ]
        assert sizes[0] == sizes[1]

    def test_a_pass_has_room_for_the_longest_draft(self, small: ModelInfo) -> None:
        one, many = (
            known(memory_of(small, replace(OPTIONS, batch_size=1, longest_draft=draft)), PartName.COMPUTE)
            for draft in (0, 63)
        )
        assert many == 64 * one

    def test_biases_are_no_projections(self, small: ModelInfo) -> None:
        weights = read_weights(small)
        bias = TensorInfo("blk.0.ffn_up.bias", (128, 9999), 0, 0, 128 * 9999 * 4)
        with_bias = replace(weights, tensors=(*weights.tensors, bias))
        sizes = [
            compute_bytes(small, read_widths(small, tables), OPTIONS, 1) for tables in (weights, with_bias)
        ]
        assert sizes[0] == sizes[1]


class TestRepacking:
    """By the rules of ggml's repack.cpp and amx.cpp."""

    @pytest.mark.parametrize(
        ("kind", "shape", "features", "repacked"),
        [
            ("Q4_K", (256, 64), X86, True),
            ("Q4_K", (256, 60), X86, False),
            ("Q4_K", (256, 64), OLD_X86, False),
            ("Q6_K", (256, 64), X86, False),
            ("Q6_K", (256, 64), ARM, True),
            ("Q8_0", (256, 60), ARM, True),
            ("Q4_0", (256, 60), X86, False),
            ("Q4_0", (256, 60), ARM, True),
            ("Q2_K", (256, 64), X86, False),
            ("Q2_K", (256, 64), replace(X86, avx512=True), True),
            ("F16", (256, 64), X86, False),
            ("F16", (256, 64), AMX, True),
            ("Q4_1", (256, 64), AMX, True),
            ("Q4_1", (256, 48), AMX, False),
            ("Q4_0", (256, 64, 2), X86, False),
            ("Q4_K", (256, 64), UNKNOWN, False),
        ],
    )
    def test_by_format_shape_and_processor(
        self, kind: str, shape: tuple[int, ...], features: CpuFeatures, repacked: bool, small: ModelInfo
    ) -> None:
        weights = weights_of("blk.0.attn_q.weight", kind, shape)
        assert repacked_bytes(small, weights, features) == (1000 if repacked else 0)

    @pytest.mark.parametrize(
        ("name", "shape", "repacked"),
        [
            ("token_embd.weight", (256, 64), False),
            ("per_layer_token_embd.weight", (256, 64), False),
            ("blk.1.ffn_up_exps.weight", (256, 64, 8), True),
            ("blk.2.ffn_up.weight", (256, 64), False),  # beyond the layers that are used: it predicts further
        ],
    )
    def test_by_use(self, name: str, shape: tuple[int, ...], repacked: bool, small: ModelInfo) -> None:
        assert repacked_bytes(small, weights_of(name, "Q4_0", shape), X86) == (1000 if repacked else 0)

    def test_a_tied_table_is_there_twice(self, small: ModelInfo) -> None:
        untied = weights_of("token_embd.weight", "Q4_0", (256, 64))
        tied = replace(untied, tensors=untied.tensors[:1])
        assert tied_copy_bytes(tied, X86) == repacked_bytes(small, tied, X86) == 1000
        assert tied_copy_bytes(untied, X86) == 0


class TestMemoryMap:
    def test_repacking_costs_a_second_copy_only_with_a_map(self, quantised: Quantise) -> None:
        info = quantised(Q4_0, tied=False)
        copies = [
            known(memory_of(info, replace(OPTIONS, mmap=mmap), X86), PartName.REPACKED_WEIGHTS)
            for mmap in (Switch.ON, Switch.OFF)
        ]
        assert copies[0] > 0.8 * info.weight_bytes
        assert copies[1] == 0

    def test_left_to_the_program_it_is_used_where_nothing_is_there_twice(self, quantised: Quantise) -> None:
        options = replace(OPTIONS, mmap=Switch.AUTOMATIC)
        info = quantised(Q4_0, tied=False)
        assert not uses_memory_map(info, options, X86)
        assert uses_memory_map(info, options, OLD_X86)
        assert known(memory_of(info, options, X86), PartName.REPACKED_WEIGHTS) == 0

    def test_a_tied_table_is_there_twice_either_way_and_so_no_reason_against_one(
        self, quantised: Quantise
    ) -> None:
        info = quantised(F16, tied=True, table=Q4_0, tokens=8000)
        table = 8000 * 256 // 32 * 18
        assert table > 0.2 * info.weight_bytes
        for mmap in (Switch.ON, Switch.OFF):
            memory = memory_of(info, replace(OPTIONS, mmap=mmap), X86)
            assert known(memory, PartName.REPACKED_WEIGHTS) == table
        assert uses_memory_map(info, replace(OPTIONS, mmap=Switch.AUTOMATIC), X86)

    @pytest.mark.parametrize("features", [X86, OLD_X86])
    def test_a_choice_is_followed(self, features: CpuFeatures, quantised: Quantise) -> None:
        info = quantised(Q4_0, tied=False)
        assert uses_memory_map(info, replace(OPTIONS, mmap=Switch.ON), features)
        assert not uses_memory_map(info, replace(OPTIONS, mmap=Switch.OFF), features)

    def test_layers_for_further_tokens_are_read_only_by_a_map(self, tmp_path: Path) -> None:
        info = read_info(write_llama(tmp_path / "m.gguf", layers=3, changes={".nextn_predict_layers": 1}))
        mapped, read = (
            known(memory_of(info, replace(OPTIONS, mmap=mmap)), PartName.WEIGHTS)
            for mmap in (Switch.ON, Switch.OFF)
        )
        assert mapped == info.weight_bytes
        assert 0 < read < mapped


class TestPair:
    def test_a_draft_is_counted_with_one_row_of_logits(self, small: ModelInfo) -> None:
        options = replace(OPTIONS, longest_draft=16)
        both = estimate(small, small, options, options, OLD_X86)
        assert both.draft is not None
        assert known(both.target, PartName.OUTPUTS) == 17 * 300 * 4
        assert known(both.draft, PartName.OUTPUTS) == 300 * 4
        assert both.known_bytes == both.target.known_bytes + both.draft.known_bytes

    @pytest.mark.parametrize(("target_context", "drafts"), [(256, 256), (2048, 512)])
    def test_a_draft_s_context_is_no_longer_than_the_target_s_or_its_own(
        self, target_context: int, drafts: int, tmp_path: Path
    ) -> None:
        info = read_info(write_llama(tmp_path / "m.gguf", context_length=512))
        options = replace(OPTIONS, context_length=target_context)
        both = estimate(info, info, options, replace(OPTIONS, context_length=0), OLD_X86)
        assert both.draft is not None
        expected = known(memory_of(info, replace(OPTIONS, context_length=drafts)), PartName.KV_CACHE)
        assert known(both.draft, PartName.KV_CACHE) == expected

    def test_no_context_length_is_the_model_s_own(self, tmp_path: Path) -> None:
        info = read_info(write_llama(tmp_path / "m.gguf", context_length=512))
        own, same = (
            known(memory_of(info, replace(OPTIONS, context_length=length)), PartName.KV_CACHE)
            for length in (0, 512)
        )
        assert own == same

    def test_every_part_is_named_once(self, small: ModelInfo) -> None:
        memory = memory_of(small)
        assert [part.name for part in memory.parts] == list(PartName)
        assert memory.is_complete


class TestUnknown:
    def header_only(self, path: Path, changes: dict[str, int]) -> ModelInfo:
        """An architecture that nobody has heard of, with so much in its header."""
        tensors = {"token_embd.weight": np.zeros((4, 32), np.float32)}
        return read_info(write_model(path, TinyModel("brand-new", dict(changes), tensors)))

    def test_heads(self, tmp_path: Path) -> None:
        changes = {".block_count": 2, ".embedding_length": 32, ".vocab_size": 4}
        memory = memory_of(self.header_only(tmp_path / "m.gguf", changes))
        assert missing(memory) == {PartName.KV_CACHE: Missing.HEADS, PartName.COMPUTE: Missing.HEADS}
        assert known(memory, PartName.WEIGHTS) == 4 * 32 * 4

    def test_everything(self, tmp_path: Path) -> None:
        memory = memory_of(self.header_only(tmp_path / "m.gguf", {}))
        assert missing(memory) == {
            PartName.KV_CACHE: Missing.LAYERS,
            PartName.COMPUTE: Missing.LAYERS,
            PartName.OUTPUTS: Missing.VOCABULARY,
        }

    def test_the_length_of_the_context(self, small: ModelInfo) -> None:
        memory = memory_of(replace(small, context_length=None), replace(OPTIONS, context_length=0))
        assert missing(memory) == {
            PartName.KV_CACHE: Missing.CONTEXT_LENGTH,
            PartName.COMPUTE: Missing.CONTEXT_LENGTH,
        }

    def test_the_size_of_a_state(self, tmp_path: Path) -> None:
        path = write_mamba(tmp_path / "m.gguf", changes={".ssm.inner_size": None})
        assert missing(memory_of(read_info(path)))[PartName.RECURRENT_STATE] is Missing.RECURRENT_STATE

    def test_caches_of_further_kinds(self, small: ModelInfo) -> None:
        info = replace(small, architecture="glm-dsa")
        assert missing(memory_of(info)) == {PartName.KV_CACHE: Missing.KNOWN_ARCHITECTURE}

    def test_is_no_refusal(self) -> None:
        part = Part(PartName.KV_CACHE, None, Missing.HEADS)
        found = MemoryEstimate(ModelMemory((Part(PartName.WEIGHTS, 100), part)), None, certain=True)
        assert found.fits(100) is None
        assert found.fits(99) is False
        assert found.known_bytes == 100

    def test_what_is_known_fits_or_does_not(self) -> None:
        one = ModelMemory((Part(PartName.WEIGHTS, 100),))
        assert MemoryEstimate(one, None, certain=True).fits(100) is True
        assert MemoryEstimate(one, one, certain=True).fits(199) is False
        assert MemoryEstimate(one, one, certain=True).fits(200) is True


class TestProcessor:
    @pytest.mark.parametrize(
        ("text", "family", "expected"),
        [
            ("processor : 0\nflags\t\t: fpu sse2 avx avx2\n", CpuFamily.X86, X86),
            ("flags : fpu sse2 avx\n", CpuFamily.X86, OLD_X86),
            ("flags : avx2 avx512f avx512_vnni amx_int8\n", CpuFamily.X86, AMX),
            ("Features\t: fp asimd asimddp\n", CpuFamily.ARM, ARM),
            ("Features\t: fp asimd\n", CpuFamily.ARM, CpuFeatures(CpuFamily.ARM)),
            ("nothing of use\n", CpuFamily.X86, replace(X86, certain=False)),
            ("", CpuFamily.ARM, replace(ARM, certain=False)),
        ],
    )
    def test_from_linux(self, text: str, family: CpuFamily, expected: CpuFeatures) -> None:
        assert features_from_cpu_info(text, family) == expected

    def test_an_assumption_is_carried_into_the_estimate(self, small: ModelInfo) -> None:
        assert estimate(small, None, OPTIONS, OPTIONS, X86).certain
        assert not estimate(small, None, OPTIONS, OPTIONS, replace(X86, certain=False)).certain
