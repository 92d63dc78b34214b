"""The settings on disk: what is saved comes back, and nothing that people or disks do to the file hurts."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.options import DraftLength, LoadOptions, SamplingOptions, SpeculationMode, SpeculationOptions
from app.settings import ModelConfig, Settings, ThemeChoice, UserMode
from app.settings_file import VERSION, SettingsError, SettingsFile

FULL = Settings(
    theme=ThemeChoice.LIGHT,
    mode=UserMode.DEVELOPER,
    models_folder=Path("/models/モデル　é 模型"),
    extra_folders=(Path("/more"), Path("C:\\models")),
    hidden_files=(Path("/more/a.gguf"),),
    defaults=ModelConfig(load=LoadOptions(context_length=8192), seed=2**32 - 1),
    configs={
        Path("/more/b.gguf"): ModelConfig(
            speculation=SpeculationOptions(
                SpeculationMode.DRAFT_MODEL, DraftLength.FIXED, draft_ceiling=12, max_draft_tokens=8
            ),
            draft=Path("/more/c.gguf"),
            sampling=SamplingOptions(temperature=0.1 + 0.2),
            system_prompt='Say "so"\n– and no more 🦙',
        )
    },
    last_model=Path("/more/b.gguf"),
    ended_cleanly=False,
)


@pytest.fixture
def file(tmp_path: Path) -> SettingsFile:
    return SettingsFile(tmp_path / "config" / "settings.json")


def edit(file: SettingsFile, **changes: Any) -> None:
    """Changes values in the file, as a person with an editor does."""
    values = json.loads(file.path.read_text())
    file.path.write_text(json.dumps(values | changes))


class TestSaving:
    def test_keeps_everything(self, file: SettingsFile) -> None:
        file.save(FULL)

        assert file.load() == FULL
        assert file.problems == ()

    def test_writes_what_people_can_read(self, file: SettingsFile) -> None:
        file.save(FULL)

        lines = file.path.read_text().splitlines()
        assert '  "models_folder": "/models/モデル　é 模型",' in lines
        assert '    "/more/b.gguf": {' in lines

    def test_leaves_no_other_file_behind(self, file: SettingsFile) -> None:
        file.save(Settings())
        file.save(FULL)

        assert list(file.path.parent.iterdir()) == [file.path]

    @pytest.mark.skipif(sys.platform == "win32", reason="Windows allows no such names")
    def test_keeps_paths_that_are_no_valid_text(self, file: SettingsFile) -> None:
        path = Path(os.fsdecode(b"/caf\xe9/100 %25.gguf"))
        settings = Settings(extra_folders=(path, Path("file:odd")), configs={path: ModelConfig(draft=path)})

        file.save(settings)

        assert file.load() == settings
        assert "file:/caf%E9/100%20%2525.gguf" in file.path.read_text()

    def test_does_not_stumble_over_half_a_character(self, file: SettingsFile) -> None:
        file.save(Settings(defaults=ModelConfig(system_prompt="a\ud83e"), theme=ThemeChoice.DARK))

        assert file.load().theme is ThemeChoice.DARK
        assert file.load().defaults.system_prompt == "a?"

    def test_keeps_the_old_file_whole_where_the_new_one_fails(
        self, file: SettingsFile, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        file.save(FULL)

        def full_disk(_: int) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "fsync", full_disk)
        with pytest.raises(SettingsError, match="No space left on device"):
            file.save(Settings())

        assert file.load() == FULL
        assert list(file.path.parent.iterdir()) == [file.path]

    def test_follows_a_link_to_where_the_file_is_kept(self, file: SettingsFile, tmp_path: Path) -> None:
        kept = tmp_path / "kept.json"
        file.path.parent.mkdir()
        try:
            file.path.symlink_to(kept)
        except OSError:
            pytest.skip("no links here")

        file.save(FULL)

        assert file.path.is_symlink()
        assert SettingsFile(kept).load() == FULL


class TestLoading:
    def test_gives_the_defaults_where_nothing_is_saved(self, file: SettingsFile) -> None:
        assert file.load() == Settings()
        assert file.problems == ()
        assert not file.path.parent.exists()

    def test_leaves_the_draft_length_to_the_program_where_an_older_version_saved_none(
        self, file: SettingsFile
    ) -> None:
        file.save(FULL)
        values = json.loads(file.path.read_text())
        saved = values["configs"]["/more/b.gguf"]["speculation"]
        del saved["draft_length"], saved["draft_ceiling"]
        file.path.write_text(json.dumps(values))

        speculation = file.load().configs[Path("/more/b.gguf")].speculation

        assert speculation == SpeculationOptions(SpeculationMode.DRAFT_MODEL, max_draft_tokens=8)
        assert speculation.is_automatic
        assert file.problems == ()

    @pytest.mark.parametrize(
        "content",
        [b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"a": "\xff"}', b"[" * 100_000, b'{"version": 1,'],
    )
    def test_keeps_a_damaged_file_aside_and_says_so(self, file: SettingsFile, content: bytes) -> None:
        file.path.parent.mkdir()
        file.path.write_bytes(content)

        assert file.load() == Settings()

        aside = file.path.with_name("settings.damaged.json")
        assert aside.read_bytes() == content
        assert not file.path.exists()
        assert len(file.problems) == 1
        assert str(aside) in file.problems[0]

    @pytest.mark.parametrize("version", [VERSION + 1, "1", None, 0])
    def test_keeps_a_file_of_another_version_aside(self, file: SettingsFile, version: object) -> None:
        file.save(FULL)
        edit(file, version=version)

        assert file.load() == Settings()
        assert file.path.with_name("settings.damaged.json").exists()
        assert "another version" in file.problems[0]

    def test_survives_something_that_is_no_file(self, file: SettingsFile) -> None:
        file.path.mkdir(parents=True)

        assert file.load() == Settings()
        assert len(file.problems) == 1
        file.save(FULL)
        assert file.load() == FULL

    def test_takes_no_notice_of_what_it_does_not_know(self, file: SettingsFile) -> None:
        file.save(FULL)
        edit(file, tomorrow={"a": 1})

        assert file.load() == FULL
        assert file.problems == ()

    def test_takes_the_mark_that_some_editors_put_first(self, file: SettingsFile) -> None:
        file.save(FULL)
        file.path.write_text(file.path.read_text(), encoding="utf-8-sig")

        assert file.load() == FULL

    def test_replaces_one_value_that_cannot_be_used_and_keeps_the_rest(self, file: SettingsFile) -> None:
        file.save(FULL)
        edit(file, theme="pink", window_geometry=7)

        loaded = file.load()

        assert loaded.theme is Settings().theme
        assert loaded.configs == FULL.configs
        assert "theme, window_geometry" in file.problems[0]

    def test_replaces_one_value_out_of_range_in_one_config(self, file: SettingsFile) -> None:
        file.save(FULL)
        config = {"sampling": {"temperature": -3, "top_k": 7}, "seed": -1, "system_prompt": "kept"}
        edit(file, configs={"/a.gguf": config, "/b.gguf": {"limits": {"max_tokens": 9}}})

        loaded = file.load()

        first = loaded.configs[Path("/a.gguf")]
        assert first.sampling == SamplingOptions(top_k=7)
        assert first.seed is None
        assert first.system_prompt == "kept"
        assert loaded.configs[Path("/b.gguf")].limits.max_tokens == 9
        assert loaded.theme is FULL.theme
        assert "configs for a.gguf.sampling.temperature" in file.problems[0]

    def test_replaces_a_group_whose_values_do_not_hold_together(self, file: SettingsFile) -> None:
        file.save(FULL)
        edit(file, defaults={"sampling": {"temperature": -3, "top_p": 0, "min_p": 0.5}})

        assert file.load().defaults.sampling == SamplingOptions()

    @pytest.mark.parametrize("configs", [7, [], {"": {}}, {"a\0b": {}}, {"/a": 7}, {"/a": {"load": []}}])
    def test_never_fails_for_configs_that_are_none(self, file: SettingsFile, configs: object) -> None:
        file.save(FULL)
        edit(file, configs=configs)

        loaded = file.load()

        assert all(config == ModelConfig() for config in loaded.configs.values())
        assert loaded.theme is FULL.theme
        assert file.problems

    def test_takes_no_number_that_is_too_large_for_the_controls(self, file: SettingsFile) -> None:
        file.save(FULL)
        edit(file, defaults={"load": {"context_length": 10**12}, "seed": 2**32 - 1})

        loaded = file.load()

        assert loaded.defaults.load.context_length == LoadOptions().context_length
        assert loaded.defaults.seed == 2**32 - 1


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=8,
)
KNOWN = st.sampled_from(
    ["theme", "extra_folders", "defaults", "configs", "load", "sampling", "temperature", "seed"]
)


@given(st.dictionaries(KNOWN, JSON | st.dictionaries(KNOWN, JSON)))
def test_whatever_the_values_are_usable_settings_come_of_it(
    tmp_path_factory: pytest.TempPathFactory, values: dict[str, Any]
) -> None:
    file = SettingsFile(tmp_path_factory.mktemp("settings") / "settings.json")
    file.path.write_text(json.dumps(values | {"version": VERSION}))

    loaded = file.load()

    assert loaded.defaults.problems() == []
    file.save(loaded)
    assert file.load() == loaded
