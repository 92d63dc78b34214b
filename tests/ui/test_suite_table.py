"""The table of a suite."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QAbstractItemModelTester, QSignalSpy
from pytestqt.qtbot import QtBot

from app.core.suite_result import SuiteRow, suite_result
from app.ui.icons import Icons
from app.ui.suite_table import SuiteColumn, SuiteRole, SuiteTable
from app.ui.suite_view import SuiteView
from app.ui.theme import Theme
from tests.fakes.experiments import CODE, COPY, DRAFTED, OFF, STORY, suite_experiment

TITLES = {"code": "Code", "story": "Story"}


def rows(*, ended_runs: int | None = None) -> tuple[SuiteRow, ...]:
    experiment = suite_experiment((OFF, DRAFTED), ended_runs=ended_runs)
    return suite_result(experiment.prompts, DRAFTED, OFF, experiment.summary).rows


@pytest.fixture
def table() -> Iterator[SuiteTable]:
    """Empty, and watched for breaches of Qt's rules."""
    made = SuiteTable(TITLES)
    tester = QAbstractItemModelTester(made, QAbstractItemModelTester.FailureReportingMode.Fatal)
    yield made
    tester.deleteLater()
    made.deleteLater()


def texts(table: SuiteTable, row: int) -> list[str]:
    return [str(table.index(row, column).data()) for column in SuiteColumn]


def test_each_prompt_has_its_figures(table: SuiteTable) -> None:
    table.show_rows(rows(), "Off", "Draft Model")
    assert texts(table, 0) == ["Code", CODE.id, "8.3", "16.6", "2.00×", "78.9 %", "Yes"]
    assert table.index(0, SuiteColumn.SPEEDUP).data(SuiteRole.INTERVAL) == "1.95 to 2.05"
    assert texts(table, 2)[:2] == ["copy", COPY.id]  # a suite that is not built in


def test_the_last_row_is_all_of_them(table: SuiteTable) -> None:
    table.show_rows(rows(), "Off", "Draft Model")
    assert texts(table, 3)[:2] == ["All", "3 prompts"]
    assert texts(table, 3)[4] == "1.67×"


def test_headers_name_the_sides(table: SuiteTable) -> None:
    table.show_rows(rows(), "Off", "Draft Model")
    names = [table.headerData(column, Qt.Orientation.Horizontal) for column in SuiteColumn]
    assert names == [
        "Kind",
        "Prompt",
        "Off, tok/s",
        "Draft Model, tok/s",
        "Speed-up",
        "Acceptance",
        "Identical",
    ]


def test_what_has_not_run_yet_is_missing(table: SuiteTable) -> None:
    table.show_rows(rows(ended_runs=1), "Off", "Draft Model")
    assert texts(table, 0) == ["Code", CODE.id, "8.2", "–", "–", "–", "–"]


def test_rows_appear_as_prompts_end_and_the_others_stay(table: SuiteTable) -> None:
    inserted, reset = QSignalSpy(table.rowsInserted), QSignalSpy(table.modelReset)
    table.show_rows(rows(ended_runs=6), "Off", "Draft Model")
    assert table.rowCount() == 1
    table.show_rows(rows(ended_runs=7), "Off", "Draft Model")
    assert [texts(table, row)[1] for row in range(3)] == [CODE.id, STORY.id, "1 prompt"]
    table.show_rows(rows(), "Off", "Draft Model")
    assert [texts(table, row)[1] for row in range(4)] == [CODE.id, STORY.id, COPY.id, "3 prompts"]
    assert inserted.count() == 3
    assert reset.count() == 0


def test_figures_that_change_are_told(table: SuiteTable) -> None:
    table.show_rows(rows(ended_runs=1), "Off", "Draft Model")
    changed = QSignalSpy(table.dataChanged)
    table.show_rows(rows(ended_runs=2), "Off", "Draft Model")
    assert changed.count() == 1
    assert texts(table, 0)[3:5] == ["16.4", "2.00×"]
    table.show_rows((), "Off", "Draft Model")
    assert table.rowCount() == 0


@pytest.fixture
def view(table: SuiteTable, theme: Theme, icons: Icons, qtbot: QtBot) -> SuiteView:
    made = SuiteView(theme, icons, table)
    qtbot.addWidget(made)
    made.resize(900, 300)
    return made


def colours_of_bar(view: SuiteView, row: int, speedup: float) -> QColor:
    image = view.viewport().grab().toImage()
    return image.pixelColor(view.bar_place(row, speedup).center())


def test_bars_go_right_for_a_gain_and_left_for_a_loss(
    view: SuiteView, table: SuiteTable, theme: Theme
) -> None:
    table.show_rows(rows(), "Off", "Draft Model")
    gain, loss, largest = view.bar_place(0, 2.0), view.bar_place(1, 0.9), view.bar_place(2, 2.6)
    assert abs(loss.right() - gain.left()) <= 1  # at 1×
    assert loss.width() < gain.width() < largest.width()
    assert colours_of_bar(view, 0, 2.0) == theme.colours.accent
    assert colours_of_bar(view, 1, 0.9) == theme.colours.warning


@pytest.mark.parametrize("width", [480, 640, 900, 1200])
def test_columns_fill_the_width(view: SuiteView, table: SuiteTable, width: int) -> None:
    table.show_rows(rows(), "Off", "Draft Model")
    view.resize(width, 300)
    view.fit()
    widths = [view.columnWidth(column) for column in SuiteColumn]
    assert min(widths) > 0
    if width >= 640:
        assert sum(widths) == view.viewport().width()


def test_a_row_that_is_chosen_is_told_and_kept(view: SuiteView, table: SuiteTable) -> None:
    table.show_rows(rows(ended_runs=1), "Off", "Draft Model")
    told: list[SuiteRow | None] = []
    view.row_selected.connect(told.append)
    view.selectRow(0)
    table.show_rows(rows(), "Off", "Draft Model")
    assert [row.prompt for row in told if row is not None] == [CODE.id, CODE.id]  # with its new figures
    assert told[-1] is not None
    assert told[-1].speedup is not None
    assert view.selected == told[-1]
