"""The frame of Compare: its tabs, and what is kept, opened and exported."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QMenu, QWidget
from pytestqt.qtbot import QtBot

from app.core.experiment import Experiment
from app.core.experiment_file import to_json
from app.ui.compare_page import CompareTab
from app.ui.measuring_tab import MeasuringTab
from app.ui.prompt_tab import PromptTab
from app.ui.side import Side, off_side
from app.ui.suite_tab import SuiteTab
from tests.fakes.children import child
from tests.fakes.compare_services import ComparePlace
from tests.fakes.experiments import (
    CODE,
    DRAFTED,
    LOOKUP,
    STORY,
    prompt_experiment,
    suite_experiment,
    sweep_experiment,
    trace_of,
)
from tests.fakes.opened_compare_page import OpenedComparePage


@pytest.fixture
def opened(place: ComparePlace, tmp_path: Path, qtbot: QtBot) -> Iterator[OpenedComparePage]:
    made = OpenedComparePage(place, tmp_path, qtbot)
    yield made
    made.close()


@pytest.mark.parametrize("tab", list(CompareTab))
def test_every_tab_can_be_gone_to(opened: OpenedComparePage, tab: CompareTab) -> None:
    opened.choose(tab)
    assert opened.page.tab is tab
    shown = [each for each in opened.built if child(opened.page, QWidget, f"{each.value}_tab").isVisible()]
    assert shown == [tab]


def test_what_was_measured_is_kept_at_once(opened: OpenedComparePage) -> None:
    experiment = prompt_experiment()
    opened.finish(experiment)
    assert opened.read(opened.entries[0].id) == experiment
    assert opened.page.latest == experiment


def test_a_trace_is_kept_with_its_experiment(opened: OpenedComparePage) -> None:
    opened.finish(prompt_experiment())
    opened.record(trace_of(DRAFTED))
    opened.record(trace_of(DRAFTED, acceptance=0.5))  # in place of that
    again = opened.read(opened.entries[0].id)
    assert again.traces == (trace_of(DRAFTED, acceptance=0.5),)
    assert opened.page.latest == again


def test_those_of_other_answers_stay_beside_it(opened: OpenedComparePage) -> None:
    opened.finish(suite_experiment(repeats=1))
    traces = (trace_of(DRAFTED), trace_of(LOOKUP), trace_of(DRAFTED, prompt=STORY.id))
    for trace in traces:
        opened.record(trace)
    assert opened.read(opened.entries[0].id).traces == traces


@pytest.mark.parametrize(
    ("experiment", "tab"),
    [
        (prompt_experiment(), CompareTab.PROMPT),
        (suite_experiment(), CompareTab.SUITE),
        (sweep_experiment(), CompareTab.SWEEP),
    ],
)
def test_one_from_the_history_is_shown_where_it_belongs(
    opened: OpenedComparePage, experiment: Experiment, tab: CompareTab
) -> None:
    opened.finish(experiment)
    opened.choose(CompareTab.EXPECT)
    opened.open_first_of_history()
    opened.qtbot.waitUntil(lambda: opened.page.tab is tab)
    assert opened.page.latest == experiment


def test_a_file_is_looked_at_and_not_kept(opened: OpenedComparePage, tmp_path: Path) -> None:
    file = tmp_path / "bench.json"
    file.write_bytes(to_json(suite_experiment()))
    opened.page.open_file(file)
    opened.qtbot.waitUntil(lambda: opened.page.tab is CompareTab.SUITE)
    opened.record(trace_of(DRAFTED, prompt=CODE.id))
    opened.experiments.refresh()
    opened.experiments.add(opened.page, prompt_experiment(), lambda _: None)
    opened.qtbot.waitUntil(lambda: len(opened.entries) == 1)


def test_a_file_that_is_none_is_told(opened: OpenedComparePage, tmp_path: Path) -> None:
    file = tmp_path / "notes.json"
    file.write_text("[]", encoding="utf-8")
    opened.page.open_file(file)
    opened.qtbot.waitUntil(lambda: bool(opened.problems))
    assert opened.page.latest is None


def test_each_tab_exports_its_own(opened: OpenedComparePage) -> None:
    export = child(opened.page, QAbstractButton, "export_button")
    opened.choose(CompareTab.SWEEP)
    assert not export.isEnabled()
    opened.finish(prompt_experiment())
    assert not export.isEnabled()  # that was none
    opened.choose(CompareTab.PROMPT)
    assert export.isEnabled()
    child(opened.page, QAction, "copy_markdown_action").trigger()
    assert CODE.text.splitlines()[0][:30] in QGuiApplication.clipboard().text()


def test_what_is_to_be_remembered_goes_to_the_window(opened: OpenedComparePage) -> None:
    heard: list[Side] = []
    opened.page.remember_requested.connect(heard.append)
    for tab in (CompareTab.PROMPT, CompareTab.SUITE, CompareTab.SWEEP):
        opened.choose(tab)
        child(opened.page, MeasuringTab, f"{tab.value}_tab").remember_requested.emit(off_side())
    assert heard == [off_side()] * 3


def test_tabs_are_built_when_they_are_first_wanted(place: ComparePlace, tmp_path: Path, qtbot: QtBot) -> None:
    """They take a while, and not everybody who starts the window compares."""
    opened = OpenedComparePage(place, tmp_path, qtbot, shown=False)
    assert opened.built == set()
    opened.page.show()
    assert opened.built == {CompareTab.PROMPT}
    opened.choose(CompareTab.EXPECT)
    assert opened.built == {CompareTab.PROMPT, CompareTab.EXPECT}
    opened.close()


def test_a_tab_that_is_built_late_shows_what_there_is(opened: OpenedComparePage) -> None:
    measured = prompt_experiment()
    opened.finish(measured)
    opened.finish(suite_experiment())
    for tab, kind in ((CompareTab.PROMPT, PromptTab), (CompareTab.SUITE, SuiteTab)):
        opened.choose(tab)
        assert child(opened.page, kind, f"{tab.value}_tab").experiment in (measured, suite_experiment())


def test_nothing_is_opened_while_a_comparison_runs(opened: OpenedComparePage, tmp_path: Path) -> None:
    """Else what is exported would not be what is shown, and what is timed would be disturbed."""
    opened.finish(suite_experiment())
    before = prompt_experiment((7.0,), (9.0,))
    opened.finish(before)
    child(opened.page, QAbstractButton, "run_button").click()
    assert opened.place.comparison.is_running
    opened.open_first_of_history()
    file = tmp_path / "bench.json"
    file.write_bytes(to_json(sweep_experiment()))
    opened.page.open_file(file)
    wait = "A comparison is running. Wait until it has ended, then open another one."
    opened.qtbot.waitUntil(lambda: opened.problems == [wait, wait])
    assert opened.page.latest is before
    assert opened.page.tab is CompareTab.PROMPT
    opened.place.comparison.give_up()
    opened.page.open_file(file)
    opened.qtbot.waitUntil(lambda: opened.page.tab is CompareTab.SWEEP)


def test_what_was_being_read_is_not_opened_in_the_middle_of_a_comparison(
    opened: OpenedComparePage, tmp_path: Path
) -> None:
    opened.finish(prompt_experiment())
    opened.open_first_of_history()
    child(opened.page, QAbstractButton, "run_button").click()
    opened.qtbot.waitUntil(lambda: len(opened.problems) == 1)
    opened.place.comparison.give_up()


@pytest.mark.parametrize("tab", list(CompareTab))
def test_the_keyboard_begins_on_the_tab_that_is_shown(opened: OpenedComparePage, tab: CompareTab) -> None:
    opened.choose(tab)
    opened.page.take_focus()
    focus = opened.page.window().focusWidget()
    assert focus is not None
    assert child(opened.page, QWidget, f"{tab.value}_tab").isAncestorOf(focus)


def test_learning_whether_there_is_a_picture_makes_none(opened: OpenedComparePage) -> None:
    """A whole picture takes a tenth of a second."""
    opened.finish(prompt_experiment())
    child(opened.page, QMenu, "export_menu").aboutToShow.emit()
    assert child(opened.page, QAction, "save_png_action").isEnabled()
    assert opened.page.findChild(QWidget, "result_picture") is None


def test_what_has_just_been_measured_can_be_exported_at_once(opened: OpenedComparePage) -> None:
    child(opened.page, QAbstractButton, "run_button").click()
    opened.place.comparison.finish(prompt_experiment())
    assert child(opened.page, QAction, "save_png_action").isEnabled()
    assert child(opened.page, QAction, "save_json_action").isEnabled()


def test_what_was_put_away_is_not_exported(opened: OpenedComparePage) -> None:
    opened.finish(prompt_experiment())
    export = child(opened.page, QAbstractButton, "export_button")
    assert export.isEnabled()
    child(opened.page, QAbstractButton, "compare_remark_button").click()
    assert not export.isEnabled()
