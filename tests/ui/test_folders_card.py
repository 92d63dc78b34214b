"""The folders of models: chosen, added, removed, opened, and files that were taken off the list."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from app.models.header_index import HeaderIndex
from app.models.library import LocalLibrary
from app.settings_file import SettingsFile
from app.ui.folders_card import FoldersCard
from app.ui.library_service import LibraryService
from app.ui.preferences import Preferences
from app.ui.theme import Theme
from app.ui.widgets import ElidedLabel
from tests.fakes.tasks import ImmediateTasks


class Parts:
    def __init__(self, qtbot: QtBot, tmp_path: Path) -> None:
        self.qtbot = qtbot
        self.default = tmp_path / "default"
        self.opened: list[Path] = []
        self.preferences = Preferences(SettingsFile(tmp_path / "settings.json"), ImmediateTasks(threads=1))
        library = LocalLibrary(HeaderIndex(tmp_path / "index"))
        self.library = LibraryService(library, self.preferences, ImmediateTasks(), self.default)
        self.card = FoldersCard(self.preferences, self.library, self.default, self.opened.append)
        qtbot.addWidget(self.card)
        self.card.show()

    def press(self, name: str) -> None:
        button = self.card.findChild(QPushButton, name)
        assert button is not None
        self.qtbot.waitUntil(button.isVisible)
        button.click()

    def choose(self, folder: Path) -> None:
        """Answers the dialog that is open."""
        dialog = self.card.findChild(QFileDialog, "models_folder_dialog")
        assert dialog is not None
        assert dialog.fileMode() is QFileDialog.FileMode.Directory
        dialog.fileSelected.emit(str(folder))
        dialog.close()

    def shown(self, name: str) -> str:
        shown = self.card.findChild(ElidedLabel, name)
        assert shown is not None
        return shown.whole_text

    def is_visible(self, name: str) -> bool:
        widget = self.card.findChild(QPushButton, name)
        return widget is not None and widget.isVisible()


@pytest.fixture
def parts(qtbot: QtBot, theme: Theme, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Parts]:
    monkeypatch.setenv("HOME", str(tmp_path))
    made = Parts(qtbot, tmp_path)
    yield made
    made.library.close()


class TestTheModelsFolder:
    def test_is_the_programs_own_at_first(self, parts: Parts) -> None:
        assert parts.shown("models_folder_path") == str(parts.default)
        assert not parts.is_visible("reset_models_folder_button")

    def test_can_be_chosen_and_reset(self, parts: Parts, tmp_path: Path) -> None:
        parts.press("choose_models_folder_button")
        parts.choose(tmp_path / "mine")
        assert parts.preferences.settings.models_folder == tmp_path / "mine"
        assert parts.shown("models_folder_path") == str(tmp_path / "mine")

        parts.press("reset_models_folder_button")
        assert parts.preferences.settings.models_folder is None
        assert parts.shown("models_folder_path") == str(parts.default)

    def test_choosing_the_programs_own_is_a_reset(self, parts: Parts) -> None:
        parts.press("choose_models_folder_button")
        parts.choose(parts.default)

        assert parts.preferences.settings.models_folder is None

    def test_is_no_longer_one_of_the_others_once_chosen(self, parts: Parts, tmp_path: Path) -> None:
        parts.preferences.update(extra_folders=(tmp_path / "a", tmp_path / "b"))
        parts.press("choose_models_folder_button")
        parts.choose(tmp_path / "a")

        assert parts.preferences.settings.extra_folders == (tmp_path / "b",)

    def test_can_be_opened_even_before_it_is_there(self, parts: Parts, tmp_path: Path) -> None:
        parts.press("open_models_folder_button")
        parts.default.mkdir()
        parts.press("open_models_folder_button")

        assert parts.opened == [tmp_path, parts.default]


class TestMoreFolders:
    def test_can_be_added_once(self, parts: Parts, tmp_path: Path) -> None:
        for _twice in range(2):
            parts.press("add_models_folder_button")
            parts.choose(tmp_path / "more")

        assert parts.preferences.settings.extra_folders == (tmp_path / "more",)
        assert parts.shown("folder_path_0") == str(tmp_path / "more")

    def test_can_be_opened_and_removed_one_by_one(self, parts: Parts, tmp_path: Path) -> None:
        first, second = tmp_path / "first", tmp_path / "second"
        second.mkdir()
        parts.preferences.update(extra_folders=(first, second))
        parts.press("open_folder_button_1")
        parts.press("remove_folder_button_0")

        assert parts.opened == [second]
        assert parts.preferences.settings.extra_folders == (second,)

    def test_buttons_are_named_for_their_folder(self, parts: Parts, tmp_path: Path) -> None:
        parts.preferences.update(extra_folders=(tmp_path / "more",))
        button = parts.card.findChild(QPushButton, "remove_folder_button_0")

        assert button is not None
        assert button.accessibleName() == f"Remove {tmp_path / 'more'}"


class TestHiddenFiles:
    def test_can_be_shown_again(self, parts: Parts, tmp_path: Path) -> None:
        assert not parts.is_visible("show_hidden_button")
        parts.preferences.update(hidden_files=(tmp_path / "a.gguf", tmp_path / "b.gguf"))
        sentence = parts.card.findChild(QLabel, "hidden_files_sentence")
        assert sentence is not None
        assert sentence.text().startswith("2 files")

        parts.press("show_hidden_button")
        assert parts.preferences.settings.hidden_files == ()
        assert not sentence.isVisible()
