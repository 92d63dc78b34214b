"""The history: found, opened and deleted by mouse and keyboard, and nothing lost by a slip."""

from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QFileDialog,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.core.experiment_store import ExperimentStore
from app.settings import ThemeChoice
from app.ui.experiments import Experiments
from app.ui.history_dialog import HistoryDialog
from app.ui.history_table import HistoryRole
from app.ui.history_view import DELETE, OPEN, HistoryView
from app.ui.icons import Icons
from app.ui.theme import Theme
from app.ui.undo_bar import UndoBar
from tests.fakes.children import child
from tests.fakes.experiments import prompt_experiment
from tests.fakes.held_tasks import HeldTasks
from tests.fakes.tasks import ImmediateTasks

NOON = datetime(2026, 11, 30, 12).timestamp()


class Shown:
    """The dialog over a window, and all that it said."""

    def __init__(self, qtbot: QtBot, theme: Theme, icons: Icons, experiments: Experiments) -> None:
        self.qtbot = qtbot
        self.experiments = experiments
        self._theme, self._icons = theme, icons
        self.window = QWidget()
        self.window.resize(960, 560)
        qtbot.addWidget(self.window)
        self.window.show()
        self.chosen: list[int] = []
        self.files: list[Path] = []
        self.open()

    def open(self) -> None:
        today = date(2026, 11, 30)
        self.dialog = HistoryDialog(
            self._theme, self._icons, self.experiments, self.window, today=lambda: today
        )
        self.dialog.experiment_chosen.connect(self.chosen.append)
        self.dialog.file_chosen.connect(self.files.append)
        self.dialog.finished.connect(self.dialog.deleteLater)
        self.dialog.open()
        self.qtbot.waitExposed(self.dialog)
        self.view = child(self.dialog, HistoryView, "history_table")
        self.search = child(self.dialog, QLineEdit, "history_search_field")

    def reopen(self) -> None:
        self.dialog.reject()
        QApplication.sendPostedEvents(None, 0)
        QApplication.processEvents()
        self.open()

    @property
    def listed(self) -> list[int]:
        rows = self.view.model()
        return [rows.index(row, 0).data(HistoryRole.ENTRY).id for row in range(rows.rowCount())]

    @property
    def current(self) -> int:
        return int(self.view.currentIndex().siblingAtColumn(0).data(HistoryRole.ENTRY).id)

    def press(self, key: Qt.Key, widget: QWidget | None = None) -> None:
        self.qtbot.keyClick(widget or self.view, key)

    def click(self, name: str) -> None:
        self.qtbot.mouseClick(child(self.dialog, QPushButton, name), Qt.MouseButton.LeftButton)

    def click_in_row(self, row: int, name: str) -> None:
        place = self.view.button_place(row, name).center()
        self.qtbot.mouseClick(self.view.viewport(), Qt.MouseButton.LeftButton, pos=place)

    def text(self, name: str) -> str:
        return child(self.dialog, QLabel, name).text()

    @property
    def undo(self) -> UndoBar:
        return child(self.dialog, UndoBar, "undo_bar")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "comparisons.sqlite"


@pytest.fixture
def experiments(qtbot: QtBot, path: Path) -> Iterator[Experiments]:
    made = Experiments(path, ImmediateTasks(threads=1))
    yield made
    made.close()


@pytest.fixture
def shown(qtbot: QtBot, theme: Theme, icons: Icons, experiments: Experiments) -> Iterator[Shown]:
    """With comparisons 4, 3, 2, 1."""
    owner = QObject()
    for number, prompt in enumerate(("quicksort", "a story", "a letter", "quicksort again")):
        made = replace(prompt_experiment((8.0,), (16.0,)), created=NOON + number)
        asked = replace(made, prompts=(replace(made.prompts[0], text=prompt),))
        experiments.add(owner, asked, lambda _id: None)
    made_ = Shown(qtbot, theme, icons, experiments)
    yield made_
    made_.dialog.close()


def kept(path: Path) -> list[int]:
    store, _ = ExperimentStore.open(path)
    found = [entry.id for entry in store.entries()]
    store.close()
    return found


class TestOpening:
    def test_the_newest_is_ready_to_be_opened(self, shown: Shown) -> None:
        assert shown.listed == [4, 3, 2, 1]
        assert shown.text("history_count") == "4 comparisons"
        assert shown.view.hasFocus()
        shown.press(Qt.Key.Key_Return)

        assert shown.chosen == [4]
        assert shown.dialog.result() == QDialog.DialogCode.Accepted

    @pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter])
    def test_by_the_keyboard(self, shown: Shown, key: Qt.Key) -> None:
        shown.press(Qt.Key.Key_Down)
        shown.press(Qt.Key.Key_Down)
        shown.press(Qt.Key.Key_Up)
        shown.press(key)

        assert shown.chosen == [3]

    def test_by_a_double_click(self, shown: Shown) -> None:
        place = shown.view.visualRect(shown.view.model().index(2, 1)).center()
        shown.qtbot.mouseClick(shown.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
        assert shown.chosen == []
        shown.qtbot.mouseDClick(shown.view.viewport(), Qt.MouseButton.LeftButton, pos=place)

        assert shown.chosen == [2]

    def test_by_the_button(self, shown: Shown) -> None:
        shown.click_in_row(1, OPEN)

        assert shown.chosen == [3]

    def test_by_the_menu(self, shown: Shown) -> None:
        shown.view.menu_requested.emit(shown.view.model().index(3, 0), QPoint(0, 0))
        menu = child(shown.dialog, QMenu, "history_menu")
        child(menu, QAction, "open_experiment_action").trigger()
        menu.close()

        assert shown.chosen == [1]

    def test_the_first_and_the_last_row_are_one_key_away(self, shown: Shown) -> None:
        shown.press(Qt.Key.Key_End)
        assert shown.current == 1
        shown.press(Qt.Key.Key_Home)
        assert shown.current == 4

    def test_escape_closes(self, shown: Shown) -> None:
        shown.press(Qt.Key.Key_Escape)

        assert not shown.dialog.isVisible()
        assert shown.chosen == []

    def test_a_file_of_the_command_line(self, shown: Shown, tmp_path: Path) -> None:
        shown.click("open_experiment_file_button")
        dialog = child(shown.dialog, QFileDialog, "open_experiment_file_dialog")
        assert dialog.acceptMode() is QFileDialog.AcceptMode.AcceptOpen
        assert dialog.nameFilters()[0] == "Comparisons (*.json)"
        dialog.fileSelected.emit(str(tmp_path / "bench.json"))

        assert shown.files == [tmp_path / "bench.json"]
        assert shown.dialog.result() == QDialog.DialogCode.Accepted


class TestSearching:
    def test_narrows_the_list_and_enter_opens_the_first(self, shown: Shown) -> None:
        shown.qtbot.keyClicks(shown.search, "quicksort")
        assert shown.listed == [4, 1]
        assert shown.text("history_count") == "2 of 4 comparisons"
        shown.press(Qt.Key.Key_Return, shown.search)

        assert shown.chosen == [4]

    def test_the_arrow_key_goes_to_the_list(self, shown: Shown) -> None:
        shown.search.setFocus()
        shown.press(Qt.Key.Key_Down, shown.search)

        assert shown.view.hasFocus()

    def test_nothing_found_says_so(self, shown: Shown) -> None:
        shown.qtbot.keyClicks(shown.search, "<b>zebra</b>")
        assert shown.text("no_history_title") == "No comparison found"
        assert shown.text("no_history_text") == "Nothing matches “<b>zebra</b>”."
        assert not shown.view.isVisible()
        shown.press(Qt.Key.Key_Return, shown.search)
        assert shown.chosen == []
        shown.click("clear_history_search_button")

        assert shown.listed == [4, 3, 2, 1]
        assert shown.view.isVisible()

    def test_escape_clears_first_and_then_closes(self, shown: Shown) -> None:
        shown.search.setFocus()
        shown.qtbot.keyClicks(shown.search, "story")
        shown.press(Qt.Key.Key_Escape, shown.search)
        assert shown.listed == [4, 3, 2, 1]
        assert shown.dialog.isVisible()
        shown.press(Qt.Key.Key_Escape, shown.search)

        assert not shown.dialog.isVisible()


class TestDeleting:
    def test_can_be_undone(self, shown: Shown) -> None:
        shown.press(Qt.Key.Key_Down)
        shown.press(Qt.Key.Key_Delete)
        assert shown.listed == [4, 2, 1]
        assert shown.undo.accessibleName() == "Deleted “a letter”"
        shown.click("undo_button")

        assert shown.listed == [4, 3, 2, 1]
        assert shown.undo.isHidden()

    def test_by_the_usual_keys(self, shown: Shown) -> None:
        shown.press(Qt.Key.Key_Delete)
        shown.qtbot.keySequence(shown.view, QKeySequence.StandardKey.Undo)
        assert shown.listed == [4, 3, 2, 1]
        assert shown.undo.isHidden()
        assert shown.view.hasFocus()

        shown.qtbot.keySequence(shown.view, QKeySequence.StandardKey.Undo)
        assert shown.listed == [4, 3, 2, 1]

    def test_by_button_and_by_menu(self, shown: Shown) -> None:
        shown.click_in_row(0, DELETE)
        shown.view.menu_requested.emit(shown.view.model().index(0, 0), QPoint(0, 0))
        menu = child(shown.dialog, QMenu, "history_menu")
        child(menu, QAction, "delete_experiment_action").trigger()
        menu.close()

        assert shown.listed == [2, 1]
        assert shown.chosen == []

    def test_the_keyboard_goes_on_beside_what_has_gone(self, shown: Shown) -> None:
        shown.press(Qt.Key.Key_Down)
        shown.press(Qt.Key.Key_Delete)
        assert shown.view.hasFocus()
        assert shown.current == 2, "the one below"
        assert shown.view.selectionModel().isSelected(shown.view.currentIndex())

    def test_several_are_brought_back_together(self, shown: Shown) -> None:
        for _number in range(3):
            shown.press(Qt.Key.Key_Delete)
        assert len(shown.listed) == 1
        assert shown.undo.accessibleName() == "3 comparisons were deleted"
        shown.click("undo_button")

        assert shown.listed == [4, 3, 2, 1]

    def test_a_key_that_is_held_deletes_one(self, shown: Shown) -> None:
        shown.press(Qt.Key.Key_Delete)
        for _number in range(5):
            held = QKeyEvent(
                QKeyEvent.Type.KeyPress, Qt.Key.Key_Delete, Qt.KeyboardModifier.NoModifier, "", True
            )
            QApplication.sendEvent(shown.view, held)

        assert shown.listed == [3, 2, 1]

    def test_is_for_good_only_when_the_offer_has_ended(self, shown: Shown, path: Path) -> None:
        shown.press(Qt.Key.Key_Delete)
        shown.press(Qt.Key.Key_Delete)
        assert len(shown.experiments.deleted) == 2
        shown.undo.expire()

        assert list(shown.experiments.deleted) == []
        shown.experiments.undo_delete(4)
        assert shown.listed == [2, 1]

    def test_the_offer_outlives_the_dialog(self, shown: Shown) -> None:
        shown.press(Qt.Key.Key_Delete)
        shown.reopen()
        assert shown.listed == [3, 2, 1]
        assert shown.undo.isVisible()
        assert shown.undo.accessibleName() == "1 comparison was deleted"
        shown.click("undo_button")

        assert shown.listed == [4, 3, 2, 1]

    def test_the_last_one_leaves_an_empty_list_and_comes_back(self, shown: Shown) -> None:
        for _number in range(4):
            shown.press(Qt.Key.Key_Delete)
        assert shown.text("no_history_title") == "No comparisons yet"
        assert shown.undo.isVisible()
        shown.click("undo_button")

        assert shown.listed == [4, 3, 2, 1]
        assert shown.view.isVisible()


class TestFocus:
    """The list comes from the disk some time after the dialog is there."""

    @pytest.fixture
    def slow(
        self, qtbot: QtBot, theme: Theme, icons: Icons, shown: Shown, path: Path
    ) -> Iterator[tuple[Shown, HeldTasks]]:
        shown.experiments.close()
        disk = HeldTasks()
        late = Shown(qtbot, theme, icons, Experiments(path, disk))
        yield late, disk
        late.dialog.close()
        late.experiments.close()
        disk.release_all()

    def test_is_in_the_list_as_soon_as_it_has_come(self, slow: tuple[Shown, HeldTasks]) -> None:
        shown, disk = slow
        assert not shown.search.hasFocus()
        disk.release_all()
        assert shown.view.hasFocus()
        assert shown.view.selectionModel().isSelected(shown.view.currentIndex())
        shown.press(Qt.Key.Key_Return, shown.dialog.focusWidget())

        assert shown.chosen == [4]

    def test_stays_where_somebody_is_searching(self, shown: Shown) -> None:
        shown.search.setFocus()
        shown.qtbot.keyClicks(shown.search, "zebra")
        shown.search.clear()

        assert shown.search.hasFocus()


def test_where_nothing_is_kept_there_is_still_a_file_to_open(
    qtbot: QtBot, theme: Theme, icons: Icons, experiments: Experiments
) -> None:
    shown = Shown(qtbot, theme, icons, experiments)

    assert shown.text("no_history_title") == "No comparisons yet"
    assert shown.text("history_count") == ""
    assert not shown.search.isEnabled()
    assert child(shown.dialog, QPushButton, "open_experiment_file_button").isEnabled()
    shown.dialog.close()


def test_the_theme_can_change_meanwhile(shown: Shown, theme: Theme) -> None:
    dark = shown.view.grab().toImage()
    theme.choose(ThemeChoice.LIGHT)

    assert shown.view.grab().toImage() != dark


def test_all_columns_fit_in_the_smallest_window(shown: Shown) -> None:
    widths = [shown.view.columnWidth(column) for column in range(5)]

    assert sum(widths) == shown.view.viewport().width()
    assert min(widths) >= 100
    assert shown.dialog.width() <= 960
    assert shown.dialog.height() <= 560
