"""What models are called, and by whom they were published."""

from pathlib import Path, PurePath

import pytest
from msgspec.structs import replace

from app.models.info import ModelInfo
from app.models.model_names import core_name, file_title, hub_root, name_of, printable, publisher_of
from tests.fakes.local_models import local_model

PLAIN = replace(local_model().info, name=None, organisation=None)


def called(file: str, **facts: str | None) -> str:
    info: ModelInfo = replace(PLAIN, path=Path("/models", file), **facts)
    return name_of(info, PurePath(file))


class TestNames:
    @pytest.mark.parametrize(
        ("file", "name"),
        [
            ("SmolLM2-135M-Instruct.Q4_1.gguf", "SmolLM2 135M Instruct"),
            ("Llama-3.1-8B-Instruct-Q4_K_M-00001-of-00003.gguf", "Llama 3.1 8B Instruct"),
            ("Qwen3-8B-UD-IQ2_XXS.gguf", "Qwen3 8B"),
            ("phi-4-mini-instruct-f16.gguf", "phi 4 mini instruct"),
            ("gpt-oss-20b-MXFP4.gguf", "gpt oss 20b"),
            ("Some_Model.i1-Q4_K_S.gguf", "Some Model"),
            ("モデル　é 模型.gguf", "モデル é 模型"),
            ("Q4_K_M.gguf", "Q4 K M"),
            (".gguf.gguf", ".gguf"),
        ],
    )
    def test_come_from_the_file_without_its_number_format(self, file: str, name: str) -> None:
        assert called(file) == name

    def test_the_header_lends_its_capitals(self) -> None:
        name = called(
            "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
            name="Qwen2.5 Coder 1.5B Instruct AWQ",
            size_label="1.5B",
        )
        assert name == "Qwen2.5 Coder 1.5B Instruct"

    def test_but_not_its_words(self) -> None:
        assert called("mine.gguf", name="LLaMA v2", basename="hub") == "mine"

    def test_a_file_that_says_nothing_is_called_by_its_folder(self) -> None:
        assert called("me/Tiny-7B-GGUF/ggml-model-Q4_0.gguf") == "Tiny 7B"
        assert called("models--me--Tiny-7B-GGUF/snapshots/0/model.gguf") == "Tiny 7B"

    def test_else_by_its_header(self) -> None:
        assert called("model.gguf", name="Tiny 7B") == "Tiny 7B"
        assert called("model.gguf") == "model"

    def test_what_no_screen_can_show_is_replaced(self) -> None:
        assert called("a\nb\udcff\x1b[1m.gguf") == "a b��[1m"
        assert printable("ก็ 👨‍👩‍👧 \u3000é") == "ก็ 👨‍👩‍👧 \u3000é"

    def test_they_are_not_endless(self) -> None:
        assert len(called(f"{'x' * 240}.gguf")) == 120

    def test_a_title_keeps_the_number_format(self) -> None:
        assert file_title(Path("a/Tiny-Q4_K_M-00001-of-00002.gguf")) == "Tiny-Q4_K_M"

    def test_quantisations_share_a_core(self) -> None:
        assert core_name(Path("Tiny-7B-Q4_K_M.gguf")) == core_name(Path("tiny_7b.f16.gguf")) == "tiny7b"


class TestPublishers:
    def of(self, file: str, organisation: str | None = "Header") -> str:
        info = replace(PLAIN, path=Path("/models", file), organisation=organisation)
        return publisher_of(info, PurePath(file))

    def test_is_the_folder_above_the_model_s(self) -> None:
        assert self.of("bartowski/Tiny-GGUF/tiny.gguf") == "bartowski"
        assert self.of("more/bartowski/Tiny-GGUF/tiny.gguf") == "bartowski"

    def test_is_named_by_the_hugging_face_cache(self) -> None:
        assert self.of("models--some-body--Tiny--7B/snapshots/0/deep/tiny.gguf") == "some-body"

    @pytest.mark.parametrize("file", ["tiny.gguf", "folder/tiny.gguf"])
    def test_else_the_header_tells(self, file: str) -> None:
        assert self.of(file) == "Header"
        assert self.of(file, None) == ""

    def test_the_repository_s_folder(self) -> None:
        root = Path("/hub/models--a--b")
        assert hub_root(root / "snapshots" / "0" / "m.gguf") == root
        assert hub_root(Path("/hub/a/b/m.gguf")) is None
