"""The menu of built-in prompts."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from app.core.prompts import Prompt, Suite, load_suites
from app.paths import resource
from app.ui.icons import Icons
from app.ui.suite_menu import SuiteMenu, first_words
from app.ui.theme import Theme

CODE = Prompt("code-one", "<b>Write</b> a function\nthat sorts & counts.", "Be careful.", "code")
STORY = Prompt("story-one", "Tell a story.", None, "story")
SUITES = (Suite("code", "Code & more", (CODE,)), Suite("story", "Story", (STORY,)))


@pytest.fixture
def button(qtbot: QtBot, theme: Theme, icons: Icons) -> SuiteMenu:
    made = SuiteMenu(theme, icons, SUITES)
    qtbot.addWidget(made)
    return made


def action(button: SuiteMenu, name: str) -> QAction:
    found = button.menu_of_suites.findChild(QAction, name)
    assert isinstance(found, QAction)
    return found


def test_the_menu_has_the_suites_by_title_and_in_them_the_prompts(button: SuiteMenu) -> None:
    assert [entry.text() for entry in button.menu_of_suites.actions()] == ["Code && more", "Story"]
    below = button.menu_of_suites.findChild(QMenu, "suite_code_menu")
    assert isinstance(below, QMenu)
    assert [entry.text() for entry in below.actions()] == [
        "<b>Write</b> a function that sorts && counts.\tcode-one"
    ]


def test_the_whole_prompt_is_in_the_tooltip_and_is_no_markup(button: SuiteMenu) -> None:
    assert "&lt;b&gt;Write" in action(button, "prompt_code-one_action").toolTip()


def test_choosing_tells_the_prompt(qtbot: QtBot, button: SuiteMenu) -> None:
    with qtbot.waitSignal(button.prompt_chosen) as told:
        action(button, "prompt_code-one_action").trigger()

    assert told.args == [CODE]


def test_a_click_opens_it(qtbot: QtBot, button: SuiteMenu) -> None:
    button.show()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)

    assert button.menu_of_suites.isVisible()
    button.menu_of_suites.close()


def test_without_suites_there_is_no_button(qtbot: QtBot, theme: Theme, icons: Icons) -> None:
    made = SuiteMenu(theme, icons, ())
    qtbot.addWidget(made)

    assert made.isHidden()


def test_first_words_are_one_short_line() -> None:
    assert first_words("  Tell\n a   story. ") == "Tell a story."
    long = first_words("word " * 40)
    assert long.endswith("word…")
    assert len(long) <= 56
    assert first_words("字" * 80) == "字" * 55 + "…", "where words have no blanks between them"


def test_every_built_in_prompt_has_its_entry(qtbot: QtBot, theme: Theme, icons: Icons) -> None:
    suites = load_suites(resource("prompts"))
    made = SuiteMenu(theme, icons, suites)
    qtbot.addWidget(made)

    for prompt in (prompt for suite in suites for prompt in suite.prompts):
        assert prompt.id in action(made, f"prompt_{prompt.id}_action").text()
