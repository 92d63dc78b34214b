"""The models on this computer, kept up to date with the disk and with the settings."""

import time
from collections.abc import Callable, Iterable
from pathlib import Path
from threading import Event

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QFileSystemWatcher, QObject, Qt, QTimer, Signal

from app.core.errors import SlipstreamError
from app.models.library import Listing, LocalLibrary, LocalModel, UnusableFile
from app.models.listed_files import ListedFiles
from app.models.model_deletion import Deletion, delete, deletion_of
from app.settings import Settings
from app.ui.preferences import Preferences
from app.ui.tasks import Task, Tasks

_GATHER = 300  # milliseconds in which changes on disk are taken together
_POLL = 5000  # milliseconds; a file that grows is not told by its folder
_MOST_WATCHED = 1000  # folders
_REPORT_EVERY = 0.1  # seconds


class _Places(Struct, frozen=True):
    """What of the settings a look at the disk depends on."""

    managed: Path
    extra: tuple[Path, ...]


class LibraryService(QObject):
    """Looks into the folders, in a thread, whenever something may have changed.

    Several wishes for a look become one. A listing is told only if it differs from the one before. Nothing
    happens before the first `refresh`.
    """

    listing_changed = Signal(object)  # Listing
    looked = Signal()  # all that was there when a look was wanted last has been seen, new or not
    progressed = Signal(int, int)  # files looked at, of so many
    _reported = Signal(int, int)

    def __init__(
        self,
        library: LocalLibrary,
        preferences: Preferences,
        tasks: Tasks,
        default_folder: Path,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._library = library
        self._preferences = preferences
        self._tasks = tasks
        self._default_folder = default_folder
        self._found = Listing()
        self._listing = Listing()
        self._by_path: dict[Path, LocalModel] = {}
        self._files = ListedFiles(self._listing)
        self._has_looked = False
        self._is_looking = False
        self._task: Task | None = None
        self._stop = Event()
        self._again = False
        self._closed = False
        self._places = self._places_in(preferences.settings)
        self._hidden = preferences.settings.hidden_files
        self._watcher = QFileSystemWatcher(self)
        self._watcher.directoryChanged.connect(self._gather_changes)
        self._gather = QTimer(self, singleShot=True, interval=_GATHER)
        self._gather.timeout.connect(self.refresh)
        self._poll = QTimer(self, interval=_POLL)
        self._poll.timeout.connect(self._look_if_idle)
        self._reported.connect(self.progressed, Qt.ConnectionType.QueuedConnection)
        preferences.changed.connect(self._follow_settings)

    @property
    def listing(self) -> Listing:
        """What was found, without what was removed from the list."""
        return self._listing

    @property
    def files(self) -> ListedFiles:
        """Tells which files of the hub are listed."""
        return self._files

    @property
    def has_looked(self) -> bool:
        """False until the first look has ended."""
        return self._has_looked

    @property
    def models_folder(self) -> Path:
        """Where models are kept and downloaded to."""
        return self._places.managed

    @property
    def hidden_count(self) -> int:
        """How many of the files found are not listed because they were removed from the list."""
        found, shown = self._found, self._listing
        return len(found.models) + len(found.unusable) - len(shown.models) - len(shown.unusable)

    def find(self, path: Path) -> LocalModel | None:
        """The listed model that a file belongs to."""
        return self._by_path.get(path)

    def refresh(self) -> None:
        """Looks again soon, and once more if a look is under way."""
        if self._closed:
            return
        if self._is_looking:
            self._again = True
            return
        self._again = False
        places, stop, report = self._places, self._stop, self._report()

        def look() -> Listing:
            return self._library.scan(
                places.extra, places.managed, going_on=lambda: not stop.is_set(), on_progress=report
            )

        self._is_looking = True
        self._task = self._tasks.run(self, look, self._take)

    def follow_growth(self, wanted: bool) -> None:
        """Looks every few seconds, or no longer: for as long as somebody looks at the list."""
        if not wanted:
            self._poll.stop()
        elif not self._closed:
            self._poll.start()
            self.refresh()

    def add_folder(self, folder: Path) -> bool:
        """Lists the models of another folder as well. False if it is listed already."""
        if folder == self._places.managed or folder in self._places.extra:
            return False
        self._preferences.update(extra_folders=(*self._places.extra, folder))
        return True

    def remove_folder(self, folder: Path) -> None:
        """Lists a folder's models no longer."""
        self._preferences.update(extra_folders=tuple(kept for kept in self._places.extra if kept != folder))

    def hide(self, entry: LocalModel | UnusableFile) -> None:
        """Removes a file from the list. It stays on the disk."""
        if entry.path not in self._hidden:
            self._preferences.update(hidden_files=(*self._hidden, entry.path))

    def show_hidden(self) -> None:
        """Lists all that was removed from the list."""
        self._preferences.update(hidden_files=())

    def unhide(self, paths: Iterable[Path]) -> None:
        """Lists such files again, and looks for them: somebody has just put them there."""
        shown = {path.absolute() for path in paths}
        if shown.intersection(self._hidden):
            self._preferences.update(hidden_files=tuple(path for path in self._hidden if path not in shown))
        self.refresh()

    def plan_deletion(self, entry: LocalModel | UnusableFile, done: Callable[[Deletion], None]) -> None:
        """Finds out what `delete` would delete."""
        listing = self._found
        self._tasks.run(self, lambda: deletion_of(entry, listing), done)

    def delete(self, entry: LocalModel | UnusableFile, done: Callable[[str], None]) -> None:
        """Deletes a model's files from the disk; `done` gets a sentence on what failed, or nothing."""
        listing, roots = self._found, (self._places.managed, *self._places.extra)

        def failed(error: Exception) -> None:
            if not isinstance(error, SlipstreamError):
                raise error
            self.refresh()
            done(str(error))

        def succeeded(_: None) -> None:
            self.refresh()
            done("")

        self._tasks.run(self, lambda: delete(deletion_of(entry, listing), roots), succeeded, failed)

    def close(self) -> None:
        """Ends a look that is under way, and follows nothing any more."""
        if self._closed:
            return
        self._closed = True
        self._stop.set()
        self._gather.stop()
        self._poll.stop()
        self._watcher.deleteLater()

    def _take(self, found: Listing) -> None:
        if self._closed:
            return
        self._is_looking = False
        first, self._has_looked = not self._has_looked, True
        if found != self._found or first:
            self._found = found
            self._watch()
            self._show()
        if self._again:
            self.refresh()
        else:
            self.looked.emit()

    def _show(self) -> None:
        hidden = set(self._hidden)
        listing = replace(
            self._found,
            models=tuple(model for model in self._found.models if model.path not in hidden),
            unusable=tuple(file for file in self._found.unusable if file.path not in hidden),
        )
        self._listing = listing
        self._by_path = {file: model for model in listing.models for file in model.info.parts}
        self._files = ListedFiles(listing)
        self.listing_changed.emit(listing)

    def _watch(self) -> None:
        wanted = {str(folder) for folder in self._found.folders[:_MOST_WATCHED] if _is_text(str(folder))}
        watched = set(self._watcher.directories())
        if gone := watched - wanted:
            self._watcher.removePaths(sorted(gone))
        if new := wanted - watched:
            self._watcher.addPaths(sorted(new))

    def _look_if_idle(self) -> None:
        """Slow looks must not follow one another without end, because `looked` would never be told."""
        if not self._is_looking:
            self.refresh()

    def _gather_changes(self) -> None:
        if not (self._closed or self._gather.isActive()):
            self._gather.start()

    def _follow_settings(self, settings: Settings) -> None:
        places = self._places_in(settings)
        if settings.hidden_files != self._hidden:
            self._hidden = settings.hidden_files
            if self._has_looked:
                self._show()
        if places != self._places:
            self._places = places
            if self._is_looking and self._task is not None:
                self._stop.set()
                self._task.cancel()
                self._is_looking = False
            self._stop = Event()
            self.refresh()

    def _places_in(self, settings: Settings) -> _Places:
        return _Places(settings.models_folder or self._default_folder, settings.extra_folders)

    def _report(self) -> Callable[[int, int], None]:
        stop = self._stop
        last = 0.0

        def report(done: int, total: int) -> None:
            """Runs in the thread."""
            nonlocal last
            now = time.monotonic()
            if now - last >= _REPORT_EVERY and not stop.is_set():
                last = now
                self._reported.emit(done, total)

        return report


def _is_text(path: str) -> bool:
    """False for a name that Qt cannot take."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True
