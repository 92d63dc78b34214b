"""The page of settings: what is chosen applies at once and is on disk, and the page fits its window."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QAbstractButton, QLabel
from pytestqt.qtbot import QtBot

from app.models.header_index import HeaderIndex
from app.models.library import LocalLibrary
from app.settings import Settings, ThemeChoice, UserMode
from app.settings_file import SettingsFile
from app.ui.icons import Icons
from app.ui.library_service import LibraryService
from app.ui.preferences import Preferences
from app.ui.settings_page import SettingsPage
from app.ui.theme import Theme
from app.ui.widgets import Card, ElidedLabel
from tests.fakes.scripted_account import ScriptedAccount
from tests.fakes.tasks import ImmediateTasks


class Parts:
    def __init__(self, qtbot: QtBot, theme: Theme, icons: Icons, tmp_path: Path) -> None:
        self.opened: list[Path] = []
        self.file = SettingsFile(tmp_path / "config" / "settings.json")
        self.preferences = Preferences(self.file, ImmediateTasks(threads=1))
        library = LocalLibrary(HeaderIndex(tmp_path / "index"))
        self.library = LibraryService(library, self.preferences, ImmediateTasks(), tmp_path / "models")
        self.page = SettingsPage(
            theme,
            icons,
            self.preferences,
            self.library,
            ScriptedAccount(),
            ImmediateTasks(),
            ImmediateTasks(),
            self.opened.append,
        )
        qtbot.addWidget(self.page)
        self.page.resize(1000, 700)
        self.page.show()
        qtbot.waitExposed(self.page)

    def button(self, name: str) -> QAbstractButton:
        button = self.page.findChild(QAbstractButton, name)
        assert button is not None
        return button

    def label(self, name: str) -> QLabel:
        label = self.page.findChild(QLabel, name)
        assert label is not None
        return label


@pytest.fixture
def parts(
    qtbot: QtBot, theme: Theme, icons: Icons, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Parts]:
    monkeypatch.setenv("SLIPSTREAM_HOME", str(tmp_path))
    made = Parts(qtbot, theme, icons, tmp_path)
    yield made
    made.page.hide()
    made.library.close()


class TestAppearance:
    def test_shows_what_is_chosen(self, parts: Parts) -> None:
        assert parts.button("theme_system_button").isChecked()
        assert parts.button("mode_power_user_button").isChecked()

        parts.preferences.update(theme=ThemeChoice.LIGHT, mode=UserMode.USER)
        assert parts.button("theme_light_button").isChecked()
        assert not parts.button("theme_system_button").isChecked()
        assert parts.button("mode_user_button").isChecked()

    @pytest.mark.parametrize("choice", list(ThemeChoice))
    def test_takes_a_theme(self, parts: Parts, choice: ThemeChoice) -> None:
        parts.button(f"theme_{choice}_button").click()

        assert parts.preferences.settings.theme is choice

    @pytest.mark.parametrize("mode", list(UserMode))
    def test_takes_a_mode(self, parts: Parts, mode: UserMode) -> None:
        parts.button(f"mode_{mode}_button").click()

        assert parts.preferences.settings.mode is mode

    def test_says_what_a_mode_is_for(self, parts: Parts) -> None:
        assert "Speculative Decoding" in parts.button("mode_power_user_button").accessibleDescription()


class TestStart:
    def test_loads_the_last_model_only_if_wanted(self, parts: Parts) -> None:
        switch = parts.button("load_last_switch")
        assert not switch.isChecked()
        switch.click()
        assert parts.preferences.settings.load_last_at_start

        parts.preferences.update(load_last_at_start=False)
        assert not switch.isChecked()

    def test_names_the_last_model(self, parts: Parts) -> None:
        assert not parts.label("last_model_sentence").isVisible()
        parts.preferences.update(last_model=Path("/models/<b>a</b>.gguf"))

        assert parts.label("last_model_sentence").text() == "Last: b>.gguf"


class TestPlacesAndVersions:
    def test_tell_where_everything_lies(self, parts: Parts, tmp_path: Path) -> None:
        for name in ("data", "config", "cache"):
            shown = parts.page.findChild(ElidedLabel, f"{name}_path")
            assert shown is not None
            assert shown.whole_text == str(tmp_path / name)

    def test_open_a_folder_or_the_one_above_it(self, parts: Parts, tmp_path: Path) -> None:
        (tmp_path / "data").mkdir()
        parts.button("open_data_button").click()
        parts.button("open_cache_button").click()

        assert parts.opened == [tmp_path / "data", tmp_path]

    def test_name_what_the_program_is_made_of(self, parts: Parts) -> None:
        assert "llama-cpp-python" in parts.label("versions_line").text()
        assert "LGPL" in parts.label("licences_line").text()


def test_whatever_is_chosen_is_on_disk(parts: Parts) -> None:
    parts.button("theme_dark_button").click()
    parts.button("mode_developer_button").click()
    parts.button("load_last_switch").click()

    assert parts.file.load() == Settings(
        theme=ThemeChoice.DARK, mode=UserMode.DEVELOPER, load_last_at_start=True
    )


@pytest.mark.parametrize("width", [700, 900, 1800])
def test_the_cards_fit_and_stay_readable(parts: Parts, width: int) -> None:
    parts.page.resize(width, 600)
    content = parts.page.widget()
    assert content is not None
    cards = parts.page.findChildren(Card)

    assert len(cards) == 7
    assert content.width() <= parts.page.viewport().width()
    for card in cards:
        left = card.mapTo(content, QPoint(0, 0)).x()
        assert 0 < card.width() <= 760
        assert abs(left - (content.width() - left - card.width())) <= 1, "in the middle"
        assert card.height() >= card.minimumSizeHint().height(), "nothing is squeezed"


def test_every_control_has_a_name_for_screen_readers(parts: Parts) -> None:
    for button in parts.page.findChildren(QAbstractButton):
        assert button.accessibleName() or button.text(), button.objectName()
