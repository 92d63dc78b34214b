"""Folders of other programs: found where these programs would look."""

from pathlib import Path

import pytest

from app.models.model_folders import Keeper, count_models, offered_folders
from tests.fakes.tiny_gguf import llama_model, write_llama, write_split


def offered(home: Path, **environment: str) -> list[tuple[Keeper, Path]]:
    return [(folder.keeper, folder.path) for folder in offered_folders(home, environment)]


def made(path: Path) -> Path:
    path.mkdir(parents=True)
    return path


def test_nothing_is_offered_on_an_empty_computer(tmp_path: Path) -> None:
    assert offered(tmp_path) == []


class TestLmStudio:
    @pytest.mark.parametrize("home", [".lmstudio", ".cache/lm-studio"])
    def test_in_its_usual_places(self, home: str, tmp_path: Path) -> None:
        folder = made(tmp_path / home / "models")
        assert offered(tmp_path) == [(Keeper.LM_STUDIO, folder)]

    def test_where_its_pointer_points(self, tmp_path: Path) -> None:
        folder = made(tmp_path / "elsewhere" / "models")
        (tmp_path / ".lmstudio-home-pointer").write_text(f"{folder.parent}\n")
        assert offered(tmp_path) == [(Keeper.LM_STUDIO, folder)]

    def test_where_its_settings_say(self, tmp_path: Path) -> None:
        folder = made(tmp_path / "big disk" / "models")
        settings = made(tmp_path / ".lmstudio") / "settings.json"
        settings.write_text(f'{{"downloadsFolder": "{folder.as_posix()}", "more": [1]}}')
        assert offered(tmp_path) == [(Keeper.LM_STUDIO, folder)]

    @pytest.mark.parametrize(
        "settings", ["{", "[]", '{"downloadsFolder": 3}', '{"downloadsFolder": "rel"}', "{}"]
    )
    def test_whatever_its_settings_say(self, settings: str, tmp_path: Path) -> None:
        folder = made(tmp_path / ".lmstudio" / "models")
        (tmp_path / ".lmstudio" / "settings.json").write_text(settings)
        assert offered(tmp_path) == [(Keeper.LM_STUDIO, folder)]

    @pytest.mark.parametrize("pointer", [b"", b"\xff\xfe", b"a\0b", b"/does/not/exist", b"x" * 5000])
    def test_whatever_its_pointer_says(self, pointer: bytes, tmp_path: Path) -> None:
        folder = made(tmp_path / ".lmstudio" / "models")
        (tmp_path / ".lmstudio-home-pointer").write_bytes(pointer)
        assert offered(tmp_path) == [(Keeper.LM_STUDIO, folder)]

    def test_one_folder_by_two_names_is_offered_once(self, tmp_path: Path) -> None:
        folder = made(tmp_path / ".lmstudio" / "models")
        made(tmp_path / ".cache" / "lm-studio")
        (tmp_path / ".cache" / "lm-studio" / "models").symlink_to(folder)
        assert offered(tmp_path) == [(Keeper.LM_STUDIO, folder)]


class TestHuggingFace:
    def test_in_its_usual_place(self, tmp_path: Path) -> None:
        folder = made(tmp_path / ".cache" / "huggingface" / "hub")
        assert offered(tmp_path) == [(Keeper.HUGGING_FACE, folder)]

    def test_where_the_environment_says(self, tmp_path: Path) -> None:
        made(tmp_path / ".cache" / "huggingface" / "hub")
        hub, home = made(tmp_path / "a"), made(tmp_path / "b" / "hub")
        share = made(tmp_path / "c" / "huggingface" / "hub")
        variables = {"XDG_CACHE_HOME": str(tmp_path / "c")}
        assert offered(tmp_path, **variables) == [(Keeper.HUGGING_FACE, share)]
        variables["HF_HOME"] = str(tmp_path / "b")
        assert offered(tmp_path, **variables) == [(Keeper.HUGGING_FACE, home)]
        variables["HF_HUB_CACHE"] = str(hub)
        assert offered(tmp_path, **variables) == [(Keeper.HUGGING_FACE, hub)]

    def test_an_empty_variable_counts_as_none(self, tmp_path: Path) -> None:
        folder = made(tmp_path / ".cache" / "huggingface" / "hub")
        assert offered(tmp_path, HF_HOME="", HF_HUB_CACHE="") == [(Keeper.HUGGING_FACE, folder)]


def test_models_are_counted_by_their_names(tmp_path: Path) -> None:
    write_llama(made(tmp_path / "a") / "m.gguf")
    write_split(tmp_path, "s", llama_model(), 3)
    for name in ("mmproj-F16.gguf", "m.gguf.part", "p.gguf.part1of2"):
        (tmp_path / name).touch()
    assert count_models(tmp_path) == 2
