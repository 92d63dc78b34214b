"""The box for the prompt of a comparison."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QSignalSpy
from PySide6.QtWidgets import QPlainTextEdit, QToolButton
from pytestqt.qtbot import QtBot

from app.core.prompts import Prompt, Suite
from app.ui.icons import Icons
from app.ui.prompt_box import PromptBox
from app.ui.suite_menu import SuiteMenu
from app.ui.theme import Theme
from app.ui.widgets import ElidedLabel

CODE = Prompt("code-one", "Write a function.", "Be <b>careful</b>.", "code")
STORY = Prompt("story-one", "Tell\u00a0a story.", None, "story")
SUITES = (Suite("code", "Code", (CODE,)), Suite("story", "Story", (STORY,)))
MOCK = "Write a Python function that implements quicksort, with a docstring and three usage examples."


class Bench:
    """A box on the screen, as a person has it."""

    def __init__(self, qtbot: QtBot, theme: Theme, icons: Icons) -> None:
        self.qtbot = qtbot
        self.box = PromptBox(theme, icons, SUITES)
        qtbot.addWidget(self.box)
        self.box.resize(700, 40)
        self.box.show()
        field = self.box.findChild(QPlainTextEdit, "prompt_field")
        assert isinstance(field, QPlainTextEdit)
        self.field = field
        self.changes = QSignalSpy(self.box.changed)

    def choose(self, prompt: Prompt) -> None:
        menu = self.box.findChild(SuiteMenu, "suite_menu_button")
        assert isinstance(menu, SuiteMenu)
        action = menu.menu_of_suites.findChild(QAction, f"prompt_{prompt.id}_action")
        assert isinstance(action, QAction)
        action.trigger()

    def write(self, text: str) -> None:
        self.field.selectAll()
        self.qtbot.keyClick(self.field, Qt.Key.Key_Delete)
        self.qtbot.keyClicks(self.field, text)

    def remove_system(self) -> None:
        pressed = self.box.findChild(QToolButton, "remove_system_message_button")
        assert isinstance(pressed, QToolButton)
        self.qtbot.mouseClick(pressed, Qt.MouseButton.LeftButton)

    @property
    def tag(self) -> ElidedLabel:
        found = self.box.findChild(ElidedLabel, "system_message_tag")
        assert isinstance(found, ElidedLabel)
        return found

    @property
    def told(self) -> str:
        """What is said below the text."""
        return self.tag.whole_text if self.tag.isVisible() else ""


@pytest.fixture
def bench(qtbot: QtBot, theme: Theme, icons: Icons) -> Bench:
    return Bench(qtbot, theme, icons)


def test_it_begins_with_a_prompt_that_can_be_run_at_once(bench: Bench) -> None:
    assert bench.box.prompt == Prompt("prompt", MOCK)
    assert not bench.tag.isVisible()


def test_what_is_written_is_asked(bench: Bench) -> None:
    bench.write("Hello")

    assert bench.box.prompt == Prompt("prompt", "Hello")
    assert bench.changes.count() > 0


def test_without_words_there_is_no_prompt(bench: Bench) -> None:
    bench.write("  ")

    assert bench.box.prompt is None


@pytest.mark.parametrize("prompt", [CODE, STORY], ids=["with system", "with a blank that Qt spells anew"])
def test_a_built_in_prompt_is_asked_as_what_it_is(bench: Bench, prompt: Prompt) -> None:
    bench.choose(prompt)

    assert bench.box.prompt == prompt
    assert bench.changes.count() == 1


def test_once_changed_it_is_one_of_the_person_s_own(bench: Bench) -> None:
    bench.choose(CODE)
    bench.qtbot.keyClick(bench.field, Qt.Key.Key_End)
    bench.qtbot.keyClicks(bench.field, "x")

    assert bench.box.prompt == Prompt("prompt", "Write a function.x", CODE.system)

    bench.field.undo()
    assert bench.box.prompt == CODE, "changed back, it is the built-in one again"


def test_a_system_message_is_shown_and_can_be_left_out(bench: Bench) -> None:
    bench.choose(CODE)
    assert bench.tag.isVisible()
    assert bench.told == "With a system message: Be <b>careful</b>."

    bench.remove_system()

    assert not bench.tag.isVisible()
    assert bench.box.prompt == Prompt("prompt", CODE.text)
    assert bench.changes.count() == 2


def test_a_prompt_without_a_system_message_takes_the_one_before_away(bench: Bench) -> None:
    bench.choose(CODE)
    bench.choose(STORY)

    assert not bench.tag.isVisible()


def test_a_prompt_that_is_set_is_no_change_of_the_person_s(bench: Bench) -> None:
    bench.box.set_prompt(Prompt("essay", "Line one\nline two", "S"))

    assert bench.changes.count() == 0
    assert bench.box.prompt == Prompt("essay", "Line one\nline two", "S")
    assert bench.tag.isVisible()


def test_undo_brings_back_what_was_written(bench: Bench) -> None:
    bench.write("Mine")
    bench.choose(STORY)
    bench.field.undo()

    assert bench.field.toPlainText() == "Mine"
    prompt = bench.box.prompt
    assert prompt is not None
    assert prompt.id == "prompt"


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter])
def test_ctrl_enter_runs(bench: Bench, key: Qt.Key) -> None:
    with bench.qtbot.waitSignal(bench.box.run_requested):
        bench.qtbot.keyClick(bench.field, key, Qt.KeyboardModifier.ControlModifier)

    assert bench.field.toPlainText() == MOCK


def test_enter_breaks_the_line(bench: Bench) -> None:
    with bench.qtbot.assertNotEmitted(bench.box.run_requested):
        bench.qtbot.keyClick(bench.field, Qt.Key.Key_Return)

    assert bench.field.toPlainText() == f"\n{MOCK}"


def test_it_grows_with_its_text_to_five_lines(bench: Bench) -> None:
    def height(lines: int) -> int:
        bench.box.set_prompt(Prompt("x", "\n".join("word" for _ in range(lines))))
        layout = bench.box.layout()
        assert layout is not None
        layout.activate()
        return max(bench.box.sizeHint().height(), bench.box.minimumHeight())

    assert height(1) == 40
    assert height(2) < height(5) == height(9)


def test_a_text_of_ones_own_is_asked_without_the_example_s_system_message(bench: Bench) -> None:
    bench.choose(CODE)
    bench.write("Hello")

    assert bench.box.prompt == Prompt("prompt", "Hello")
    assert bench.told == "The example's system message is left out: this is another text."

    while bench.field.toPlainText() != CODE.text:
        bench.field.undo()
    assert bench.box.prompt == CODE
    assert bench.told.startswith("With a system message")

    bench.choose(STORY)
    assert bench.told == ""


def test_a_system_message_that_was_taken_off_stays_off(bench: Bench) -> None:
    bench.choose(CODE)
    bench.remove_system()
    bench.write("Hello")

    assert bench.told == ""
    while bench.field.toPlainText() != CODE.text:
        bench.field.undo()
    prompt = bench.box.prompt
    assert prompt is not None
    assert prompt.system is None
