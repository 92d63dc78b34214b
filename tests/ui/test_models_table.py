"""The rows of My Models: what they say, how they are sorted and narrowed down, and that they keep still."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from app.models.library import LocalModel
from app.ui.models_table import ModelColumn, ModelRole, ModelsFilter, ModelsTable
from tests.fakes.local_models import local_model

SMALL = local_model(
    "SmolLM2 135M Instruct",
    path=Path("/m/smol.Q4_1.gguf"),
    parameters=135_000_000,
    size_bytes=98_000_000,
    architecture="llama",
    publisher="HuggingFaceTB",
    quantisation="Q4_1",
    modified=3.0,
)
CODER = local_model("Qwen2.5 Coder 1.5B", path=Path("/m/coder.gguf"), size_bytes=1_120_000_000, modified=2.0)
LARGE = local_model(
    "Llama 3.1 8B",
    path=Path("/m/llama-00001-of-00002.gguf"),
    parts=(Path("/m/llama-00001-of-00002.gguf"), Path("/m/llama-00002-of-00002.gguf")),
    parameters=8_000_000_000,
    size_bytes=4_920_000_000,
    architecture="llama",
    publisher="",
    modified=1.0,
)


@pytest.fixture
def table(qtbot: QtBot) -> Iterator[ModelsTable]:
    made = ModelsTable(lambda: date(1970, 1, 1))
    tester = QAbstractItemModelTester(made, QAbstractItemModelTester.FailureReportingMode.Fatal)
    made.show_models((SMALL, CODER, LARGE))
    yield made
    tester.deleteLater()


@pytest.fixture
def rows(table: ModelsTable) -> Iterator[ModelsFilter]:
    made = ModelsFilter(table)
    tester = QAbstractItemModelTester(made, QAbstractItemModelTester.FailureReportingMode.Fatal)
    yield made
    tester.deleteLater()


def shown(rows: ModelsFilter) -> list[LocalModel]:
    return [rows.model_of(rows.index(row, 0)) for row in range(rows.rowCount())]


class TestTexts:
    def test_of_a_row(self, table: ModelsTable) -> None:
        texts = [table.index(2, column).data() for column in ModelColumn]
        assert texts[:-1] == [
            "llama",
            "8.0B",
            "",
            "Llama 3.1 8B",
            "Q4_K_M · 2 parts",
            "4.92 GB",
            "today",
        ]

    def test_of_the_header(self, table: ModelsTable) -> None:
        names = [table.headerData(column, Qt.Orientation.Horizontal) for column in ModelColumn]
        assert names == ["Arch", "Params", "Publisher", "Name", "Quant", "Size", "Modified", ""]

    def test_a_tooltip_tells_all_files(self, table: ModelsTable) -> None:
        tooltip = table.index(2, ModelColumn.NAME).data(Qt.ItemDataRole.ToolTipRole)
        assert tooltip == "\n".join(str(part) for part in LARGE.info.parts)

    def test_models_in_use_are_marked(self, table: ModelsTable) -> None:
        table.set_loaded(CODER.path, SMALL.path)
        uses = [table.index(row, ModelColumn.NAME).data(ModelRole.USE) for row in range(3)]
        assert uses == ["draft", "loaded", ""]
        assert [table.index(row, 0).data(ModelRole.IS_LOADED) for row in range(3)] == [False, True, False]
        spoken = table.index(1, ModelColumn.NAME).data(Qt.ItemDataRole.AccessibleTextRole)
        assert spoken == "Qwen2.5 Coder 1.5B, loaded"
        table.set_loaded(None, None)
        assert table.index(1, ModelColumn.NAME).data(ModelRole.USE) == ""


class TestSorting:
    @pytest.mark.parametrize(
        ("column", "order"),
        [
            (ModelColumn.NAME, [LARGE, CODER, SMALL]),
            (ModelColumn.PARAMS, [SMALL, CODER, LARGE]),
            (ModelColumn.SIZE, [SMALL, CODER, LARGE]),
            (ModelColumn.MODIFIED, [LARGE, CODER, SMALL]),
            (ModelColumn.ARCH, [LARGE, SMALL, CODER]),
            (ModelColumn.PUBLISHER, [SMALL, CODER, LARGE]),
            (ModelColumn.QUANT, [SMALL, CODER, LARGE]),
        ],
    )
    def test_is_by_what_the_texts_stand_for(
        self, column: ModelColumn, order: list[LocalModel], rows: ModelsFilter
    ) -> None:
        rows.sort(column, Qt.SortOrder.AscendingOrder)
        assert shown(rows) == order

    def test_backwards_ties_stay_in_order(self, rows: ModelsFilter) -> None:
        rows.sort(ModelColumn.ARCH, Qt.SortOrder.DescendingOrder)
        assert shown(rows) == [CODER, LARGE, SMALL]

    def test_a_changed_row_finds_its_place(self, table: ModelsTable, rows: ModelsFilter) -> None:
        rows.sort(ModelColumn.NAME, Qt.SortOrder.AscendingOrder)
        table.show_models((SMALL, replace(CODER, name="A"), LARGE))
        assert [model.name for model in shown(rows)] == ["A", "Llama 3.1 8B", "SmolLM2 135M Instruct"]


class TestNarrowing:
    @pytest.mark.parametrize(
        ("text", "found"),
        [
            ("qwen", [CODER]),
            ("LLAMA", [LARGE, SMALL]),
            ("hugging 135m", [SMALL]),
            ("instruct q4_1", [SMALL]),
            ("4.92", [LARGE]),
            ("2 parts", [LARGE]),
            ("smol.q4", [SMALL]),
            ("00001-of", [LARGE]),
            ("  ", [LARGE, CODER, SMALL]),
            ("nothing", []),
        ],
    )
    def test_takes_words_of_any_column(self, text: str, found: list[LocalModel], rows: ModelsFilter) -> None:
        rows.narrow(text)
        assert shown(rows) == found
        assert rows.is_narrowed is bool(text.strip())

    def test_ends_with_an_empty_text(self, rows: ModelsFilter) -> None:
        rows.narrow("qwen")
        rows.narrow("")
        assert rows.rowCount() == 3


class TestKeepingStill:
    def place(self, rows: ModelsFilter, model: LocalModel) -> QModelIndex:
        return rows.index(shown(rows).index(model), 0)

    def test_a_selection_outlives_a_change_of_other_rows(
        self, table: ModelsTable, rows: ModelsFilter
    ) -> None:
        selection = QItemSelectionModel(rows)
        flags = QItemSelectionModel.SelectionFlag
        selection.select(self.place(rows, CODER), flags.ClearAndSelect | flags.Rows)
        newer = local_model("AAA", path=Path("/m/new.gguf"))
        table.show_models((newer, replace(CODER, modified=9.0)))
        chosen = [rows.model_of(index).path for index in selection.selectedRows()]
        assert chosen == [CODER.path]

    def test_a_row_that_goes_takes_its_index_with_it(self, table: ModelsTable, rows: ModelsFilter) -> None:
        kept = QPersistentModelIndex(self.place(rows, CODER))
        gone = QPersistentModelIndex(self.place(rows, SMALL))
        table.show_models((LARGE, CODER))
        assert rows.model_of(kept) == CODER
        assert not gone.isValid()

    def test_nothing_is_told_when_nothing_changed(self, table: ModelsTable, qtbot: QtBot) -> None:
        with (
            qtbot.assertNotEmitted(table.dataChanged),
            qtbot.assertNotEmitted(table.rowsInserted),
            qtbot.assertNotEmitted(table.rowsRemoved),
        ):
            table.show_models((LARGE, CODER, SMALL))
            table.set_loaded(None, None)
