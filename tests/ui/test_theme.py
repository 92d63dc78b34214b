"""The look in force, and how it changes."""

import re
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

import app.ui
from app.settings import ThemeChoice
from app.ui.theme import Theme


def test_the_application_takes_the_themes_colours(theme: Theme, qapp: QApplication) -> None:
    assert theme.is_dark
    assert qapp.palette().color(QPalette.ColorRole.Window) == theme.colours.window
    assert "rgba(53, 201, 176, 1.000)" in qapp.styleSheet()


def test_another_choice_is_told_and_dresses_the_application(
    theme: Theme, qapp: QApplication, qtbot: QtBot
) -> None:
    before = qapp.styleSheet()
    with qtbot.waitSignal(theme.changed):
        theme.choose(ThemeChoice.LIGHT)
    assert not theme.is_dark
    assert qapp.styleSheet() != before


def test_the_same_choice_again_changes_nothing(theme: Theme, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(theme.changed):
        theme.choose(ThemeChoice.DARK)


def test_the_systems_scheme_is_followed(
    qapp: QApplication, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    theme = Theme(qapp, ThemeChoice.SYSTEM)
    for dark in (False, True):
        monkeypatch.setattr(theme, "_system_is_dark", lambda dark=dark: dark)
        qapp.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Unknown)
        assert theme.is_dark is dark
    theme.deleteLater()


def test_nothing_but_a_theme_names_a_colour() -> None:
    """A colour in the code would not change with the theme."""
    named = re.compile(r"#[0-9a-fA-F]{6}\b|#[0-9a-fA-F]{3}\b|QColor\(\d|rgba?\(\d")
    folder = Path(app.ui.__file__).parent
    found = [path.name for path in folder.glob("*.py") if named.search(path.read_text(encoding="utf-8"))]
    assert found == []
