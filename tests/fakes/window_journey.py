"""A person's way through the window, driven by mouse and keyboard events; run as a program of its own.

    python -m tests.fakes.window_journey first|second MODELS_FOLDER SCREENSHOTS_FOLDER

The first visit sets everything up and chats, the second finds it all again. SLIPSTREAM_HOME names where the
program keeps its things, DISPLAY the screen. Ends with exit code 0, or with what went wrong.
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QDialog,
    QFileDialog,
    QLineEdit,
    QListView,
    QPlainTextEdit,
    QWidget,
)

from app.bootstrap import window
from app.core.chat import AnswerState, ChatMessage, Role
from app.core.options import SpeculationMode
from app.settings import ThemeChoice, UserMode
from app.ui.application import make_application
from app.ui.form_parts import ChoiceBox
from app.ui.load_dialog import LoadDialog
from app.ui.main_window import MainWindow
from app.ui.models_view import CONFIGURE, ModelsView
from app.ui.number_field import NumberField
from app.ui.rail import PageName
from app.ui.session_state import Running
from tests.fakes.children import child

SIZES = (QSize(1280, 800), QSize(1920, 1080))
TARGET, DRAFT = "F32", "Q4_1"  # the quantisations that tell the two files apart
PROMPT = "Write the numbers from one to twelve, each on its own line, twice."


def until(reached: Callable[[], bool], what: str, seconds: float = 120.0) -> None:
    """Lets the window live until something has come about."""
    deadline = time.monotonic() + seconds
    while not reached():
        if time.monotonic() > deadline:
            raise AssertionError(f"in {seconds:.0f} s it did not come about that {what}")
        QTest.qWait(20)


class Visitor:
    """Hands and eyes."""

    def __init__(self, main: MainWindow, screenshots: Path, visit: str) -> None:
        self.main = main
        self._screenshots = screenshots
        self._visit = visit

    def look(self, name: str, widget: QWidget | None = None) -> None:
        """Takes a picture in every size, dark and light; a given widget as it is."""
        shown = widget or self.main
        preferences = self.main.services.preferences
        for theme in (ThemeChoice.LIGHT, ThemeChoice.DARK):
            preferences.update(theme=theme)
            for size in SIZES if widget is None else (widget.size(),):
                shown.resize(size)
                QTest.qWait(150)
                picture = shown.grab()
                path = self._screenshots / f"{self._visit}-{name}-{theme.value}-{size.width()}.png"
                assert picture.save(str(path)), f"{path} could not be written"

    def press(self, name: str, within: QWidget | None = None) -> None:
        """Clicks a button."""
        found = child(within or self.main, QAbstractButton, name)
        until(lambda: found.isVisible() and found.isEnabled(), f"{name} can be pressed", 20)
        QTest.mouseClick(found, Qt.MouseButton.LeftButton)

    def page(self, page: PageName) -> None:
        """Goes to a page."""
        self.press(f"{page.value}_page_button")

    def running(self) -> Running:
        """The loaded model."""
        state = self.main.services.session.state
        assert isinstance(state, Running), state
        return state

    def add_folder(self, folder: Path) -> None:
        """Through the dialog of My Models."""
        self.page(PageName.MODELS)
        self.press("add_folder_button")
        dialog = child(self.main, QFileDialog, "add_folder_dialog")
        until(dialog.isVisible, "the folder can be chosen", 20)
        field = child(dialog, QLineEdit, "fileNameEdit")
        field.setText(str(folder))
        QTest.keyClick(field, Qt.Key.Key_Return)
        table = child(self.main, ModelsView, "models_table")
        until(lambda: table.model().rowCount() == 2, "both models are listed")

    def open_config(self) -> LoadDialog:
        """The gear of the target's row."""
        table = child(self.main, ModelsView, "models_table")
        rows = range(table.model().rowCount())
        texts = {row: [str(table.model().index(row, column).data()) for column in range(7)] for row in rows}
        row = next(row for row, shown in texts.items() if TARGET in shown)
        place = table.button_place(row, CONFIGURE)
        assert not place.isEmpty()
        QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place.center())
        return self.dialog()

    def dialog(self) -> LoadDialog:
        """The one that is open."""
        until(lambda: bool(self._dialogs()), "the load dialog opens", 20)
        return self._dialogs()[0]

    def choose_draft(self, dialog: LoadDialog) -> None:
        """Speculative Decoding: Draft Model, and the other file."""
        box = child(dialog, ChoiceBox, "speculation_mode_box")
        box.setFocus()
        QTest.keyClick(box, Qt.Key.Key_Down)
        picker = child(dialog, QListView, "draft_model_picker")
        until(lambda: picker.model().rowCount() >= 1 and "…" not in self._first(picker), "drafts are checked")
        place = picker.visualRect(picker.model().index(0, 0))
        QTest.mouseClick(picker.viewport(), Qt.MouseButton.LeftButton, pos=place.center())

    def type_number(self, dialog: QDialog, name: str, text: str) -> None:
        """Into a number field, in place of what it holds."""
        field = child(dialog, NumberField, name)
        field.setFocus()
        field.selectAll()
        QTest.keyClicks(field, text)
        QTest.keyClick(field, Qt.Key.Key_Tab)

    def ask(self, prompt: str) -> ChatMessage:
        """Sends a prompt and waits for its whole answer."""
        self.page(PageName.CHAT)
        before = len(self.main.chat.messages)
        field = child(self.main, QPlainTextEdit, "composer_field")
        field.setFocus()
        QTest.keyClicks(field, prompt)
        QTest.keyClick(field, Qt.Key.Key_Return)
        until(lambda: len(self.main.chat.messages) == before + 2, "the prompt is on its way", 30)
        until(lambda: not self.main.chat.is_answering, "the answer is whole")
        answer = self.main.chat.messages[-1]
        assert answer.role is Role.ASSISTANT
        assert answer.answer is not None and answer.answer.state is AnswerState.FINISHED, answer
        assert answer.answer.stats is not None
        return answer

    def _dialogs(self) -> list[LoadDialog]:
        return [dialog for dialog in self.main.findChildren(LoadDialog) if dialog.isVisible()]

    @staticmethod
    def _first(picker: QListView) -> str:
        return str(picker.model().index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole))


def first_visit(visitor: Visitor, models: Path) -> None:
    """Add folder, Edit Model Default Config, choose the draft, Remember settings, Load, chat on and off."""
    main = visitor.main
    visitor.look("chat-empty")
    visitor.page(PageName.MODELS)
    visitor.look("models-empty")
    visitor.add_folder(models)
    visitor.look("models")
    dialog = visitor.open_config()
    visitor.look("dialog-off", dialog)
    visitor.choose_draft(dialog)
    visitor.press("draft_length_choice_fixed", dialog)  # an automatic one may well draft nothing here
    visitor.type_number(dialog, "max_draft_tokens_field", "5")
    visitor.type_number(dialog, "context_length_field", "2k")
    visitor.press("inference_tab_button", dialog)
    visitor.type_number(dialog, "temperature_field", "0")
    visitor.type_number(dialog, "max_tokens_field", "160")
    visitor.look("dialog-inference", dialog)
    visitor.press("load_tab_button", dialog)
    visitor.look("dialog-draft", dialog)
    remember = child(dialog, QAbstractButton, "remember_settings_box")
    if not remember.isChecked():
        remember.click()
    visitor.press("load_model_button", dialog)
    until(lambda: isinstance(main.services.session.state, Running), "the model is loaded")
    state = visitor.running()
    assert state.has_draft, state.loaded
    assert state.loaded.context_length == 2048
    drafted = visitor.ask(PROMPT)
    assert drafted.answer is not None and drafted.answer.stats is not None
    assert drafted.answer.stats.accepted > 0
    assert drafted.answer.spans
    switch = child(main, QAbstractButton, "visualize_switch")
    if not switch.isChecked():
        visitor.press("visualize_switch")
    visitor.look("chat-drafted")
    visitor.press("speculation_switch")
    until(
        lambda: visitor.running().speculation is SpeculationMode.OFF, "speculation is off without a reload", 5
    )
    visitor.press("new_chat_button")
    plain = visitor.ask(PROMPT)
    assert plain.answer is not None and plain.answer.stats is not None
    assert plain.answer.stats.drafted == 0 and plain.answer.draft is None
    assert plain.text == drafted.text, "greedy answers must not depend on drafting"
    visitor.look("chat-plain")
    visitor.page(PageName.MODELS)
    visitor.look("models-loaded")
    visitor.page(PageName.SETTINGS)
    visitor.look("settings")


def second_visit(visitor: Visitor, models: Path) -> None:
    """After a restart: nothing is loaded by itself, and everything that was set is still there."""
    main = visitor.main
    settings = main.services.preferences.settings
    assert models in settings.extra_folders
    visitor.page(PageName.MODELS)
    table = child(main, ModelsView, "models_table")
    until(lambda: table.model().rowCount() == 2, "both models are listed again", 30)
    dialog = visitor.open_config()
    config = next(config for path, config in settings.configs.items() if TARGET in path.name)
    assert config.speculation.mode is SpeculationMode.DRAFT_MODEL
    assert config.draft is not None and DRAFT in config.draft.name
    assert child(dialog, NumberField, "max_draft_tokens_field").text() == "5"
    visitor.press("load_model_button", dialog)
    until(lambda: isinstance(main.services.session.state, Running), "the model is loaded again")
    assert visitor.running().setup.config.speculation.max_draft_tokens == 5
    main.services.preferences.update(mode=UserMode.DEVELOPER)
    visitor.page(PageName.CHAT)
    conversations = main.conversations.conversations
    assert len(conversations) == 2, conversations
    main.conversations.conversation_chosen.emit(conversations[-1].id)
    until(lambda: len(main.chat.messages) == 2, "the conversation is shown again", 20)
    assert main.chat.messages[0].text == PROMPT
    visitor.look("chat-developer")


def main() -> int:
    """One visit."""
    visit, models, screenshots = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    application = make_application(sys.argv[:1])
    with window(application) as opened:
        QTest.qWaitForWindowExposed(opened)
        visitor = Visitor(opened, screenshots, visit)
        (first_visit if visit == "first" else second_visit)(visitor, models)
    QApplication.processEvents()
    return 0


if __name__ == "__main__":
    sys.exit(main())
