"""The experiments that are kept, for the window: the same as app.core.experiment_store, without waiting."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.core.database import StoreError
from app.core.errors import SlipstreamError
from app.core.experiment import Experiment
from app.core.experiment_entry import ExperimentEntry
from app.core.experiment_file import ExperimentFileError
from app.core.experiment_store import ExperimentStore
from app.ui.store_thread import StoreThread
from app.ui.tasks import Tasks

Entries = tuple[ExperimentEntry, ...]


class Experiments(QObject):
    """Does everything in the order asked for, and answers by calls that are dropped once `owner` is gone.

    `tasks` is for this alone, has one thread, and is closed with it. What the disk refuses stays listed for
    as long as the window is open, `failed` says so, and it is written once there is room.
    """

    entries_changed = Signal(object)  # tuple[ExperimentEntry, ...], the newest first
    failed = Signal(str)  # a sentence on what the disk refused

    def __init__(self, path: Path, tasks: Tasks, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._path = path
        self._thread = StoreThread(self, tasks, self._open, self.failed.emit)
        self._deleted: list[int] = []
        # used in the tasks' thread alone
        self._unsaved: ExperimentStore | None = None  # what the disk refused
        self._last_id = 0

    @property
    def path(self) -> Path:
        """The file on disk."""
        return self._path

    @property
    def deleted(self) -> tuple[int, ...]:
        """What was deleted and can be brought back, in the order of deleting."""
        return tuple(self._deleted)

    def refresh(self) -> None:
        """Reads the list and tells it by `entries_changed`."""
        self._list_after(lambda _store: None)

    def add(self, owner: QObject, experiment: Experiment, done: Callable[[int], None]) -> None:
        """Keeps an experiment, and gives its id, which it has even if the disk refuses it."""

        def added(outcome: tuple[int, SlipstreamError | None]) -> None:
            id_, error = outcome
            self._tell_unsaved(error)
            done(id_)

        self._thread.run(owner, lambda store: self._add(store, experiment), added)
        self.refresh()

    def replace(self, id_: int, experiment: Experiment) -> None:
        """Another version of one that is kept. Nothing happens where it was purged meanwhile."""
        self._thread.run(self, lambda store: self._replace(store, id_, experiment), self._tell_unsaved)
        self.refresh()

    def read(
        self,
        owner: QObject,
        id_: int,
        done: Callable[[Experiment], None],
        unread: Callable[[str], None],
    ) -> None:
        """The whole of one; `unread` gets a sentence where that cannot be."""

        def answer(outcome: Experiment | SlipstreamError) -> None:
            if isinstance(outcome, SlipstreamError):
                unread(str(outcome))
            else:
                done(outcome)

        self._thread.run(owner, lambda store: self._read(store, id_), answer)

    def delete(self, id_: int) -> None:
        """Takes one from the list; `undo_delete` brings it back until it is purged."""
        self._deleted.append(id_)
        self._everywhere(id_, ExperimentStore.delete)

    def undo_delete(self, id_: int) -> None:
        """Brings one back."""
        self._forget_deleted(id_)
        self._everywhere(id_, ExperimentStore.undo_delete)

    def purge(self, id_: int) -> None:
        """Removes a deleted one for good."""
        self._forget_deleted(id_)
        self._everywhere(id_, ExperimentStore.purge)

    def close(self) -> None:
        """Writes everything, and takes no more."""
        self._thread.close(self._save)

    def _forget_deleted(self, id_: int) -> None:
        self._deleted = [each for each in self._deleted if each != id_]

    def _tell_unsaved(self, error: SlipstreamError | None) -> None:
        if error is not None:
            sentence = self.tr("{problem} It stays in the list until Slipstream is closed.")
            self.failed.emit(sentence.format(problem=str(error)))

    def _everywhere(self, id_: int, change: Callable[[ExperimentStore, int], None]) -> None:
        def work(store: ExperimentStore) -> None:
            change(store, id_)
            if self._unsaved is not None:
                change(self._unsaved, id_)

        self._list_after(work)

    def _list_after(self, work: Callable[[ExperimentStore], None]) -> None:
        def change(store: ExperimentStore) -> Entries:
            work(store)
            return self._entries(store)

        self._thread.run(self, change, self.entries_changed.emit)

    # In the tasks' thread.

    def _open(self) -> tuple[ExperimentStore, str]:
        try:
            return ExperimentStore.open(self._path)
        except StoreError as error:
            problem = self.tr("{problem} What is compared now is lost when the window closes.")
            return ExperimentStore.in_memory(), problem.format(problem=str(error))

    def _entries(self, store: ExperimentStore) -> Entries:
        found = {entry.id: entry for entry in store.entries()}
        if self._unsaved is not None:
            found |= {entry.id: entry for entry in self._unsaved.entries()}
        return tuple(sorted(found.values(), key=lambda entry: (entry.created, entry.id), reverse=True))

    def _read(self, store: ExperimentStore, id_: int) -> Experiment | SlipstreamError:
        try:
            return (self._unsaved_holding(id_) or store).experiment(id_)
        except (StoreError, ExperimentFileError) as error:
            return error

    def _add(self, store: ExperimentStore, experiment: Experiment) -> tuple[int, SlipstreamError | None]:
        self._save(store)
        id_ = self._last_id + 1
        try:
            id_ = max(id_, store.next_id())
            store.add(experiment, id_)
        except StoreError as error:
            self._keep(id_, experiment)
            return id_, error
        finally:
            self._last_id = id_
        return id_, None

    def _replace(self, store: ExperimentStore, id_: int, experiment: Experiment) -> SlipstreamError | None:
        unsaved = self._unsaved_holding(id_)
        if unsaved is not None:
            unsaved.replace(id_, experiment)
            return self._save(store)
        try:
            store.replace(id_, experiment)
        except StoreError as error:
            if store.holds(id_):
                self._keep(id_, experiment)
            return error
        return None

    def _unsaved_holding(self, id_: int) -> ExperimentStore | None:
        return self._unsaved if self._unsaved is not None and self._unsaved.holds(id_) else None

    def _keep(self, id_: int, experiment: Experiment) -> None:
        if self._unsaved is None:
            self._unsaved = ExperimentStore.in_memory()
        self._unsaved.add(experiment, id_)

    def _save(self, store: ExperimentStore) -> SlipstreamError | None:
        """Writes what the disk refused before; gives what it says if it refuses again."""
        problem: SlipstreamError | None = None
        for entry in self._unsaved.entries() if self._unsaved is not None else ():
            assert self._unsaved is not None
            try:
                store.add(self._unsaved.experiment(entry.id), entry.id)
            except SlipstreamError as error:
                problem = error
            else:
                self._unsaved.delete(entry.id)
                self._unsaved.purge(entry.id)
        return problem
