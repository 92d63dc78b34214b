"""The settings in force, kept on disk."""

from pathlib import Path
from typing import Any

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from app.core.errors import SlipstreamError
from app.settings import ModelConfig, Settings
from app.settings_file import SettingsFile
from app.ui.tasks import Tasks


class Preferences(QObject):
    """Holds the settings, tells of changes, and saves each at once without keeping the window waiting.

    `tasks` is for these savings alone, has one thread, and is closed with the preferences. While a save is
    under way further changes gather, and the last of them is saved next.
    """

    changed = Signal(object)  # Settings
    problem = Signal(str)  # a sentence: the disk refuses

    def __init__(self, file: SettingsFile, tasks: Tasks, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._file = file
        self._tasks = tasks
        self._settings = file.load()
        self._problems_at_start = file.problems
        self._saved = self._settings
        self._saving: Settings | None = None
        self._told = ""
        self._closed = False

    @property
    def settings(self) -> Settings:
        """All of them, as they are now."""
        return self._settings

    @property
    def problems_at_start(self) -> tuple[str, ...]:
        """Sentences on what could not be used of the file."""
        return self._problems_at_start

    @property
    def path(self) -> Path:
        """The file on disk."""
        return self._file.path

    def update(self, **changes: Any) -> None:
        """Changes some settings, by their names in Settings."""
        settings = replace(self._settings, **changes)
        if settings == self._settings:
            return
        self._settings = settings
        self._save()
        self.changed.emit(settings)

    def remember(self, model: Path, config: ModelConfig) -> None:
        """Gives a model a config of its own."""
        self.update(configs={**self._settings.configs, model: config})

    def forget(self, model: Path) -> None:
        """Lets a model follow the defaults again."""
        self.update(configs={path: own for path, own in self._settings.configs.items() if path != model})

    def close(self) -> None:
        """Saves what is not saved yet, and saves no more."""
        self._closed = True
        self._tasks.finish()
        if self._settings != self._saved:
            try:
                self._file.save(self._settings)
            except SlipstreamError as error:
                self.problem.emit(str(error))

    def _save(self) -> None:
        if not self._closed and self._saving is None and self._settings != self._saved:
            settings = self._saving = self._settings
            self._tasks.run(self, lambda: self._file.save(settings), self._save_done, self._save_failed)

    def _save_done(self, _: None) -> None:
        if self._saving is not None:
            self._saved = self._saving
        self._saving = None
        self._told = ""
        self._save()

    def _save_failed(self, error: Exception) -> None:
        if not isinstance(error, SlipstreamError):
            raise error
        failed, self._saving = self._saving, None
        if str(error) != self._told:  # a full disk is told once, not at every change
            self._told = str(error)
            self.problem.emit(self._told)
        if self._settings != failed:
            self._save()
