"""Preferences: what is changed is in force at once, told to everyone, and on disk."""

import threading
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.settings import ModelConfig, Settings, ThemeChoice, UserMode
from app.settings_file import SettingsError, SettingsFile
from app.ui.preferences import Preferences
from app.ui.tasks import Tasks
from tests.fakes.tasks import ImmediateTasks

MODEL = Path("/models/a.gguf")


class GatedFile(SettingsFile):
    """A disk that waits to be told."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.gate = threading.Event()
        self.saved: list[Settings] = []

    def save(self, settings: Settings) -> None:
        self.gate.wait(60)
        super().save(settings)
        self.saved.append(settings)


class FullDisk(SettingsFile):
    """A disk that refuses until there is room."""

    has_room = False

    def save(self, settings: Settings) -> None:
        if not self.has_room:
            raise SettingsError("The disk is full.")
        super().save(settings)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "settings.json"


@pytest.fixture
def preferences(qtbot: QtBot, path: Path) -> Preferences:
    return Preferences(SettingsFile(path), ImmediateTasks(threads=1))


def test_start_with_what_is_on_disk(qtbot: QtBot, path: Path) -> None:
    SettingsFile(path).save(Settings(mode=UserMode.DEVELOPER))

    assert Preferences(SettingsFile(path), ImmediateTasks()).settings.mode is UserMode.DEVELOPER


def test_a_change_is_told_and_saved(qtbot: QtBot, preferences: Preferences, path: Path) -> None:
    with qtbot.waitSignal(preferences.changed) as told:
        preferences.update(theme=ThemeChoice.DARK, last_model=MODEL)

    assert told.args == [preferences.settings]
    assert preferences.settings == Settings(theme=ThemeChoice.DARK, last_model=MODEL)
    assert SettingsFile(path).load() == preferences.settings


def test_no_change_is_not_told(qtbot: QtBot, preferences: Preferences, path: Path) -> None:
    with qtbot.assertNotEmitted(preferences.changed):
        preferences.update(theme=Settings().theme)
        preferences.forget(MODEL)

    assert not path.exists()


def test_a_setting_that_does_not_exist_is_a_fault_of_the_program(preferences: Preferences) -> None:
    with pytest.raises(TypeError):
        preferences.update(tehme=ThemeChoice.DARK)


def test_a_models_config_is_remembered_over_a_restart_until_it_is_forgotten(
    preferences: Preferences, path: Path
) -> None:
    own = ModelConfig(system_prompt="own")
    preferences.remember(MODEL, own)
    preferences.remember(Path("/b.gguf"), ModelConfig(seed=3))

    again = Preferences(SettingsFile(path), ImmediateTasks())
    assert again.settings.config_for(MODEL) == own

    again.forget(MODEL)
    assert again.settings.config_for(MODEL) == ModelConfig()
    assert list(SettingsFile(path).load().configs) == [Path("/b.gguf")]


def test_changes_during_a_save_are_gathered_into_the_next(qtbot: QtBot, path: Path) -> None:
    file = GatedFile(path)
    preferences = Preferences(file, Tasks(threads=1))
    for seed in range(50):
        preferences.update(defaults=ModelConfig(seed=seed))
    file.gate.set()
    qtbot.waitUntil(lambda: len(file.saved) == 2)
    preferences.close()

    assert [settings.defaults.seed for settings in file.saved] == [0, 49]


def test_closing_saves_what_is_left(qtbot: QtBot, path: Path) -> None:
    file = GatedFile(path)
    preferences = Preferences(file, Tasks(threads=1))
    preferences.update(ended_cleanly=False)
    preferences.update(ended_cleanly=True, theme=ThemeChoice.LIGHT)
    file.gate.set()
    preferences.close()

    assert SettingsFile(path).load() == Settings(theme=ThemeChoice.LIGHT)


def test_a_full_disk_is_told_once_and_loses_nothing(qtbot: QtBot, path: Path) -> None:
    disk = FullDisk(path)
    preferences = Preferences(disk, ImmediateTasks(threads=1))
    told: list[str] = []
    preferences.problem.connect(told.append)

    preferences.update(theme=ThemeChoice.DARK)
    preferences.update(mode=UserMode.USER)
    assert told == ["The disk is full."]
    assert preferences.settings.theme is ThemeChoice.DARK

    disk.has_room = True
    preferences.close()
    assert SettingsFile(path).load() == Settings(theme=ThemeChoice.DARK, mode=UserMode.USER)


def test_problems_with_the_file_are_there_to_be_shown(qtbot: QtBot, path: Path) -> None:
    path.write_text("{")

    assert len(Preferences(SettingsFile(path), ImmediateTasks()).problems_at_start) == 1
