"""Experiments between the page and the disk: stored when they end, opened again, given what comes later."""

from pathlib import Path

from msgspec import Struct
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.core.experiment import Experiment, ExperimentKind
from app.ui.compare_services import CompareServices
from app.ui.experiment_files import read_experiment
from app.ui.experiments import Experiments
from app.ui.history_dialog import HistoryDialog


class KeptExperiments(QObject):
    """What was measured is stored at once; a file that is opened is only looked at."""

    opened = Signal(object)  # Experiment
    problem_occurred = Signal(str)  # why nothing was opened

    def __init__(self, services: CompareServices, experiments: Experiments, parent: QObject) -> None:
        super().__init__(parent)
        self._services = services
        self._experiments = experiments
        self._kept: dict[ExperimentKind, _Kept] = {}  # the page shows one of each kind

    def add(self, experiment: Experiment) -> None:
        """Stores what has just been measured."""
        kept = self._kept[experiment.kind] = _Kept(experiment)

        def stored(id_: int) -> None:
            kept.id = id_
            if kept.experiment is not experiment:  # it has got something more meanwhile
                self._experiments.replace(id_, kept.experiment)

        self._experiments.add(self, experiment, stored)

    def replace(self, before: Experiment, after: Experiment) -> bool:
        """Stores one again that has got something more, and gives whether it is one that is stored.

        `before` is the very object that was added or opened: one from a file is stored nowhere, however
        much it is like one that is.
        """
        kept = self._kept.get(before.kind)
        if kept is None or kept.experiment is not before:
            return False
        kept.experiment = after
        if kept.id is not None:
            self._experiments.replace(kept.id, after)
        return True

    def open_history(self, window: QWidget) -> None:
        """Offers what is stored."""
        dialog = HistoryDialog(self._services.theme, self._services.icons, self._experiments, window)
        dialog.experiment_chosen.connect(self._open)
        dialog.file_chosen.connect(self.open_file)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def open_file(self, path: Path) -> None:
        """Reads a file; `opened` or `problem_occurred` follows."""
        if self._may_open():
            read_experiment(self, self._services.tasks, path, self._show, self.problem_occurred.emit)

    def _open(self, id_: int) -> None:
        def found(experiment: Experiment) -> None:
            self._show(experiment, id_)

        if self._may_open():
            self._experiments.read(self, id_, found, self.problem_occurred.emit)

    def _show(self, experiment: Experiment, id_: int | None = None) -> None:
        if self._may_open():  # still
            if id_ is not None:
                self._kept[experiment.kind] = _Kept(experiment, id_)
            self.opened.emit(experiment)

    def _may_open(self) -> bool:
        """Not while a comparison goes on, whose place it would take and whose times it would disturb."""
        if not self._services.comparison.is_running:
            return True
        self.problem_occurred.emit(
            self.tr("A comparison is running. Wait until it has ended, then open another one.")
        )
        return False


class _Kept(Struct):
    """One that is shown, and where it is stored."""

    experiment: Experiment
    id: int | None = None  # not known before it is stored
