"""The button "Export": what can be copied or saved of the comparison that is shown."""

import tempfile
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QStandardPaths, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMenu, QPushButton, QWidget

from app.core.experiment import Experiment
from app.core.experiment_file import to_json
from app.exports import csv, markdown
from app.ui.experiment_files import shown_name, suggested_name, write_file
from app.ui.file_writing import disk_reason
from app.ui.icons import Icons
from app.ui.moments import local_moment
from app.ui.picture_export import save_picture
from app.ui.tasks import Tasks
from app.ui.theme import Theme


class Pictured(Protocol):
    """What may have a chart to be saved."""

    @property
    def has_picture(self) -> bool:
        """Whether there is one now."""

    def picture_widget(self) -> QWidget | None:
        """The widget that is saved; it may be made for that alone."""


class ExportMenu(QPushButton):
    """Files are named after the day and the model; the folder that was chosen last is offered again.

    What is exported is what was shown when the menu was opened, whatever happens before a file is chosen.
    """

    told = Signal(str)  # what was done
    problem_occurred = Signal(str)  # a sentence

    def __init__(self, theme: Theme, icons: Icons, tasks: Tasks, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icons = icons
        self._tasks = tasks
        self._experiment: Experiment | None = None
        self._pictured: Pictured | None = None
        self._folder: Path | None = None
        self._dialog: QFileDialog | None = None
        self.setObjectName("export_button")
        self.setText(self.tr("Export"))
        self.setAccessibleName(self.text())
        self.setAutoDefault(False)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the arrow stands behind the word
        menu = QMenu(self)
        menu.setObjectName("export_menu")
        menu.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self._of_experiment = [
            self._action(menu, self.tr("Copy as Markdown"), "copy_markdown_action", self._copy_markdown),
            self._action(menu, self.tr("Save as CSV…"), "save_csv_action", self._save_csv),
            self._action(menu, self.tr("Save as JSON…"), "save_json_action", self._save_json),
        ]
        menu.addSeparator()
        self._of_picture = [
            self._action(menu, self.tr("Save chart as PNG…"), "save_png_action", self._save_png),
            self._action(menu, self.tr("Save chart as SVG…"), "save_svg_action", self._save_svg),
        ]
        menu.aboutToShow.connect(self._refresh)
        self.setMenu(menu)
        theme.changed.connect(self._dress)
        self._dress()
        self._refresh()

    def show_experiment(self, experiment: Experiment | None, pictured: Pictured | None) -> None:
        """What there is to export; call it again when that changes."""
        self._experiment = experiment
        self._pictured = pictured
        self._refresh()

    def _refresh(self) -> None:
        has_picture = self._pictured is not None and self._pictured.has_picture
        for action in self._of_experiment:
            action.setEnabled(self._experiment is not None)
        for action in self._of_picture:
            action.setEnabled(has_picture)
        self.setEnabled(self._experiment is not None or has_picture)
        self.setToolTip("" if self.isEnabled() else self.tr("There is nothing to export yet"))

    def _copy_markdown(self) -> None:
        if self._experiment is not None:
            QGuiApplication.clipboard().setText(markdown(self._experiment))
            self.told.emit(self.tr("Copied as Markdown"))

    def _save_csv(self) -> None:
        experiment = self._experiment
        if experiment is not None:
            self._ask(
                self.tr("CSV files (*.csv)"),
                ".csv",
                lambda path: self._write(path, lambda: _csv_file(experiment)),
            )

    def _save_json(self) -> None:
        experiment = self._experiment
        if experiment is not None:
            self._ask(
                self.tr("JSON files (*.json)"),
                ".json",
                lambda path: self._write(path, lambda: to_json(experiment)),
            )

    def _save_png(self) -> None:
        self._ask(self.tr("PNG pictures (*.png)"), ".png", lambda path: self._write_picture(path, ".png"))

    def _save_svg(self) -> None:
        self._ask(self.tr("SVG pictures (*.svg)"), ".svg", lambda path: self._write_picture(path, ".svg"))

    def _ask(self, kind: str, ending: str, save: Callable[[Path], None]) -> None:
        if self._dialog is not None:
            self._dialog.deleteLater()
        dialog = self._dialog = QFileDialog(self.window(), self.tr("Export"))
        dialog.setObjectName("export_file_dialog")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilters([kind, self.tr("All files (*)")])
        dialog.setDefaultSuffix(ending)
        dialog.setDirectory(str(self._folder or _documents()))
        dialog.selectFile(self._suggested_name(ending))

        def chosen(file: str) -> None:
            path = Path(file)
            self._folder = path.parent
            save(path)

        dialog.fileSelected.connect(chosen)
        dialog.open()

    def _suggested_name(self, ending: str) -> str:
        if self._experiment is None:
            return suggested_name(date.today(), "", ending)
        moment = local_moment(self._experiment.created)
        day = None if moment is None else moment.date()
        return suggested_name(day, self._experiment.target.name, ending)

    def _write_picture(self, path: Path, ending: str) -> None:
        picture = None if self._pictured is None else self._pictured.picture_widget()
        if picture is None:
            self.problem_occurred.emit(self.tr("There is no chart any more that could be saved."))
            return
        try:
            with tempfile.TemporaryDirectory() as folder:  # painted here, written in another thread
                painted = Path(folder, f"chart{ending}")
                save_picture(picture, painted)
                content = painted.read_bytes()
        except OSError as error:
            sentence = self.tr("The chart could not be saved: {reason}.")
            self.problem_occurred.emit(sentence.format(reason=disk_reason(error)))
            return
        self._write(path, lambda: content)

    def _write(self, path: Path, content: Callable[[], bytes]) -> None:
        write_file(self, self._tasks, path, content, self._saved, self.problem_occurred.emit)

    def _saved(self, path: Path) -> None:
        self.told.emit(self.tr("Saved as {name}").format(name=shown_name(path)))

    def _action(self, menu: QMenu, text: str, name: str, act: Callable[[], None]) -> QAction:
        made = menu.addAction(text)
        made.setObjectName(name)
        made.triggered.connect(act)
        return made

    def _dress(self) -> None:
        self.setIcon(self._icons.icon("chevron"))


def _csv_file(experiment: Experiment) -> bytes:
    """With a mark in front, without which Excel takes UTF-8 for something else."""
    return csv(experiment).encode("utf-8-sig", "replace")


def _documents() -> Path:
    folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    return Path(folder) if folder and Path(folder).is_dir() else Path.home()
