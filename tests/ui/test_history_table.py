"""The rows of the history: what they say, how they are found, and that they keep still."""

from collections.abc import Iterator
from datetime import date, datetime

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPersistentModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from app.core.experiment import ExperimentKind
from app.core.experiment_entry import ExperimentEntry
from app.core.sameness import Sameness
from app.ui.history_table import HistoryColumn, HistoryFilter, HistoryRole, HistoryTable
from tests.fakes.history_entries import history_entry

TODAY = date(2026, 11, 30)
NOON = datetime(2026, 11, 30, 12).timestamp()
NEW = history_entry(3, created=NOON)
MIDDLE = history_entry(
    2, created=NOON - 86_400, kind=ExperimentKind.SUITE, prompt="code, story", prompts=12, speedup=1.4
)
OLD = history_entry(1, created=NOON - 9 * 86_400, target="Llama 8B · Q8_0", sameness=Sameness.DIFFERS)


@pytest.fixture
def table(qtbot: QtBot) -> Iterator[HistoryTable]:
    made = HistoryTable(lambda: TODAY)
    tester = QAbstractItemModelTester(made, QAbstractItemModelTester.FailureReportingMode.Fatal)
    made.show_entries((NEW, MIDDLE, OLD))
    yield made
    tester.deleteLater()


@pytest.fixture
def rows(table: HistoryTable) -> Iterator[HistoryFilter]:
    made = HistoryFilter(table)
    tester = QAbstractItemModelTester(made, QAbstractItemModelTester.FailureReportingMode.Fatal)
    yield made
    tester.deleteLater()


def shown(rows: HistoryTable | HistoryFilter) -> list[ExperimentEntry]:
    return [rows.index(row, 0).data(HistoryRole.ENTRY) for row in range(rows.rowCount())]


def texts(table: HistoryTable, row: int, role: int = Qt.ItemDataRole.DisplayRole) -> list[str]:
    return [table.index(row, column).data(role) for column in HistoryColumn]


class TestTexts:
    def test_of_a_row(self, table: HistoryTable) -> None:
        assert texts(table, 0) == [
            "today", "Coder 1.5B Instruct · F16", "Write quicksort in Python.", "2.02×", ""
        ]  # fmt: skip
        assert texts(table, 0, HistoryRole.DETAILS) == [
            "12:00", "drafted by Coder 0.5B Instruct · Q4_K_M", "Prompt", "identical", ""
        ]  # fmt: skip

    def test_for_screen_readers(self, table: HistoryTable) -> None:
        assert texts(table, 1, Qt.ItemDataRole.AccessibleTextRole) == [
            "yesterday, 12:00",
            "Coder 1.5B Instruct · F16, drafted by Coder 0.5B Instruct · Q4_K_M",
            "code, story, Suite, 12 prompts",
            "1.40× · identical",
            "Enter opens the comparison, Delete deletes it",
        ]

    def test_of_the_header(self, table: HistoryTable) -> None:
        names = [table.headerData(column, Qt.Orientation.Horizontal) for column in HistoryColumn]
        assert names == ["Date", "Models", "Prompt", "Result", ""]

    def test_what_is_cut_is_whole_in_the_tooltip(self, table: HistoryTable) -> None:
        table.show_entries((replace(NEW, prompt="<b>long</b> " * 20),))
        tip = table.index(0, HistoryColumn.PROMPT).data(Qt.ItemDataRole.ToolTipRole)

        assert tip.count("&lt;b&gt;") == 20
        assert table.index(0, HistoryColumn.ACTIONS).data(Qt.ItemDataRole.ToolTipRole) is None


class TestChanges:
    def test_rows_that_stay_keep_still(self, table: HistoryTable) -> None:
        kept = QPersistentModelIndex(table.index(1, 0))
        newest = history_entry(4, created=NOON + 5)
        table.show_entries((newest, MIDDLE, OLD))

        assert shown(table) == [newest, MIDDLE, OLD]
        assert kept.row() == 1
        assert table.row_of(OLD.id) == 2
        assert table.row_of(NEW.id) == -1

    def test_one_that_comes_back_finds_its_place(self, table: HistoryTable) -> None:
        table.show_entries((NEW, OLD))
        assert shown(table) == [NEW, OLD]
        table.show_entries((NEW, MIDDLE, OLD))
        assert shown(table) == [NEW, MIDDLE, OLD]

    def test_a_changed_row_is_told(self, table: HistoryTable, qtbot: QtBot) -> None:
        better = replace(MIDDLE, speedup=3.0)
        with qtbot.waitSignal(table.dataChanged) as told:
            table.show_entries((NEW, better, OLD))

        assert told.args is not None
        assert (told.args[0].row(), told.args[1].row()) == (1, 1)
        assert shown(table) == [NEW, better, OLD]

    @pytest.mark.parametrize("order", [(1, 2, 3), (2, 3, 1), (3, 1, 2), (1, 3, 2), (2, 1, 3), ()])
    def test_any_order_can_follow(self, table: HistoryTable, order: tuple[int, ...]) -> None:
        by_id = {entry.id: entry for entry in (NEW, MIDDLE, OLD)}
        wanted = [by_id[id_] for id_ in order]
        table.show_entries(wanted)

        assert shown(table) == wanted


class TestSearching:
    @pytest.mark.parametrize(
        ("words", "found"),
        [
            ("", [NEW, MIDDLE, OLD]),
            ("LLAMA", [OLD]),
            ("quicksort f16", [NEW]),
            ("yesterday", [MIDDLE]),
            ("suite", [MIDDLE]),
            ("2.02 differs", [OLD]),
            ("q4_k_m", [NEW, MIDDLE, OLD]),
            ("zebra", []),
            ("12:00", []),  # nobody knows the minute; numbers are sizes and counts
            ("12", [MIDDLE]),  # prompts
        ],
    )
    def test_by_words_of_any_column(
        self, rows: HistoryFilter, words: str, found: list[ExperimentEntry]
    ) -> None:
        rows.narrow(words)

        assert shown(rows) == found
        assert rows.is_narrowed is bool(words)

    def test_what_comes_meanwhile_is_searched_too(self, table: HistoryTable, rows: HistoryFilter) -> None:
        rows.narrow("llama")
        another = history_entry(5, created=NOON + 9, target="Llama 1B")
        table.show_entries((another, NEW, MIDDLE, OLD))

        assert shown(rows) == [another, OLD]
        assert rows.index_of(OLD.id).row() == 1
        assert not rows.index_of(NEW.id).isValid()
