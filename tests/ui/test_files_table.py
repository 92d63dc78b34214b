"""The files of a repository as rows."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester

from app.core.fit import Fit
from app.models.download import (
    Download,
    DownloadRequest,
    DownloadState,
    Failed,
    Finished,
    Paused,
    Queued,
    Retrying,
    Transferring,
    Verifying,
)
from app.models.hub import RemoteFile, RemoteModel
from app.models.hub_problems import HubProblem
from app.models.quantisations import Quality, Reason
from app.ui.file_words import fit_tip, quality_text, quality_tip
from app.ui.files_table import Action, FileColumn, FileRole, FilesTable, RowState
from app.ui.fit_hints import FitHint
from tests.fakes.scripted_hub import COMMIT, remote_model

SMALL, MIDDLE, LARGE = (
    remote_model("Q4_K_M", 1000),
    remote_model("Q8_0", 2000),
    remote_model("F16", 4000, parts=3),
)
ROWS = (SMALL, MIDDLE, LARGE)


@pytest.fixture
def table() -> Iterator[FilesTable]:
    """Three rows, watched for breaches of Qt's rules."""
    made = FilesTable()
    tester = QAbstractItemModelTester(made, QAbstractItemModelTester.FailureReportingMode.Fatal)
    made.show_rows(ROWS)
    yield made
    tester.deleteLater()
    made.deleteLater()


def text(table: FilesTable, row: int, column: FileColumn) -> str:
    return str(table.index(row, column).data())


def tip(table: FilesTable, row: int, column: FileColumn) -> str:
    return str(table.index(row, column).data(Qt.ItemDataRole.ToolTipRole) or "")


def note(table: FilesTable, row: int) -> str:
    return str(table.index(row, FileColumn.FILE).data(FileRole.NOTE))


def state(kind: DownloadState, received: int = 0, row: RemoteModel = SMALL) -> RowState:
    request = DownloadRequest("Qwen/Q", COMMIT, row.files, Path("/models"), "Q")
    return RowState(Download(request, kind, received))


class TestWhatARowSays:
    def test_format_quality_and_size(self, table: FilesTable) -> None:
        columns = (FileColumn.FILE, FileColumn.QUALITY, FileColumn.SIZE, FileColumn.ACTION)
        assert [text(table, 0, column) for column in columns] == ["Q4_K_M", "good", "1.00 kB", "Download"]
        assert tip(table, 0, FileColumn.FILE) == "model-Q4_K_M.gguf"

    def test_a_split_set_is_one_row_with_its_number_of_files(self, table: FilesTable) -> None:
        assert (text(table, 2, FileColumn.FILE), note(table, 2)) == ("F16", "3 files")
        assert len(tip(table, 2, FileColumn.FILE).splitlines()) == 3

    def test_the_file_s_name_is_told_where_the_format_does_not_tell_rows_apart(
        self, table: FilesTable
    ) -> None:
        twins = (remote_model("Q4_0", 1, stem="a"), remote_model("Q4_0", 2, stem="b"), SMALL)
        table.show_rows(twins)
        assert [note(table, row) for row in range(3)] == ["a-Q4_0.gguf", "b-Q4_0.gguf", ""]

    def test_a_file_without_a_format_is_known_by_its_name(self, table: FilesTable) -> None:
        table.show_rows([RemoteModel((RemoteFile("sub/weights\u202e.gguf", 1, None),), "")])
        assert text(table, 0, FileColumn.FILE) == "weights\ufffd"
        assert (note(table, 0), text(table, 0, FileColumn.QUALITY)) == ("", "")

    def test_the_recommended_one_says_so_and_why(self, table: FilesTable) -> None:
        table.recommend((MIDDLE, Reason.SMALL_MODEL))
        assert text(table, 1, FileColumn.QUALITY) == "near original, recommended"
        assert "Recommended: the model is so small" in tip(table, 1, FileColumn.QUALITY)
        assert table.index(1, 0).data(FileRole.IS_RECOMMENDED)
        assert table.index(1, 1).data(FileRole.WORD) == "near original"
        table.recommend((SMALL, Reason.USUAL))
        assert text(table, 1, FileColumn.QUALITY) == "near original"
        assert table.recommended_row == 0

    def test_a_screen_reader_hears_the_whole_row(self, table: FilesTable) -> None:
        said = table.index(0, FileColumn.FILE).data(Qt.ItemDataRole.AccessibleTextRole)
        assert said == "Q4_K_M, good, 1.00 kB, checking…, Download"


class TestThisMachine:
    def test_it_is_being_checked_until_a_hint_comes(self, table: FilesTable) -> None:
        assert text(table, 0, FileColumn.MACHINE) == "checking…"

    @pytest.mark.parametrize(
        ("fit", "word", "tone"),
        [
            (Fit.FITS, "fits", "good"),
            (Fit.FITS_WITHOUT_DRAFT, "fits without draft", "text"),
            (Fit.TIGHT, "tight", "warning"),
            (Fit.TOO_LARGE, "too large", "bad"),
            (Fit.UNKNOWN, "unknown", "muted"),
        ],
    )
    def test_a_word_with_its_colour(self, table: FilesTable, fit: Fit, word: str, tone: str) -> None:
        table.show_hints({SMALL: FitHint(fit, 2_000_000_000, True)})
        assert text(table, 0, FileColumn.MACHINE) == word
        assert table.index(0, FileColumn.MACHINE).data(FileRole.TONE) == tone
        assert "2.00 GB of memory" in tip(table, 0, FileColumn.MACHINE)
        assert text(table, 1, FileColumn.MACHINE) == "checking…"

    def test_a_reckoned_figure_is_called_about(self, qapp: object) -> None:
        assert fit_tip(FitHint(Fit.FITS, 2_000_000_000, False)).startswith("Needs about 2.00 GB of memory.")
        assert fit_tip(FitHint(Fit.UNKNOWN, 2_000_000_000, True)).startswith(
            "Needs 2.00 GB of memory or more."
        )


class TestOnTheWay:
    @pytest.mark.parametrize(
        ("kind", "action", "said"),
        [
            (Queued(), Action.NONE, "queued"),
            (Transferring(), Action.NONE, "42 %"),
            (Retrying(HubProblem.STALLED, "Stalled.", 0.0, 1, 5), Action.NONE, "42 %"),
            (Verifying(), Action.NONE, "checking…"),
            (Paused(), Action.GO_ON, "Resume"),
            (Failed(HubProblem.NOT_FOUND, "Gone."), Action.GO_ON, "Retry"),
            (Finished(Path("/models/q.gguf")), Action.DOWNLOAD, "Download"),
        ],
    )
    def test_the_row_says_how_far_it_is_or_offers_to_go_on(
        self, table: FilesTable, kind: DownloadState, action: Action, said: str
    ) -> None:
        table.show_states({SMALL: state(kind, 429)})
        assert (table.action_of(SMALL), text(table, 0, FileColumn.ACTION)) == (action, said)

    def test_why_it_waits_or_failed_is_told(self, table: FilesTable) -> None:
        table.show_states({SMALL: state(Failed(HubProblem.NOT_FOUND, "Gone."))})
        assert tip(table, 0, FileColumn.ACTION) == "Gone."
        table.show_states({SMALL: state(Paused(), 420)})
        assert tip(table, 0, FileColumn.ACTION) == "Paused at 42 %."

    def test_a_share_is_known_while_it_moves(self, table: FilesTable) -> None:
        table.show_states({SMALL: state(Transferring(), 250)})
        assert table.index(0, 0).data(FileRole.SHARE) == 0.25
        assert table.index(1, 0).data(FileRole.SHARE) is None

    def test_what_is_on_this_computer_can_be_loaded(self, table: FilesTable) -> None:
        table.show_states({SMALL: RowState(path=Path("/models/q.gguf"))})
        assert text(table, 0, FileColumn.MACHINE) == "in My Models"
        assert tip(table, 0, FileColumn.MACHINE) == str(Path("/models/q.gguf"))
        assert (table.action_of(SMALL), text(table, 0, FileColumn.ACTION)) == (Action.LOAD, "Load")

    def test_only_what_changed_is_told(self, table: FilesTable) -> None:
        told: list[tuple[int, int]] = []
        table.dataChanged.connect(lambda first, last: told.append((first.row(), last.row())))
        states = {MIDDLE: state(Transferring(), 5, MIDDLE)}
        table.show_states(states)
        table.show_states(states)
        assert told == [(1, 1)]


def test_projectors_are_neither_checked_nor_loaded(qapp: object) -> None:
    table = FilesTable(checks_fit=False)
    table.show_rows(ROWS)
    assert text(table, 0, FileColumn.MACHINE) == ""
    table.show_states({SMALL: RowState(path=Path("/models/mmproj.gguf"))})
    assert (text(table, 0, FileColumn.MACHINE), table.action_of(SMALL)) == ("on this computer", Action.NONE)


@pytest.mark.parametrize("quality", list(Quality))
def test_every_quality_has_words(quality: Quality, qapp: object) -> None:
    known = quality is not Quality.UNKNOWN
    assert bool(quality_text(quality, recommended=False)) is known
    assert bool(quality_tip(quality, None)) is known
    assert quality_text(quality, recommended=True).endswith("recommended")
