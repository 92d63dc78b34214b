"""The experiments behind a thread: in order, failures told, and nothing measured lost."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from app.core import experiment_store
from app.core.database import Database, StoreError, StoreProblem
from app.core.experiment import Experiment
from app.core.experiment_entry import ExperimentEntry
from app.core.experiment_store import ExperimentStore
from app.core.experiment_tables import COMPARISONS
from app.ui.experiments import Experiments
from app.ui.tasks import Tasks
from tests.fakes.experiments import CREATED, prompt_experiment, trace_of, written_by
from tests.fakes.tasks import ImmediateTasks

FIRST = prompt_experiment((8.0,), (16.0,))
SECOND = replace(FIRST, created=CREATED + 1)
FULL = "The disk is full, so the comparison could not be saved."


class Seen:
    """What was told."""

    def __init__(self, experiments: Experiments) -> None:
        self.lists: list[list[int]] = []
        self.problems: list[str] = []
        self.ids: list[int] = []
        self.read: list[Experiment] = []
        self.unread: list[str] = []  # why
        experiments.entries_changed.connect(self._list)
        experiments.failed.connect(self.problems.append)

    def _list(self, entries: tuple[ExperimentEntry, ...]) -> None:
        self.lists.append([entry.id for entry in entries])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "comparisons.sqlite"


@pytest.fixture
def owner(qtbot: QtBot) -> QObject:
    return QObject()


@pytest.fixture
def experiments(qtbot: QtBot, path: Path) -> Iterator[Experiments]:
    made = Experiments(path, ImmediateTasks(threads=1))
    yield made
    made.close()


@pytest.fixture
def seen(experiments: Experiments) -> Seen:
    return Seen(experiments)


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """A disk that takes nothing, until `undo` is called on it."""

    def refuse_on_disk(store: ExperimentStore) -> None:
        if store._database.rows("PRAGMA database_list")[0][2]:
            raise StoreError(StoreProblem.DISK_FULL, FULL)

    with monkeypatch.context() as patch:
        add, replace_ = ExperimentStore.add, ExperimentStore.replace

        def added(store: ExperimentStore, experiment: Experiment, id_: int | None = None) -> int:
            refuse_on_disk(store)
            return add(store, experiment, id_)

        def replaced(store: ExperimentStore, id_: int, experiment: Experiment) -> None:
            refuse_on_disk(store)
            replace_(store, id_, experiment)

        patch.setattr(ExperimentStore, "add", added)
        patch.setattr(ExperimentStore, "replace", replaced)
        yield patch


def on_disk(path: Path) -> dict[int, Experiment]:
    """What another start finds."""
    store, problem = ExperimentStore.open(path)
    assert problem == ""
    found = {entry.id: store.experiment(entry.id) for entry in store.entries()}
    store.close()
    return found


def on_disk_while_open(experiments: Experiments, id_: int) -> Experiment:
    found: list[Experiment] = []
    experiments._thread.run(experiments, lambda store: store.experiment(id_), found.append)
    return found[0]


def add(experiments: Experiments, owner: QObject, seen: Seen, *several: Experiment) -> list[int]:
    before = len(seen.ids)
    for experiment in several:
        experiments.add(owner, experiment, seen.ids.append)
    return seen.ids[before:]


class TestKeeping:
    def test_the_list_is_told_at_every_change(
        self, experiments: Experiments, owner: QObject, seen: Seen
    ) -> None:
        experiments.refresh()
        old, new = add(experiments, owner, seen, FIRST, SECOND)
        experiments.delete(old)
        experiments.undo_delete(old)
        experiments.delete(new)
        experiments.purge(new)
        experiments.undo_delete(new)

        assert seen.lists == [[], [old], [new, old], [new], [new, old], [old], [old], [old]]
        assert seen.problems == []

    def test_one_that_gets_a_trace(
        self, experiments: Experiments, owner: QObject, seen: Seen, path: Path
    ) -> None:
        (id_,) = add(experiments, owner, seen, FIRST)
        traced = replace(FIRST, traces=(trace_of(),))
        experiments.replace(id_, traced)
        experiments.read(owner, id_, seen.read.append, seen.unread.append)
        experiments.close()

        assert seen.read == [traced]
        assert on_disk(path) == {id_: traced}

    def test_what_can_be_brought_back_is_known_until_it_is_purged(
        self, experiments: Experiments, owner: QObject, seen: Seen
    ) -> None:
        one, two = add(experiments, owner, seen, FIRST, SECOND)
        experiments.delete(two)
        experiments.delete(one)
        assert list(experiments.deleted) == [two, one]

        experiments.undo_delete(two)
        assert list(experiments.deleted) == [one]
        experiments.purge(one)
        assert list(experiments.deleted) == []

    def test_real_threads_keep_the_order(self, qtbot: QtBot, owner: QObject, path: Path) -> None:
        experiments = Experiments(path, Tasks(threads=1))
        seen = Seen(experiments)
        several = [replace(FIRST, created=CREATED + number) for number in range(8)]
        for experiment in several:
            experiments.add(owner, experiment, seen.ids.append)
        qtbot.waitUntil(lambda: len(seen.ids) == 8)
        experiments.close()

        assert on_disk(path) == dict(reversed(list(zip(seen.ids, several, strict=True))))

    def test_closing_waits_for_what_is_under_way(self, qtbot: QtBot, owner: QObject, path: Path) -> None:
        experiments = Experiments(path, Tasks(threads=1))
        experiments.add(owner, FIRST, lambda _id: None)
        experiments.close()

        assert list(on_disk(path).values()) == [FIRST]

    def test_nothing_is_opened_before_it_is_needed(self, qtbot: QtBot, path: Path) -> None:
        Experiments(path, Tasks(threads=1)).close()

        assert not path.exists()

    def test_one_who_is_gone_gets_no_answer(self, qtbot: QtBot, path: Path) -> None:
        tasks = Tasks(threads=1)
        experiments = Experiments(path, tasks)
        seen = Seen(experiments)
        gate = threading.Event()
        tasks.run(experiments, lambda: gate.wait(60), lambda _: None)
        owner = QObject()
        experiments.add(owner, FIRST, seen.ids.append)
        owner.deleteLater()
        del owner
        gate.set()
        with qtbot.waitSignal(experiments.entries_changed):
            pass
        experiments.close()

        assert seen.ids == []
        assert list(on_disk(path).values()) == [FIRST]


class TestFullDisk:
    def test_the_experiment_lives_on_and_that_is_said(
        self, experiments: Experiments, owner: QObject, seen: Seen, path: Path, full_disk: pytest.MonkeyPatch
    ) -> None:
        one, two = add(experiments, owner, seen, FIRST, SECOND)
        experiments.read(owner, one, seen.read.append, seen.unread.append)

        assert seen.problems == 2 * [f"{FULL} It stays in the list until Slipstream is closed."]
        assert seen.lists[-1] == [two, one]
        assert seen.read == [FIRST]
        assert one != two

    def test_it_can_be_replaced_deleted_and_brought_back_all_the_same(
        self, experiments: Experiments, owner: QObject, seen: Seen, full_disk: pytest.MonkeyPatch
    ) -> None:
        (id_,) = add(experiments, owner, seen, FIRST)
        traced = replace(FIRST, traces=(trace_of(),))
        experiments.replace(id_, traced)
        experiments.read(owner, id_, seen.read.append, seen.unread.append)
        experiments.delete(id_)
        assert seen.lists[-1] == []
        experiments.undo_delete(id_)
        assert seen.lists[-1] == [id_]
        experiments.delete(id_)
        experiments.purge(id_)
        experiments.undo_delete(id_)

        assert seen.read == [traced]
        assert seen.lists[-1] == []

    def test_it_is_written_under_its_own_id_once_there_is_room(
        self, experiments: Experiments, owner: QObject, seen: Seen, path: Path, full_disk: pytest.MonkeyPatch
    ) -> None:
        (one,) = add(experiments, owner, seen, FIRST)
        full_disk.undo()
        (two,) = add(experiments, owner, seen, SECOND)
        experiments.close()

        assert on_disk(path) == {two: SECOND, one: FIRST}

    def test_and_as_soon_as_there_is(
        self, experiments: Experiments, owner: QObject, seen: Seen, path: Path, full_disk: pytest.MonkeyPatch
    ) -> None:
        (one,) = add(experiments, owner, seen, FIRST)
        full_disk.undo()
        add(experiments, owner, seen, SECOND)

        assert on_disk_while_open(experiments, one) == FIRST
        assert len(seen.lists[-1]) == 2, "and is listed once"

    def test_at_the_latest_when_the_window_closes(
        self, experiments: Experiments, owner: QObject, seen: Seen, path: Path, full_disk: pytest.MonkeyPatch
    ) -> None:
        kept, gone = add(experiments, owner, seen, FIRST, SECOND)
        experiments.delete(gone)
        full_disk.undo()
        experiments.close()

        assert on_disk(path) == {kept: FIRST}

    def test_a_trace_that_comes_late_is_kept_too(
        self,
        experiments: Experiments,
        owner: QObject,
        seen: Seen,
        path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        (id_,) = add(experiments, owner, seen, FIRST)
        traced = replace(FIRST, traces=(trace_of(),))

        def full(*_: object) -> None:
            raise StoreError(StoreProblem.DISK_FULL, FULL)

        with monkeypatch.context() as no_room:
            no_room.setattr(ExperimentStore, "replace", full)
            experiments.replace(id_, traced)
        experiments.read(owner, id_, seen.read.append, seen.unread.append)
        assert seen.read == [traced]
        assert seen.lists[-1] == [id_], "once"
        assert on_disk_while_open(experiments, id_) == FIRST

        experiments.close()
        assert on_disk(path) == {id_: traced}


class TestFailures:
    def test_a_damaged_file_is_told_and_a_new_one_begun(
        self, experiments: Experiments, owner: QObject, seen: Seen, path: Path
    ) -> None:
        path.parent.mkdir()
        path.write_bytes(b"damage" * 1000)
        (id_,) = add(experiments, owner, seen, FIRST)
        experiments.close()

        assert len(seen.problems) == 1
        assert "The file with your comparisons is damaged" in seen.problems[0]
        assert on_disk(path) == {id_: FIRST}

    def test_where_the_file_cannot_be_used_they_last_as_long_as_the_window(
        self, experiments: Experiments, owner: QObject, seen: Seen, path: Path
    ) -> None:
        database, _ = Database.open(path, COMPARISONS)
        database.connection.execute("PRAGMA user_version = 99")
        database.close()
        before = path.read_bytes()

        (id_,) = add(experiments, owner, seen, FIRST)
        experiments.read(owner, id_, seen.read.append, seen.unread.append)
        experiments.close()

        assert seen.read == [FIRST]
        assert len(seen.problems) == 1
        assert "newer version" in seen.problems[0]
        assert "lost when the window closes" in seen.problems[0]
        assert path.read_bytes() == before

    def test_one_that_cannot_be_opened_says_so_each_time(
        self, experiments: Experiments, owner: QObject, seen: Seen, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(experiment_store, "to_json", lambda experiment: written_by(99, experiment))
            (newer,) = add(experiments, owner, seen, FIRST)
        (gone,) = add(experiments, owner, seen, SECOND)
        experiments.delete(gone)
        experiments.purge(gone)
        for id_ in (newer, newer, gone):
            experiments.read(owner, id_, seen.read.append, seen.unread.append)

        newer_sentence = "This comparison was written by a newer version of Slipstream."
        assert seen.unread == [newer_sentence, newer_sentence, "This comparison was deleted meanwhile."]
        assert seen.problems == [], "nothing is lost"
        assert seen.read == []
        assert seen.lists[-1] == [newer]

    def test_a_fault_of_the_program_is_not_swallowed(
        self, experiments: Experiments, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def broken(*_: object) -> None:
            raise ZeroDivisionError

        monkeypatch.setattr(ExperimentStore, "entries", broken)
        with pytest.raises(ZeroDivisionError):
            experiments.refresh()
