"""The page of Compare on the screen."""

from pathlib import Path

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from app.core.experiment import Experiment
from app.core.experiment_entry import ExperimentEntry
from app.core.experiment_file import to_json
from app.core.trace import Trace
from app.ui.chips import Chip
from app.ui.compare_page import ComparePage, CompareTab
from app.ui.experiments import Experiments
from app.ui.replay_tab import ReplayTab
from app.ui.tasks import Tasks
from app.ui.widgets import ElidedLabel
from tests.fakes.children import child
from tests.fakes.compare_services import ComparePlace


class OpenedComparePage:
    """With a store of its own, and all that it said."""

    def __init__(self, place: ComparePlace, folder: Path, qtbot: QtBot, *, shown: bool = True) -> None:
        self.place = place
        self.qtbot = qtbot
        self.experiments = Experiments(folder / "comparisons.sqlite", Tasks(threads=1))
        self.entries: tuple[ExperimentEntry, ...] = ()
        self.experiments.entries_changed.connect(self._take_entries)
        self.page = ComparePage(place.services, self.experiments)
        self.problems: list[str] = []
        self.remarks: list[str] = []
        self.withdrawn: list[str] = []
        self.page.problem_occurred.connect(self.problems.append)
        self.page.remark_made.connect(self.remarks.append)
        self.page.withdrawn.connect(self.withdrawn.append)
        qtbot.addWidget(self.page)
        self.page.resize(1150, 700)
        self.page.setVisible(shown)

    def close(self) -> None:
        self.page.close()
        self.experiments.close()

    def choose(self, tab: CompareTab) -> None:
        child(self.page, Chip, f"compare_tabs_{tab.value}").click()

    @property
    def built(self) -> set[CompareTab]:
        return {each for each in CompareTab if self.page.findChild(QWidget, f"{each.value}_tab") is not None}

    @property
    def told(self) -> str:
        """What was done, beside the buttons."""
        return child(self.page, ElidedLabel, "compare_told").whole_text

    def open_bad_file(self) -> str:
        """What is said of it."""
        file = self.page_file("notes.json", b"[]")
        before = len(self.problems)
        self.page.open_file(file)
        self.qtbot.waitUntil(lambda: len(self.problems) > before)
        return self.problems[-1]

    def open_file(self, experiment: Experiment) -> None:
        self.page.open_file(self.page_file("bench.json", to_json(experiment)))
        self.qtbot.waitUntil(lambda: self.page.latest == experiment)

    def page_file(self, name: str, content: bytes) -> Path:
        path = self.experiments.path.with_name(name)
        path.write_bytes(content)
        return path

    def export(self, path: Path) -> None:
        child(self.page, QAction, "save_json_action").trigger()
        dialog = child(self.page.window(), QFileDialog, "export_file_dialog")
        dialog.fileSelected.emit(str(path))
        dialog.close()
        dialog.setObjectName("done")

    def record(self, trace: Trace) -> None:
        """An answer of what is shown has been recorded."""
        self.choose(CompareTab.REPLAY)
        child(self.page, ReplayTab, "replay_tab").trace_recorded.emit(trace)

    def open_first_of_history(self) -> None:
        child(self.page, QAbstractButton, "history_button").click()
        table = child(self.page, QAbstractItemView, "history_table")
        self.qtbot.waitUntil(lambda: table.model().rowCount() > 0)
        table.doubleClicked.emit(table.model().index(0, 0))

    def finish(self, experiment: Experiment) -> None:
        """A comparison has ended, and is on the disk."""
        before = len(self.entries)
        self.place.comparison.finished.emit(experiment)
        self.qtbot.waitUntil(lambda: len(self.entries) == before + 1)

    def read(self, id_: int) -> Experiment:
        found: list[Experiment] = []
        self.experiments.read(self.page, id_, found.append, self.problems.append)
        self.qtbot.waitUntil(lambda: bool(found))
        return found[0]

    def _take_entries(self, entries: tuple[ExperimentEntry, ...]) -> None:
        self.entries = entries
