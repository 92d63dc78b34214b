"""What is stored of what is shown: an experiment gets what comes later, and nothing else of its moment."""

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.core.experiment import Experiment
from app.core.experiment_file import to_json
from app.core.experiment_store import ExperimentStore
from app.ui.experiments import Experiments
from app.ui.history_dialog import HistoryDialog
from app.ui.kept_experiments import KeptExperiments
from tests.fakes.children import child
from tests.fakes.compare_services import ComparePlace
from tests.fakes.experiments import prompt_experiment, suite_experiment, trace_of
from tests.fakes.held_tasks import HeldTasks

MEASURED = prompt_experiment((8.0,), (16.0,))


def traced(experiment: Experiment) -> Experiment:
    return replace(experiment, traces=(trace_of(),))


class Bench:
    """A store whose disk does nothing before `store` is called, and what was opened."""

    def __init__(self, place: ComparePlace, folder: Path, window: QWidget) -> None:
        self.path = folder / "comparisons.sqlite"
        self.window = window
        self.disk = HeldTasks()
        self.experiments = Experiments(self.path, self.disk)
        self.kept = KeptExperiments(place.services, self.experiments, window)
        self.opened: list[Experiment] = []
        self.kept.opened.connect(self.opened.append)

    def store(self) -> None:
        self.disk.release_all()

    def open_stored(self, id_: int) -> Experiment:
        """What a person does in the history."""
        self.kept.open_history(self.window)
        child(self.window, HistoryDialog, "history_dialog").experiment_chosen.emit(id_)
        self.store()
        return self.opened[-1]

    def open_file(self, experiment: Experiment, wait: Callable[[Callable[[], bool]], None]) -> Experiment:
        file = self.path.with_name("another.json")
        file.write_bytes(to_json(experiment))
        before = len(self.opened)
        self.kept.open_file(file)
        wait(lambda: len(self.opened) > before)
        return self.opened[-1]

    def on_disk(self) -> list[Experiment]:
        """The oldest first."""
        self.experiments.close()
        self.store()
        store, _ = ExperimentStore.open(self.path)
        found = [store.experiment(id_) for id_ in sorted(entry.id for entry in store.entries())]
        store.close()
        return found


@pytest.fixture
def bench(place: ComparePlace, tmp_path: Path, qtbot: QtBot) -> Bench:
    window = QWidget()
    qtbot.addWidget(window)
    return Bench(place, tmp_path, window)


def test_what_was_measured_gets_its_trace(bench: Bench) -> None:
    bench.kept.add(MEASURED)
    bench.store()
    bench.kept.replace(MEASURED, traced(MEASURED))
    bench.store()

    assert bench.on_disk() == [traced(MEASURED)]


def test_also_one_that_is_recorded_before_the_disk_is_ready(bench: Bench) -> None:
    bench.kept.add(MEASURED)
    bench.kept.replace(MEASURED, traced(MEASURED))
    bench.store()

    assert bench.on_disk() == [traced(MEASURED)]


def test_each_trace_after_the_other(bench: Bench) -> None:
    bench.kept.add(MEASURED)
    bench.store()
    once, twice = traced(MEASURED), replace(MEASURED, traces=(trace_of(), trace_of(acceptance=0.5)))
    bench.kept.replace(MEASURED, once)
    bench.kept.replace(once, twice)
    bench.store()

    assert bench.on_disk() == [twice]


def test_one_that_was_opened_again_gets_its_trace(bench: Bench) -> None:
    bench.kept.add(MEASURED)
    bench.kept.add(replace(MEASURED, repeats=2))
    bench.store()
    opened = bench.open_stored(1)
    bench.kept.replace(opened, traced(opened))
    bench.store()

    assert bench.on_disk() == [traced(MEASURED), replace(MEASURED, repeats=2)]


def test_a_file_of_the_same_moment_overwrites_nothing(bench: Bench, qtbot: QtBot) -> None:
    bench.kept.add(MEASURED)
    bench.store()
    file = bench.open_file(prompt_experiment((1.0,), (9.0,), created=MEASURED.created), qtbot.waitUntil)
    bench.kept.replace(file, traced(file))
    bench.store()

    assert bench.on_disk() == [MEASURED]


def test_nor_does_a_copy_of_what_is_stored(bench: Bench, qtbot: QtBot) -> None:
    bench.kept.add(MEASURED)
    bench.store()
    copy = bench.open_file(MEASURED, qtbot.waitUntil)
    assert copy == MEASURED
    bench.kept.replace(copy, traced(copy))
    bench.store()

    assert bench.on_disk() == [MEASURED]


def test_one_of_another_kind_is_still_known(bench: Bench) -> None:
    suite = suite_experiment(repeats=1)
    bench.kept.add(MEASURED)
    bench.kept.add(suite)
    bench.store()
    bench.kept.replace(MEASURED, traced(MEASURED))
    bench.store()

    assert bench.on_disk() == [traced(MEASURED), suite]
