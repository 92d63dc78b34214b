"""A comparison from Run to History, in the real window; run as a program of its own.

    python -m tests.fakes.compare_journey MODELS_FOLDER SCREENSHOTS_FOLDER

SLIPSTREAM_HOME names where the program keeps its things, DISPLAY the screen. Ends with exit code 0, or with
what went wrong. Leaves `comparison.json`, `.csv`, `.png` and `.svg` beside the pictures.
"""

import sys
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QFileDialog,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QWidget,
)

from app.bootstrap import window
from app.core.experiment import Experiment
from app.core.experiment_file import from_json
from app.core.options import SpeculationMode
from app.core.verdict import verdict_of
from app.ui.application import make_application
from app.ui.chips import Chip
from app.ui.compare_page import ComparePage, CompareTab
from app.ui.form_parts import ChoiceBox
from app.ui.prompt_tab import PromptTab
from app.ui.rail import PageName
from app.ui.session_state import Running
from tests.fakes.children import child
from tests.fakes.window_journey import Visitor, until

PROMPT = "Write the numbers from one to twelve, each on its own line, twice."
REPEATS = 3


class Comparer(Visitor):
    """A visitor of Compare."""

    @property
    def compare(self) -> ComparePage:
        """The page."""
        return self.main.compare_page

    def tab(self, tab: CompareTab) -> None:
        """Goes to a tab."""
        QTest.mouseClick(child(self.compare, Chip, f"compare_tabs_{tab.value}"), Qt.MouseButton.LeftButton)
        assert self.compare.tab is tab

    def choose(self, name: str, value: int) -> None:
        """A number of a choice box, with the arrow keys."""
        box = child(self.compare, ChoiceBox, name)
        box.setFocus()
        QTest.keyClick(box, Qt.Key.Key_Home)
        while box.value < value:
            before = box.value
            QTest.keyClick(box, Qt.Key.Key_Down)
            assert box.value != before, f"{name} has no {value}"
        assert box.value == value

    def run(self, prefix: str = "") -> None:
        """Presses Run and waits for the end."""
        self.press(f"{prefix}run_button", self.compare)
        comparison = self.main.services.comparison
        assert comparison.is_running
        until(lambda: not comparison.is_running, "the comparison has ended", 240)

    def export(self, action: str, path: Path) -> None:
        """Through the Export menu and its file dialog."""
        child(self.compare, QAction, action).trigger()
        until(lambda: bool(self._file_dialogs()), "a place can be chosen", 20)
        field = child(self._file_dialogs()[0], QLineEdit, "fileNameEdit")
        field.setText(str(path))
        QTest.keyClick(field, Qt.Key.Key_Return)
        until(path.exists, f"{path.name} is written", 20)

    def _file_dialogs(self) -> list[QFileDialog]:
        return [dialog for dialog in self.main.findChildren(QFileDialog) if dialog.isVisible()]

    def load_pair(self, models: Path) -> None:
        """As in the first visit."""
        self.add_folder(models)
        dialog = self.open_config()
        self.choose_draft(dialog)
        self.press("draft_length_choice_fixed", dialog)
        self.type_number(dialog, "max_draft_tokens_field", "5")
        self.type_number(dialog, "context_length_field", "2k")
        self.press("inference_tab_button", dialog)
        self.type_number(dialog, "temperature_field", "0")
        self.press("load_model_button", dialog)
        until(lambda: isinstance(self.main.services.session.state, Running), "the model is loaded")
        assert self.running().has_draft, self.running().loaded


def visit(visitor: Comparer, models: Path, folder: Path) -> None:
    """Compare without a model, then with one: run, result, keep, export, reopen, sweep, how it works."""
    visitor.page(PageName.COMPARE)
    visitor.look("compare-empty")
    visitor.load_pair(models)
    visitor.page(PageName.COMPARE)
    field = child(child(visitor.compare, PromptTab, "prompt_tab"), QPlainTextEdit, "prompt_field")
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, PROMPT)
    visitor.choose("repeats_box", REPEATS)
    visitor.choose("answer_length_box", 32)
    visitor.look("compare-ready")
    visitor.run()
    measured = _measured(visitor)
    check(measured)
    visitor.look("compare-result")
    visitor.export("save_json_action", folder / "comparison.json")
    visitor.export("save_csv_action", folder / "comparison.csv")
    visitor.export("save_png_action", folder / "comparison.png")
    visitor.export("save_svg_action", folder / "comparison.svg")
    assert from_json((folder / "comparison.json").read_bytes()) == measured
    child(visitor.compare, QAction, "copy_markdown_action").trigger()
    assert measured.target.title in QGuiApplication.clipboard().text()
    remember(visitor)
    how_it_works(visitor)
    visitor.tab(CompareTab.EXPECT)
    visitor.look("compare-expect")
    reopen(visitor, measured)


def check(measured: Experiment) -> None:
    """The same text on both sides, and figures for both."""
    assert measured.is_complete and len(measured.runs) == 2 * REPEATS
    plain, drafted = measured.summary
    assert drafted.identical, drafted.first_difference
    assert plain.tok_per_s is not None and drafted.tok_per_s is not None
    assert drafted.accepted > 0 and plain.tested == 0
    assert drafted.speedup_interval is not None
    assert verdict_of(measured) is not None
    assert all(run.stats.cached_prompt_tokens == 0 for run in measured.runs)


def remember(visitor: Comparer) -> None:
    """Turns drafting off by the card, and on again."""
    target = visitor.running().setup.target.path
    settings = visitor.main.services.preferences
    for button, mode in (
        ("result_first_button", SpeculationMode.OFF),
        ("result_second_button", SpeculationMode.DRAFT_MODEL),
    ):
        visitor.press(button, visitor.compare)
        assert settings.settings.config_for(target).speculation.mode is mode
        assert visitor.running().speculation is mode


def how_it_works(visitor: Comparer) -> None:
    """Records the answer, and steps through it."""
    visitor.tab(CompareTab.REPLAY)
    visitor.press("record_trace_button", visitor.compare)
    until(lambda: bool(_measured(visitor).traces), "the answer is recorded")
    trace = _measured(visitor).traces[0]
    tested = sum(len(round_.tested) for round_ in trace.rounds)
    assert tested > 0
    visitor.look("compare-replay")


def reopen(visitor: Comparer, measured: Experiment) -> None:
    """From the history, where the newest stands first."""
    visitor.press("history_button", visitor.compare)
    table = child(visitor.main, QAbstractItemView, "history_table")
    until(lambda: table.isVisible() and table.model().rowCount() == 1, "the comparison is listed", 20)
    visitor.look("compare-history", table.window())
    table.setFocus()
    QTest.keyClick(table, Qt.Key.Key_Return)
    until(lambda: visitor.compare.tab is CompareTab.PROMPT, "it is shown again", 20)
    shown = child(visitor.compare, PromptTab, "prompt_tab").experiment
    assert shown is not None and shown.runs == measured.runs
    assert shown.traces, "what was recorded is kept"
    assert child(visitor.compare, QLabel, "result_sentence").isVisible()
    visitor.look("compare-reopened")


def _measured(visitor: Comparer) -> Experiment:
    found = visitor.compare.latest
    assert found is not None
    return found


def main() -> int:
    """The visit."""
    models, folder = Path(sys.argv[1]), Path(sys.argv[2])
    application = make_application(sys.argv[:1])
    with window(application) as opened:
        QTest.qWaitForWindowExposed(opened)
        assert child(opened, QWidget, "compare_page") is opened.compare_page
        visit(Comparer(opened, folder, "first"), models, folder)
    QApplication.processEvents()
    return 0


if __name__ == "__main__":
    sys.exit(main())
