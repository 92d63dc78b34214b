"""The frame of Compare: its tabs, and what is kept, opened and exported."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QWidget
from pytestqt.qtbot import QtBot

from app.core.experiment import Experiment, to_json
from app.core.experiment_entry import ExperimentEntry
from app.ui.chips import Chip
from app.ui.compare_page import ComparePage, CompareTab
from app.ui.experiments import Experiments
from app.ui.icons import Icons
from app.ui.side import Side, off_side
from app.ui.tasks import Tasks
from app.ui.theme import Theme
from tests.fakes.children import child
from tests.fakes.compare_services import ComparePlace, compare_place
from tests.fakes.experiments import (
    CODE,
    DRAFTED,
    prompt_experiment,
    suite_experiment,
    sweep_experiment,
    trace_of,
)


class Opened:
    """The page on the screen, with a store of its own."""

    def __init__(self, place: ComparePlace, folder: Path, qtbot: QtBot) -> None:
        self.place = place
        self.qtbot = qtbot
        self.experiments = Experiments(folder / "comparisons.sqlite", Tasks(threads=1))
        self.entries: tuple[ExperimentEntry, ...] = ()
        self.experiments.entries_changed.connect(self._take_entries)
        self.page = ComparePage(place.services, self.experiments)
        self.problems: list[str] = []
        self.page.problem_occurred.connect(self.problems.append)
        qtbot.addWidget(self.page)
        self.page.resize(1150, 700)
        self.page.show()

    def choose(self, tab: CompareTab) -> None:
        child(self.page, Chip, f"compare_tabs_{tab.value}").click()

    def finish(self, experiment: Experiment) -> None:
        """A comparison has ended, and is on the disk."""
        before = len(self.entries)
        self.place.comparison.finished.emit(experiment)
        self.qtbot.waitUntil(lambda: len(self.entries) == before + 1)

    def read(self, id_: int) -> Experiment:
        found: list[Experiment] = []
        self.experiments.read(self.page, id_, found.append)
        self.qtbot.waitUntil(lambda: bool(found))
        return found[0]

    def _take_entries(self, entries: tuple[ExperimentEntry, ...]) -> None:
        self.entries = entries


@pytest.fixture
def opened(theme: Theme, icons: Icons, tmp_path: Path, qtbot: QtBot) -> Iterator[Opened]:
    place = compare_place(theme, icons, tmp_path)
    made = Opened(place, tmp_path, qtbot)
    yield made
    made.page.close()
    made.experiments.close()
    place.close()


@pytest.mark.parametrize("tab", list(CompareTab))
def test_every_tab_can_be_gone_to(opened: Opened, tab: CompareTab) -> None:
    opened.choose(tab)
    assert opened.page.tab is tab
    shown = [each for each in CompareTab if child(opened.page, QWidget, f"{each.value}_tab").isVisible()]
    assert shown == [tab]


def test_what_was_measured_is_kept_at_once(opened: Opened) -> None:
    experiment = prompt_experiment()
    opened.finish(experiment)
    assert opened.read(opened.entries[0].id) == experiment
    assert opened.page.latest == experiment


def test_a_trace_is_kept_with_its_experiment(opened: Opened) -> None:
    opened.finish(prompt_experiment())
    opened.page.replay_tab.trace_recorded.emit(trace_of(DRAFTED))
    opened.page.replay_tab.trace_recorded.emit(trace_of(DRAFTED, acceptance=0.5))  # in place of that
    again = opened.read(opened.entries[0].id)
    assert again.traces == (trace_of(DRAFTED, acceptance=0.5),)
    assert opened.page.latest == again


@pytest.mark.parametrize(
    ("experiment", "tab"),
    [
        (prompt_experiment(), CompareTab.PROMPT),
        (suite_experiment(), CompareTab.SUITE),
        (sweep_experiment(), CompareTab.SWEEP),
    ],
)
def test_one_from_the_history_is_shown_where_it_belongs(
    opened: Opened, experiment: Experiment, tab: CompareTab
) -> None:
    opened.finish(experiment)
    opened.choose(CompareTab.EXPECT)
    child(opened.page, QAbstractButton, "history_button").click()
    table = child(opened.page, QAbstractItemView, "history_table")
    opened.qtbot.waitUntil(lambda: table.model().rowCount() == 1)
    child(table.window(), QAbstractItemView, "history_table").doubleClicked.emit(table.model().index(0, 0))
    opened.qtbot.waitUntil(lambda: opened.page.tab is tab)
    assert opened.page.latest == experiment


def test_a_file_is_looked_at_and_not_kept(opened: Opened, tmp_path: Path) -> None:
    file = tmp_path / "bench.json"
    file.write_bytes(to_json(suite_experiment()))
    opened.page.open_file(file)
    opened.qtbot.waitUntil(lambda: opened.page.tab is CompareTab.SUITE)
    opened.page.replay_tab.trace_recorded.emit(trace_of(DRAFTED, prompt=CODE.id))
    opened.experiments.refresh()
    opened.experiments.add(opened.page, prompt_experiment(), lambda _: None)
    opened.qtbot.waitUntil(lambda: len(opened.entries) == 1)


def test_a_file_that_is_none_is_told(opened: Opened, tmp_path: Path) -> None:
    file = tmp_path / "notes.json"
    file.write_text("[]", encoding="utf-8")
    opened.page.open_file(file)
    opened.qtbot.waitUntil(lambda: bool(opened.problems))
    assert opened.page.latest is None


def test_each_tab_exports_its_own(opened: Opened) -> None:
    export = child(opened.page, QAbstractButton, "export_button")
    opened.choose(CompareTab.SWEEP)
    assert not export.isEnabled()
    opened.finish(prompt_experiment())
    assert not export.isEnabled()  # that was none
    opened.choose(CompareTab.PROMPT)
    assert export.isEnabled()
    child(opened.page, QAction, "copy_markdown_action").trigger()
    assert CODE.text.splitlines()[0][:30] in QGuiApplication.clipboard().text()


def test_what_is_to_be_remembered_goes_to_the_window(opened: Opened) -> None:
    heard: list[Side] = []
    opened.page.remember_requested.connect(heard.append)
    for tab in (opened.page.prompt_tab, opened.page.suite_tab, opened.page.sweep_tab):
        tab.remember_requested.emit(off_side())
    assert heard == [off_side()] * 3
