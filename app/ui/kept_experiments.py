"""Experiments between the page and the disk: stored when they end, opened again, given what comes later."""

from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.core.experiment import Experiment
from app.ui.compare_services import CompareServices
from app.ui.experiment_files import read_experiment
from app.ui.experiments import Experiments
from app.ui.history_dialog import HistoryDialog


class KeptExperiments(QObject):
    """What was measured is stored at once; a file that is opened is only looked at."""

    opened = Signal(object)  # Experiment
    problem_occurred = Signal(str)

    def __init__(self, services: CompareServices, experiments: Experiments, parent: QObject) -> None:
        super().__init__(parent)
        self._services = services
        self._experiments = experiments
        self._ids: dict[float, int] = {}  # by the moment of its making
        experiments.failed.connect(self.problem_occurred)

    def add(self, experiment: Experiment) -> None:
        """Stores what has just been measured."""

        def stored(id_: int) -> None:
            self._ids[experiment.created] = id_

        self._experiments.add(self, experiment, stored)

    def replace(self, experiment: Experiment) -> None:
        """Stores an experiment again that has got something more; one from a file is not stored."""
        id_ = self._ids.get(experiment.created)
        if id_ is not None:
            self._experiments.replace(id_, experiment)

    def open_history(self, window: QWidget) -> None:
        """Offers what is stored."""
        dialog = HistoryDialog(self._services.theme, self._services.icons, self._experiments, window)
        dialog.experiment_chosen.connect(self._open)
        dialog.file_chosen.connect(self.open_file)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _open(self, id_: int) -> None:
        def found(experiment: Experiment) -> None:
            self._ids[experiment.created] = id_
            self.opened.emit(experiment)

        self._experiments.read(self, id_, found)

    def open_file(self, path: Path) -> None:
        """Reads a file; `opened` or `problem_occurred` follows."""
        read_experiment(self, self._services.tasks, path, self.opened.emit, self.problem_occurred.emit)
