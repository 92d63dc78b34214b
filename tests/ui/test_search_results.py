"""The rows of a search."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester

from app.models.hub import Gate
from app.ui.search_results import Ending, ResultRole, SearchResults
from tests.fakes.scripted_hub import found_model


@pytest.fixture
def results() -> Iterator[SearchResults]:
    """An empty list, watched for breaches of Qt's rules."""
    made = SearchResults()
    tester = QAbstractItemModelTester(made, QAbstractItemModelTester.FailureReportingMode.Fatal)
    yield made
    tester.deleteLater()
    made.deleteLater()


def texts(results: SearchResults) -> list[str]:
    """What is written in the rows."""
    return [results.index(row).data() for row in range(results.rowCount())]


def test_pages_follow_on_each_other(results: SearchResults) -> None:
    results.replace([found_model("x/a"), found_model("x/b")])
    results.append([found_model("x/c")])
    assert texts(results) == ["a", "b", "c"]
    results.replace([found_model("y/d")])
    assert texts(results) == ["d"]


def test_what_moved_to_the_next_page_meanwhile_is_listed_once(results: SearchResults) -> None:
    results.replace([found_model("x/a"), found_model("x/b")])
    results.append([found_model("x/b"), found_model("x/c")])
    assert texts(results) == ["a", "b", "c"]


def test_the_last_row_says_how_it_goes_on(results: SearchResults) -> None:
    results.replace([found_model("x/a"), found_model("x/b")])
    results.end_with(Ending.LOADING)
    assert texts(results)[2:] == ["Looking for more…"]
    results.end_with(Ending.NONE)
    assert len(texts(results)) == 2
    results.end_with(Ending.FAILED, "The line is poor.")
    last = results.index(2)
    assert last.data(ResultRole.IS_FAILED)
    assert last.data(Qt.ItemDataRole.ToolTipRole) == "The line is poor."
    assert last.flags() & Qt.ItemFlag.ItemIsEnabled
    results.end_with(Ending.OVER)
    assert texts(results)[2:] == ["Those are all 2."]
    assert not results.index(2).flags() & Qt.ItemFlag.ItemIsEnabled


def test_a_row_tells_its_publisher_and_its_figures(results: SearchResults) -> None:
    results.replace([found_model("Qwen/Q-GGUF", downloads=212_345, likes=1, gate=Gate.MANUAL)])
    row = results.index(0)
    assert row.data() == "Q-GGUF"
    assert row.data(ResultRole.DETAILS) == "Qwen · 212k downloads · 1 like"
    assert row.data(Qt.ItemDataRole.AccessibleTextRole) == "Q-GGUF, Qwen · 212k downloads · 1 like, gated"


def test_figures_that_the_hub_does_not_give_are_left_out(results: SearchResults) -> None:
    results.replace([found_model("Qwen/Q", downloads=None, likes=None)])
    assert results.index(0).data(ResultRole.DETAILS) == "Qwen"


def test_names_of_strangers_are_shown_safely(results: SearchResults) -> None:
    results.replace([found_model("evil/\u202egpj.exe\n")])
    assert results.index(0).data() == "\ufffdgpj.exe\ufffd"


def test_a_repository_is_found_by_its_name(results: SearchResults) -> None:
    results.replace([found_model("x/a"), found_model("x/B")])
    assert (results.row_of("X/b"), results.row_of("x/c")) == (1, -1)
