"""The button Export: what can be done is offered, and what was done or went wrong is said."""

import csv
from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtGui import QAction, QGuiApplication, QImage
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QFileDialog, QLabel, QMenu, QWidget
from pytestqt.qtbot import QtBot

from app.core.experiment import Experiment
from app.core.experiment_file import from_json
from app.exports import markdown
from app.ui import export_menu
from app.ui.export_menu import ExportMenu
from app.ui.icons import Icons
from app.ui.tasks import Tasks
from app.ui.theme import Theme
from tests.fakes.children import child
from tests.fakes.experiments import prompt_experiment
from tests.fakes.tasks import ImmediateTasks

SHORT = replace(prompt_experiment((8.0,), (16.0,)), created=datetime(2026, 11, 30, 12).timestamp())
OF_EXPERIMENT = ("copy_markdown_action", "save_csv_action", "save_json_action")
OF_PICTURE = ("save_png_action", "save_svg_action")


class Shown:
    """The button in a window, and all that it said."""

    def __init__(self, qtbot: QtBot, theme: Theme, icons: Icons, tasks: Tasks) -> None:
        self.window = QWidget()
        qtbot.addWidget(self.window)
        self.menu = ExportMenu(theme, icons, tasks, self.window)
        self.told: list[str] = []
        self.problems: list[str] = []
        self.menu.told.connect(self.told.append)
        self.menu.problem_occurred.connect(self.problems.append)
        self.chart: QWidget | None = None
        self.pictures = 0  # that were made
        self.window.show()

    def show(self, experiment: Experiment | None, chart: QWidget | None = None) -> None:
        self.chart = chart
        self.menu.show_experiment(experiment, self)

    @property
    def has_picture(self) -> bool:
        return self.chart is not None

    def picture_widget(self) -> QWidget | None:
        self.pictures += 1
        return self.chart

    def draw(self, qtbot: QtBot) -> QLabel:
        chart = QLabel("tok/s")
        chart.resize(200, 100)
        qtbot.addWidget(chart)
        return chart

    def action(self, name: str) -> QAction:
        return child(self.menu, QAction, name)

    @property
    def enabled(self) -> set[str]:
        return {name for name in OF_EXPERIMENT + OF_PICTURE if self.action(name).isEnabled()}

    def ask(self, name: str) -> QFileDialog:
        """Chooses an entry that asks for a file."""
        self.action(name).trigger()
        return child(self.window, QFileDialog, "export_file_dialog")

    def save(self, name: str, path: Path) -> None:
        dialog = self.ask(name)
        dialog.fileSelected.emit(str(path))
        dialog.close()
        dialog.setObjectName("done")


@pytest.fixture
def shown(qtbot: QtBot, theme: Theme, icons: Icons, immediate_tasks: ImmediateTasks) -> Iterator[Shown]:
    made = Shown(qtbot, theme, icons, immediate_tasks)
    made.show(SHORT, made.draw(qtbot))
    yield made
    made.window.close()


class TestWhatIsOffered:
    def test_nothing_where_there_is_nothing(self, shown: Shown) -> None:
        shown.show(None)

        assert shown.enabled == set()
        assert not shown.menu.isEnabled()
        assert shown.menu.toolTip() == "There is nothing to export yet"

    def test_of_an_experiment_without_a_chart(self, shown: Shown) -> None:
        shown.show(SHORT)

        assert shown.enabled == set(OF_EXPERIMENT)
        assert shown.menu.isEnabled()

    def test_of_a_chart_without_an_experiment(self, shown: Shown, qtbot: QtBot) -> None:
        shown.show(None, shown.draw(qtbot))

        assert shown.enabled == set(OF_PICTURE)
        assert shown.menu.isEnabled()

    def test_a_chart_that_came_meanwhile_is_noticed_when_the_menu_opens(
        self, shown: Shown, qtbot: QtBot
    ) -> None:
        shown.show(SHORT)
        shown.chart = shown.draw(qtbot)
        child(shown.menu, QMenu, "export_menu").aboutToShow.emit()

        assert shown.enabled == {*OF_EXPERIMENT, *OF_PICTURE}
        assert shown.pictures == 0, "none is made to learn whether there is one"

    def test_at_first_there_is_nothing(
        self, qtbot: QtBot, theme: Theme, icons: Icons, immediate_tasks: ImmediateTasks
    ) -> None:
        menu = ExportMenu(theme, icons, immediate_tasks)
        qtbot.addWidget(menu)

        assert menu.objectName() == "export_button"
        assert menu.accessibleName() == "Export"
        assert not menu.isEnabled()


class TestCopying:
    def test_markdown_goes_to_the_clipboard(self, shown: Shown) -> None:
        shown.action("copy_markdown_action").trigger()

        assert QGuiApplication.clipboard().text() == markdown(SHORT)
        assert shown.told == ["Copied as Markdown"]


class TestSaving:
    @pytest.mark.parametrize(
        ("action", "ending", "kind"),
        [
            ("save_csv_action", ".csv", "CSV files (*.csv)"),
            ("save_json_action", ".json", "JSON files (*.json)"),
            ("save_png_action", ".png", "PNG pictures (*.png)"),
            ("save_svg_action", ".svg", "SVG pictures (*.svg)"),
        ],
    )
    def test_a_sensible_name_is_offered(self, shown: Shown, action: str, ending: str, kind: str) -> None:
        dialog = shown.ask(action)

        assert dialog.acceptMode() is QFileDialog.AcceptMode.AcceptSave
        assert Path(dialog.selectedFiles()[0]).name == f"slipstream-2026-11-30-coder-1.5b-instruct{ending}"
        assert dialog.defaultSuffix() == ending.removeprefix(".")
        assert dialog.nameFilters()[0] == kind
        dialog.close()

    def test_a_chart_of_no_experiment_is_named_by_the_day(self, shown: Shown, qtbot: QtBot) -> None:
        shown.show(None, shown.draw(qtbot))
        dialog = shown.ask("save_png_action")

        name = Path(dialog.selectedFiles()[0]).name
        assert name == f"slipstream-{date.today().isoformat()}.png"
        dialog.close()

    def test_csv_that_spreadsheets_read(self, shown: Shown, tmp_path: Path) -> None:
        shown.save("save_csv_action", tmp_path / "a.csv")

        content = (tmp_path / "a.csv").read_bytes()
        assert content.startswith(b"\xef\xbb\xbf"), "Excel needs the mark"
        rows = list(csv.DictReader(content.decode("utf-8-sig").splitlines()))
        assert [row["target"] for row in rows] == 2 * ["Coder 1.5B Instruct · F16"]
        assert shown.told == ["Saved as a.csv"]

    def test_half_a_character_keeps_nothing_from_being_exported(self, shown: Shown, tmp_path: Path) -> None:
        halved = replace(SHORT, prompts=(replace(SHORT.prompts[0], suite="a\ud83eb"),))
        shown.show(halved)
        shown.action("copy_markdown_action").trigger()
        shown.save("save_csv_action", tmp_path / "a.csv")
        shown.save("save_json_action", tmp_path / "a.json")

        assert shown.told == ["Copied as Markdown", "Saved as a.csv", "Saved as a.json"]
        assert from_json((tmp_path / "a.json").read_bytes()).prompts[0].suite == "a?b"

    def test_json_that_can_be_opened_again(self, shown: Shown, tmp_path: Path) -> None:
        shown.save("save_json_action", tmp_path / "a.json")

        assert from_json((tmp_path / "a.json").read_bytes()) == SHORT
        assert shown.told == ["Saved as a.json"]

    def test_pictures(self, shown: Shown, tmp_path: Path) -> None:
        shown.save("save_png_action", tmp_path / "a.png")
        shown.save("save_svg_action", tmp_path / "a.svg")

        assert QImage(str(tmp_path / "a.png")).width() >= 400, "twice as fine as on the screen"
        assert QSvgRenderer(str(tmp_path / "a.svg")).isValid()
        assert shown.told == ["Saved as a.png", "Saved as a.svg"]
        assert shown.problems == []

    def test_the_kind_is_the_entrys_whatever_the_name(self, shown: Shown, tmp_path: Path) -> None:
        shown.save("save_svg_action", tmp_path / "picture.txt")

        assert QSvgRenderer(str(tmp_path / "picture.txt")).isValid()

    def test_the_last_folder_is_offered_again(self, shown: Shown, tmp_path: Path) -> None:
        shown.save("save_json_action", tmp_path / "a.json")
        dialog = shown.ask("save_csv_action")

        assert Path(dialog.directory().absolutePath()) == tmp_path
        dialog.close()

    def test_what_was_shown_when_it_was_asked_for_is_saved(self, shown: Shown, tmp_path: Path) -> None:
        dialog = shown.ask("save_json_action")
        shown.show(prompt_experiment((1.0,), (1.0,)))
        dialog.fileSelected.emit(str(tmp_path / "a.json"))
        dialog.close()

        assert from_json((tmp_path / "a.json").read_bytes()) == SHORT


class TestFailures:
    @pytest.mark.parametrize("action", ["save_csv_action", "save_json_action", "save_png_action"])
    def test_are_told_in_a_sentence(self, shown: Shown, tmp_path: Path, action: str) -> None:
        shown.save(action, tmp_path / "gone" / "a.x")

        assert shown.problems == [
            f"“a.x” could not be saved in “{tmp_path / 'gone'}”: the folder is not there."
        ]
        assert shown.told == []

    def test_a_chart_that_has_gone(self, shown: Shown, tmp_path: Path) -> None:
        dialog = shown.ask("save_png_action")
        shown.chart = None
        dialog.fileSelected.emit(str(tmp_path / "a.png"))
        dialog.close()

        assert shown.problems == ["There is no chart any more that could be saved."]
        assert list(tmp_path.iterdir()) == []

    def test_a_chart_that_cannot_be_painted_leaves_the_old_file(
        self, shown: Shown, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(_widget: QWidget, path: Path) -> None:
            path.write_bytes(b"half")
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(export_menu, "save_picture", fail)
        (tmp_path / "a.png").write_bytes(b"before")
        shown.save("save_png_action", tmp_path / "a.png")

        assert shown.problems == ["The chart could not be saved: the disk is full."]
        assert (tmp_path / "a.png").read_bytes() == b"before"
