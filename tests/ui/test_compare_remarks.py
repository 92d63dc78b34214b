"""What Compare says of openings and exports, and for how long."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from app.core.experiment_file import from_json
from tests.fakes.children import child
from tests.fakes.compare_services import ComparePlace
from tests.fakes.experiments import DRAFTED, prompt_experiment, suite_experiment, trace_of
from tests.fakes.opened_compare_page import OpenedComparePage


@pytest.fixture
def opened(place: ComparePlace, tmp_path: Path, qtbot: QtBot) -> Iterator[OpenedComparePage]:
    made = OpenedComparePage(place, tmp_path, qtbot)
    yield made
    made.close()


class TestWhatIsSaid:
    """Of an opening or an export, and no longer than it is about what is shown."""

    def test_another_problem_takes_the_place_of_the_one_before(self, opened: OpenedComparePage) -> None:
        first = opened.open_bad_file()
        assert opened.withdrawn == []
        opened.open_bad_file()
        assert opened.withdrawn == [first]

    def test_what_is_opened_then_ends_it(self, opened: OpenedComparePage) -> None:
        problem = opened.open_bad_file()
        opened.open_file(suite_experiment())
        assert opened.withdrawn == [problem]

    def test_so_does_an_export(self, opened: OpenedComparePage, tmp_path: Path) -> None:
        opened.finish(prompt_experiment())
        opened.export(tmp_path / "gone" / "a.json")
        opened.qtbot.waitUntil(lambda: len(opened.problems) == 1)
        opened.export(tmp_path / "a.json")
        opened.qtbot.waitUntil(lambda: opened.told == "Saved as a.json")
        assert opened.withdrawn == opened.problems

    def test_a_failed_export_is_not_told_beside_one_that_went_well(
        self, opened: OpenedComparePage, tmp_path: Path
    ) -> None:
        opened.finish(prompt_experiment())
        opened.export(tmp_path / "a.json")
        opened.qtbot.waitUntil(lambda: opened.told == "Saved as a.json")
        opened.export(tmp_path / "gone" / "b.json")
        opened.qtbot.waitUntil(lambda: len(opened.problems) == 1)
        assert opened.told == ""

    def test_so_does_what_is_measured(self, opened: OpenedComparePage) -> None:
        opened.finish(prompt_experiment())
        child(opened.page, QAction, "copy_markdown_action").trigger()
        assert opened.told == "Copied as Markdown"
        problem = opened.open_bad_file()
        opened.finish(prompt_experiment((7.0,), (9.0,)))
        assert (opened.told, opened.withdrawn) == ("", [problem])

    def test_wait_is_over_when_there_is_nothing_to_wait_for(self, opened: OpenedComparePage) -> None:
        child(opened.page, QAbstractButton, "run_button").click()
        opened.page.open_file(opened.page_file("bench.json", b""))
        assert len(opened.problems) == 1
        opened.place.comparison.give_up()
        assert opened.withdrawn == opened.problems

    def test_a_warning_about_what_is_kept_stays(self, opened: OpenedComparePage) -> None:
        opened.experiments.failed.emit("The disk is full. It stays in the list until Slipstream is closed.")
        opened.open_file(suite_experiment())
        assert len(opened.problems) == 1
        assert opened.withdrawn == []

    def test_a_very_long_name_does_not_push_the_window_apart(
        self, opened: OpenedComparePage, tmp_path: Path
    ) -> None:
        opened.finish(prompt_experiment())
        before = opened.page.minimumSizeHint().width()
        opened.export(tmp_path / f"{'x' * 200}.json")
        opened.qtbot.waitUntil(lambda: opened.told.startswith("Saved as xxx"))
        assert opened.told.endswith("x…")
        assert opened.page.minimumSizeHint().width() == before


class TestRecordingOntoAFile:
    def test_is_said_not_to_be_kept(self, opened: OpenedComparePage) -> None:
        opened.open_file(prompt_experiment())
        opened.record(trace_of(DRAFTED))
        assert opened.remarks == [
            "This comparison was opened from a file: the recording is shown, but it is not kept. Export as "
            "JSON keeps both."
        ]
        opened.record(trace_of(DRAFTED))
        assert opened.withdrawn == opened.remarks[:1]

    def test_what_is_exported_has_it(self, opened: OpenedComparePage, tmp_path: Path) -> None:
        opened.open_file(prompt_experiment())
        opened.record(trace_of(DRAFTED))
        opened.export(tmp_path / "a.json")
        opened.qtbot.waitUntil(lambda: opened.told == "Saved as a.json")
        assert from_json((tmp_path / "a.json").read_bytes()).traces == (trace_of(DRAFTED),)

    def test_one_that_is_stored_needs_no_words(self, opened: OpenedComparePage) -> None:
        opened.finish(prompt_experiment())
        opened.record(trace_of(DRAFTED))
        assert opened.remarks == []
