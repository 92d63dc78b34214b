"""What is said about a model file, and which files are refused as chat models."""

from collections.abc import Callable, Mapping
from pathlib import Path

import llama_cpp.llama_cpp as native
import numpy as np
import pytest

from app.core.errors import FileProblem, ModelFileError
from app.engine.llama import Library
from app.models.info import ModelInfo, RecurrentState, read_info
from app.models.layers import Layer
from tests.fakes import tiny_gguf
from tests.fakes.tiny_gguf import TinyModel, Value, llama_model, write_model

CHAT_WRITERS: dict[str, Callable[[Path], Path]] = {
    "llama": tiny_gguf.write_llama,
    "lfm2": tiny_gguf.write_lfm2,
    "mamba": tiny_gguf.write_mamba,
    "gemma": tiny_gguf.write_gemma_swa,
}


def refusal(path: Path) -> ModelFileError:
    with pytest.raises(ModelFileError) as caught:
        read_info(path)
    assert path.name in str(caught.value)
    return caught.value


def header_of(
    path: Path, architecture: str, values: Mapping[str, Value], tensor: str = "token_embd.weight"
) -> Path:
    """A file of any architecture, with one tensor."""
    return write_model(path, TinyModel(architecture, dict(values), {tensor: np.zeros((4, 32), np.float32)}))


def read_header_of(path: Path, architecture: str, values: Mapping[str, Value]) -> ModelInfo:
    return read_info(header_of(path, architecture, values))


class TestFacts:
    def test_of_a_transformer(self, tmp_path: Path) -> None:
        path = tiny_gguf.write_llama(tmp_path / "m.gguf", chat_template=tiny_gguf.CHATML)
        info = read_info(path)
        assert (info.path, info.parts, info.total_bytes) == (path, (path,), path.stat().st_size)
        assert (info.architecture, info.name, info.quantisation) == ("llama", "Tiny", "F32")
        assert (info.context_length, info.embedding_width, info.vocabulary_size) == (512, 64, 300)
        assert (
            info.layers == (Layer(heads=4, heads_kv=2, attention=True, sliding=False, recurrent=False),) * 2
        )
        assert (info.key_size, info.value_size, info.sliding_window) == (16, 16, 0)
        assert (info.experts, info.experts_used, info.latent_attention) == (0, 0, False)
        assert not info.is_recurrent
        assert not info.is_hybrid
        assert info.recurrent_elements == 0
        assert info.chat_template == tiny_gguf.CHATML
        assert info.has_chat_template

    def test_of_a_base_model(self, tmp_path: Path) -> None:
        assert not read_info(tiny_gguf.write_llama(tmp_path / "m.gguf")).has_chat_template

    def test_of_a_hybrid(self, tmp_path: Path) -> None:
        info = read_info(tiny_gguf.write_lfm2(tmp_path / "m.gguf", kinds="cac"))
        assert [layer.recurrent for layer in info.layers] == [True, False, True]
        assert [layer.attention for layer in info.layers] == [False, True, False]
        assert info.is_hybrid
        assert info.rolls_back
        assert info.recurrent_elements == 64 * 2

    def test_of_a_recurrent_model(self, tmp_path: Path) -> None:
        info = read_info(tiny_gguf.write_mamba(tmp_path / "m.gguf"))
        assert (
            info.layers == (Layer(heads=0, heads_kv=0, attention=False, sliding=False, recurrent=True),) * 2
        )
        assert info.is_recurrent
        assert not info.rolls_back
        assert info.key_size is None
        assert info.recurrent_state is not None
        assert (info.recurrent_state.conv_kernel, info.recurrent_state.state_size) == (4, 8)
        assert info.recurrent_elements == 3 * 128 + 8 * 128

    def test_of_a_sliding_window(self, tmp_path: Path) -> None:
        info = read_info(tiny_gguf.write_gemma_swa(tmp_path / "m.gguf", layers=5, window=24, pattern=3))
        assert info.sliding_window == 24
        assert [layer.sliding for layer in info.layers] == [True, True, False, True, True]
        assert (info.sliding_key_size, info.sliding_value_size) == (16, 16)

    @pytest.mark.parametrize("kind", CHAT_WRITERS)
    def test_figures_are_those_of_llama_cpp(self, kind: str, tmp_path: Path, library: Library) -> None:
        path = CHAT_WRITERS[kind](tmp_path / "m.gguf")
        info = read_info(path)
        model = native.llama_model_load_from_file(str(path).encode(), native.llama_model_default_params())
        assert model
        try:
            assert info.parameters == native.llama_model_n_params(model)
            assert info.weight_bytes == native.llama_model_size(model)
            assert info.context_length == native.llama_model_n_ctx_train(model)
            assert info.embedding_width == native.llama_model_n_embd(model)
            assert len(info.layers) == native.llama_model_n_layer(model)
            assert info.sliding_window == native.llama_model_n_swa(model)
            assert info.is_recurrent == native.llama_model_is_recurrent(model)
            assert info.is_hybrid == native.llama_model_is_hybrid(model)
        finally:
            native.llama_model_free(model)

    def test_a_format_that_is_not_stated_is_the_one_with_most_bytes(self, tmp_path: Path) -> None:
        tensors = {"a": np.zeros((9, 32), np.float32), "b": np.zeros((20, 32), np.float16)}
        model = TinyModel("llama", {}, tensors)  # type: ignore[arg-type]
        assert read_info(write_model(tmp_path / "m.gguf", model)).quantisation == "F16"

    @pytest.mark.parametrize(("stated", "label"), [(15, "Q4_K_M"), (7, "Q8_0"), (38, "MXFP4"), (9999, "F32")])
    def test_the_stated_format(self, stated: int, label: str, tmp_path: Path) -> None:
        path = tiny_gguf.write_llama(tmp_path / "m.gguf", changes={"general.file_type": stated})
        assert read_info(path).quantisation == label

    def test_what_a_header_does_not_say_is_unknown_and_no_refusal(self, tmp_path: Path) -> None:
        info = read_header_of(tmp_path / "m.gguf", "brand-new", {".block_count": 2})
        assert info.layers == (Layer(None, None, attention=True, sliding=False, recurrent=False),) * 2
        assert info.context_length is None
        assert info.embedding_width is None
        assert info.key_size is None
        assert info.vocabulary_size is None
        assert read_header_of(tmp_path / "n.gguf", "brand-new", {}).layers == ()

    def test_values_of_the_wrong_kind_are_unknown(self, tmp_path: Path) -> None:
        values: dict[str, Value] = {
            ".context_length": "long",
            ".block_count": 2,
            ".attention.head_count": "many",
            ".attention.head_count_kv": ["a", "b"],
            "general.name": 3,
        }
        info = read_header_of(tmp_path / "m.gguf", "llama", values)
        assert info.context_length is None
        assert info.name is None
        assert info.layers[0].heads_kv is None


class TestLayersOfOtherArchitectures:
    """By the rules in llama.cpp's model files; nothing is loaded."""

    def sliding(self, path: Path, architecture: str, values: Mapping[str, Value]) -> tuple[int, str]:
        info = read_header_of(path, architecture, {".block_count": 8, ".embedding_length": 64, **values})
        return info.sliding_window, "".join("s" if layer.sliding else "-" for layer in info.layers)

    @pytest.mark.parametrize(
        ("architecture", "values", "window", "layers"),
        [
            ("gemma2", {}, 4096, "s-s-s-s-"),
            ("gemma3", {".attention.sliding_window": 512}, 512, "sssss-ss"),
            ("gemma3", {}, 0, "--------"),
            ("gpt-oss", {".attention.sliding_window": 128}, 128, "s-s-s-s-"),
            ("llama4", {}, 8192, "sss-sss-"),
            ("llama4", {".attention.sliding_window": 0}, 0, "--------"),
            ("smallthinker", {".attention.sliding_window": 64}, 4096, "-sss-sss"),
            ("smallthinker", {}, 0, "--------"),
            ("exaone4", {".attention.sliding_window": 4096}, 0, "--------"),
            ("exaone4", {".block_count": 64}, 4096, "sss-" * 16),
            ("phi3", {".attention.sliding_window": 2048}, 0, "--------"),
            ("qwen2", {".attention.sliding_window": 32768}, 0, "--------"),
            (
                "gemma4",
                {
                    ".attention.sliding_window": 512,
                    ".attention.sliding_window_pattern": [1, 1, 0, 1, 1, 0, 1, 0],
                },
                512,
                "ss-ss-s-",
            ),
        ],
    )
    def test_sliding_windows(
        self, architecture: str, values: dict[str, Value], window: int, layers: str, tmp_path: Path
    ) -> None:
        assert self.sliding(tmp_path / "m.gguf", architecture, values) == (window, layers)

    def recurrent(self, path: Path, architecture: str, values: Mapping[str, Value]) -> str:
        heads: dict[str, Value] = {".block_count": 4, ".attention.head_count": 4, ".embedding_length": 64}
        info = read_header_of(path, architecture, {**heads, **values})
        kinds = {(False, True): "a", (True, False): "r", (True, True): "b", (False, False): "-"}
        return "".join(kinds[layer.recurrent, layer.attention] for layer in info.layers)

    @pytest.mark.parametrize(
        ("architecture", "values", "layers"),
        [
            ("llama", {}, "aaaa"),
            ("rwkv7", {".attention.head_count": 0}, "rrrr"),
            ("falcon-h1", {".attention.head_count_kv": 2}, "bbbb"),
            ("jamba", {".attention.head_count_kv": [0, 2, 0, 2]}, "rara"),
            (
                "nemotron_h",
                {".attention.head_count_kv": [0, 0, 2, 0], ".feed_forward_length": [0, 64, 0, 64]},
                "r-a-",
            ),
            ("qwen3next", {}, "rrra"),
            ("qwen35", {".full_attention_interval": 2}, "rara"),
            ("minimax-01", {".attention.recurrent_layers": [1, 0, 0, 1]}, "raar"),
        ],
    )
    def test_recurrent_layers(
        self, architecture: str, values: dict[str, Value], layers: str, tmp_path: Path
    ) -> None:
        assert self.recurrent(tmp_path / "m.gguf", architecture, values) == layers

    def test_layers_that_only_predict_further_tokens_are_left_out(self, tmp_path: Path) -> None:
        values: dict[str, Value] = {".block_count": 5, ".nextn_predict_layers": 1}
        assert len(read_header_of(tmp_path / "m.gguf", "glm4moe", values).layers) == 4

    def test_layers_that_share_a_cache(self, tmp_path: Path) -> None:
        values: dict[str, Value] = {".block_count": 6, ".attention.shared_kv_layers": 2}
        info = read_header_of(tmp_path / "m.gguf", "gemma4", values)
        assert [layer.shares_cache for layer in info.layers] == [False] * 4 + [True] * 2

    @pytest.mark.parametrize(
        ("values", "elements"),
        [
            ({"head_size": 16}, 2 * 64 + 64 * 16),
            ({"head_size": 16, "token_shifts": 1}, 64 + 64 * 16),
            ({"short_conv_length": 3}, 128),
            ({"conv_kernel": 4, "inner_size": 128, "state_size": 16, "group_count": 2}, 3 * 192 + 2048),
            ({"conv_kernel": 4, "delta_head_size": 16}, 3 * 3 * 64 + 16 * 16 * 4),
            ({"lightning_head_size": 16}, 16 * 16 * 4),
            ({}, None),
        ],
    )
    def test_size_of_a_recurrent_state(self, values: dict[str, int], elements: int | None) -> None:
        nothing = dict.fromkeys(RecurrentState.__struct_fields__)
        assert RecurrentState(**{**nothing, **values}).elements(width=64, heads=4) == elements


class TestSplitSets:
    def test_a_set_is_one_model(self, tmp_path: Path) -> None:
        whole = read_info(write_model(tmp_path / "whole.gguf", llama_model()))
        parts = tiny_gguf.write_split(tmp_path, "split", llama_model())
        for part in parts:
            info = read_info(part)
            assert (info.path, info.parts) == (parts[0], parts)
            assert info.total_bytes == sum(each.stat().st_size for each in parts)
            assert (info.parameters, info.weight_bytes) == (whole.parameters, whole.weight_bytes)
            assert info.layers == whole.layers

    def test_a_missing_part(self, tmp_path: Path) -> None:
        parts = tiny_gguf.write_split(tmp_path, "split", llama_model())
        parts[1].unlink()
        error = refusal(parts[1])
        assert error.problem is FileProblem.INCOMPLETE_SET

    def test_a_part_that_is_cut_off(self, tmp_path: Path) -> None:
        parts = tiny_gguf.write_split(tmp_path, "split", llama_model())
        tiny_gguf.truncate_file(parts[2], -1)
        with pytest.raises(ModelFileError, match=parts[2].name) as caught:
            read_info(parts[0])
        assert caught.value.problem is FileProblem.TRUNCATED

    def test_a_renamed_part(self, tmp_path: Path) -> None:
        first = tiny_gguf.write_split(tmp_path, "split", llama_model())[0]
        error = refusal(first.rename(tmp_path / "renamed.gguf"))
        assert error.problem is FileProblem.INCOMPLETE_SET
        assert "part 1 of 3" in str(error)

    def test_parts_that_were_exchanged(self, tmp_path: Path) -> None:
        first, second, third = tiny_gguf.write_split(tmp_path, "split", llama_model())
        second.rename(tmp_path / "aside")
        third.rename(second)
        (tmp_path / "aside").rename(third)
        with pytest.raises(ModelFileError, match="part 3") as caught:
            read_info(first)
        assert caught.value.problem is FileProblem.INCOMPLETE_SET

    def test_pieces_are_to_be_joined(self, tmp_path: Path) -> None:
        assert refusal(tmp_path / "model.gguf.part1of2").problem is FileProblem.INCOMPLETE_SET


class TestOtherKindsOfFiles:
    def test_vocabulary_only(self, tmp_path: Path) -> None:
        error = refusal(tiny_gguf.write_vocabulary_only(tmp_path / "m.gguf"))
        assert error.problem is FileProblem.NO_WEIGHTS

    @pytest.mark.parametrize(
        "architecture",
        [
            "bert",
            "nomic-bert",
            "nomic-bert-moe",
            "jina-bert-v2",
            "modern-bert",
            "gemma-embedding",
            "t5encoder",
        ],
    )
    def test_embedding_architectures(self, architecture: str, tmp_path: Path) -> None:
        error = refusal(tiny_gguf.write_embedding_model(tmp_path / "m.gguf", architecture))
        assert error.problem is FileProblem.EMBEDDING

    @pytest.mark.parametrize("values", [{".pooling_type": 3}, {".attention.causal": False}])
    def test_embedding_models_of_ordinary_architectures(
        self, values: dict[str, Value], tmp_path: Path
    ) -> None:
        error = refusal(header_of(tmp_path / "m.gguf", "qwen3", values))
        assert error.problem is FileProblem.EMBEDDING

    def test_a_reranker(self, tmp_path: Path) -> None:
        error = refusal(header_of(tmp_path / "m.gguf", "qwen3", {}, tensor="cls.output.weight"))
        assert error.problem is FileProblem.EMBEDDING

    def test_pooling_of_nothing_is_a_chat_model(self, tmp_path: Path) -> None:
        values: dict[str, Value] = {".pooling_type": 0, ".attention.causal": True}
        assert read_header_of(tmp_path / "m.gguf", "qwen3", values).architecture == "qwen3"

    def test_projector(self, tmp_path: Path) -> None:
        assert refusal(tiny_gguf.write_projector(tmp_path / "m.gguf")).problem is FileProblem.PROJECTOR
        by_architecture = header_of(tmp_path / "n.gguf", "clip", {})
        assert refusal(by_architecture).problem is FileProblem.PROJECTOR

    @pytest.mark.parametrize(
        "architecture", ["t5", "dream", "llada", "wavtokenizer-dec", "eagle3", "gemma4-assistant"]
    )
    def test_models_that_do_not_continue_text(self, architecture: str, tmp_path: Path) -> None:
        error = refusal(header_of(tmp_path / "m.gguf", architecture, {}))
        assert error.problem is FileProblem.UNSUPPORTED

    @pytest.mark.parametrize("kind", ["adapter", "imatrix"])
    def test_files_that_are_no_models(self, kind: str, tmp_path: Path) -> None:
        error = refusal(header_of(tmp_path / "m.gguf", "llama", {"general.type": kind}))
        assert error.problem is FileProblem.UNSUPPORTED

    def test_no_architecture(self, tmp_path: Path) -> None:
        path = tmp_path / "m.gguf"
        path.write_bytes(b"GGUF" + (3).to_bytes(4, "little") + bytes(16))
        assert refusal(path).problem is FileProblem.UNKNOWN_ARCHITECTURE


class TestHyperparametersThatCrashLlamaCpp:
    """llama.cpp ends its process over most of these, by an assertion; the others make no sense to it."""

    @pytest.mark.parametrize(
        "changes",
        [
            {".block_count": 0},
            {".block_count": 513},
            {".block_count": 2**32 - 1},
            {".nextn_predict_layers": 3},
            {".expert_count": 8},
            {".expert_count": 2000, ".expert_used_count": 2},
            {".expert_used_count": 1},
            {".expert_count": 8, ".expert_used_count": 9},
            {".expert_count": 8, ".expert_used_count": [2, 9]},
            {".expert_count": 8, ".expert_used_count": 2, ".expert_group_count": 8},
            {".expert_count": 8, ".expert_used_count": 2, ".expert_group_count": 3},
            {".expert_count": 8, ".expert_used_count": 2, ".expert_group_count": 4},
            {
                ".expert_count": 8,
                ".expert_used_count": 2,
                ".expert_group_count": 4,
                ".expert_group_used_count": 4,
            },
            {".attention.layer_norm_rms_epsilon": -1.0},
            {".attention.layer_norm_rms_epsilon": float("nan")},
            {".rope.scaling.type": "nonsense"},
            {".attention.head_count_kv": 3},
            {".attention.head_count_kv": [2, 3]},
            {".embedding_length": 0},
        ],
    )
    def test_of_a_transformer(self, changes: dict[str, Value | None], tmp_path: Path) -> None:
        error = refusal(tiny_gguf.write_llama(tmp_path / "m.gguf", changes=changes))
        assert error.problem is FileProblem.DAMAGED

    @pytest.mark.parametrize(
        "changes",
        [
            {".rope.dimension_count": 0},
            {".rope.dimension_count": 15},
            {".rope.dimension_count": 18},
            {".attention.sliding_window": 2**31 - 1},
            {".attention.sliding_window_pattern": 1},
            {".attention.sliding_window_pattern": [0, 0]},
        ],
    )
    def test_of_a_sliding_window(self, changes: dict[str, Value | None], tmp_path: Path) -> None:
        error = refusal(tiny_gguf.write_gemma_swa(tmp_path / "m.gguf", changes=changes))
        assert error.problem is FileProblem.DAMAGED

    def test_of_heads_of_odd_size(self, tmp_path: Path) -> None:
        error = refusal(tiny_gguf.write_gemma_swa(tmp_path / "m.gguf", width=20))
        assert error.problem is FileProblem.DAMAGED

    @pytest.mark.parametrize("kinds", ["ccc", "aaa"])
    def test_of_a_hybrid(self, kinds: str, tmp_path: Path) -> None:
        error = refusal(tiny_gguf.write_lfm2(tmp_path / "m.gguf", kinds=kinds))
        assert error.problem is FileProblem.DAMAGED

    def test_lists_that_do_not_fit_the_layers(self, tmp_path: Path) -> None:
        for count in (1, 3, 600):
            changes: dict[str, Value | None] = {".attention.head_count": [4] * count}
            error = refusal(tiny_gguf.write_llama(tmp_path / "m.gguf", changes=changes))
            assert error.problem is FileProblem.DAMAGED

    def test_a_mixture_of_experts_is_sound(self, tmp_path: Path) -> None:
        values: dict[str, Value] = {".expert_count": 8, ".expert_used_count": 2, ".expert_group_count": 0}
        info = read_header_of(tmp_path / "m.gguf", "qwen3moe", values)
        assert (info.experts, info.experts_used) == (8, 2)

    def test_one_expert_of_hunyuan_is_none(self, tmp_path: Path) -> None:
        read_header_of(tmp_path / "m.gguf", "hunyuan-dense", {".expert_count": 1})
