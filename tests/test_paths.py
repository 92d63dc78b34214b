"""Where the program keeps what belongs to the user, and where it finds what came with it."""

import sys
from pathlib import Path

import platformdirs
import pytest

from app import paths

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(autouse=True)
def no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SLIPSTREAM_HOME", raising=False)
    monkeypatch.delenv("SLIPSTREAM_DEMO_MODEL", raising=False)


class TestFoldersOfTheUser:
    def test_are_those_of_the_platform(self) -> None:
        assert paths.data_folder() == platformdirs.user_data_path("slipstream", appauthor=False)
        assert paths.config_folder() == platformdirs.user_config_path("slipstream", appauthor=False)
        assert paths.cache_folder() == platformdirs.user_cache_path("slipstream", appauthor=False)

    def test_end_with_the_name_of_the_program_once(self) -> None:
        assert paths.data_folder().parts.count("slipstream") == 1

    def test_lie_in_one_folder_where_a_variable_names_it(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("SLIPSTREAM_HOME", str(tmp_path))

        assert paths.data_folder() == tmp_path / "data"
        assert paths.config_folder() == tmp_path / "config"
        assert paths.cache_folder() == tmp_path / "cache"
        assert paths.models_folder() == tmp_path / "data" / "models"

    def test_are_absolute_even_where_the_variable_is_not(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("SLIPSTREAM_HOME", "stick")

        assert paths.data_folder() == Path.cwd() / "stick" / "data"

    def test_ignore_a_variable_that_is_empty(self, monkeypatch: pytest.MonkeyPatch) -> None:
        before = paths.data_folder()
        monkeypatch.setenv("SLIPSTREAM_HOME", "")

        assert paths.data_folder() == before

    def test_are_not_made_by_asking_for_them(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("SLIPSTREAM_HOME", str(tmp_path))

        paths.models_folder()
        paths.demo_model_path()

        assert list(tmp_path.iterdir()) == []


class TestTheSmallModel:
    def test_lies_where_models_are_kept_by_publisher_and_repository(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("SLIPSTREAM_HOME", str(tmp_path))

        assert paths.demo_model_path().relative_to(paths.models_folder()).as_posix() == (
            "HuggingFaceTB/SmolLM2-135M-Instruct-GGUF/SmolLM2-135M-Instruct.Q4_1.gguf"
        )

    def test_may_be_named_by_a_variable_apart_from_everything_else(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("SLIPSTREAM_HOME", str(tmp_path / "home"))
        monkeypatch.setenv("SLIPSTREAM_DEMO_MODEL", str(tmp_path / "small.gguf"))

        assert paths.demo_model_path() == tmp_path / "small.gguf"


class TestResources:
    def test_lie_beside_the_program_in_a_source_tree(self) -> None:
        assert paths.resource("prompts/code.toml") == ROOT / "resources" / "prompts" / "code.toml"

    def test_lie_in_the_bundle_where_the_program_is_frozen(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path), raising=False)

        assert paths.resource("themes") == tmp_path / "resources" / "themes"
