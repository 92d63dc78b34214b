"""Estimates while settings move: one at a time, and the last one counts."""

from pathlib import Path

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from app.core.estimate import MemoryEstimate
from app.core.options import LoadOptions
from app.ui.estimates import Estimates
from tests.fakes.advisor import FakeAdvisor
from tests.fakes.held_tasks import HeldTasks

TARGET, DRAFT = Path("/m/t.gguf"), Path("/m/d.gguf")


class Bench(QObject):
    """Estimates, and what they told."""

    def __init__(self) -> None:
        super().__init__()
        self.advisor = FakeAdvisor()
        self.tasks = HeldTasks()
        self.estimates = Estimates(self.advisor, self.tasks, self)
        self.told: list[MemoryEstimate] = []
        self.failures: list[str] = []
        self.estimates.estimated.connect(self.told.append)
        self.estimates.failed.connect(self.failures.append)

    def ask(self, context: int, draft: Path | None = None) -> None:
        self.estimates.ask(TARGET, draft, LoadOptions(context_length=context))


@pytest.fixture
def bench(qtbot: QtBot) -> Bench:
    return Bench()


def test_an_answer_is_told(bench: Bench) -> None:
    bench.ask(4096, DRAFT)
    bench.tasks.release()

    (estimate,) = bench.told
    assert estimate.draft is not None
    assert bench.advisor.estimated == [(DRAFT, LoadOptions(context_length=4096))]


def test_of_a_hundred_moves_the_first_and_the_last_are_answered_and_the_last_is_told(bench: Bench) -> None:
    for context in range(1000, 1100):
        bench.ask(context)
    bench.tasks.release_all()

    assert [options.context_length for _, options in bench.advisor.estimated] == [1000, 1099]
    assert [estimate.target.known_bytes for estimate in bench.told] == [3_100_000_000 + 1099 * 1000]


def test_the_same_question_is_asked_once(bench: Bench) -> None:
    bench.ask(4096)
    bench.ask(4096)
    bench.tasks.release_all()
    bench.ask(4096)

    assert len(bench.advisor.estimated) == 1
    assert bench.tasks.waiting == 0


def test_it_is_asked_anew_when_files_have_changed(bench: Bench) -> None:
    bench.ask(4096)
    bench.tasks.release_all()
    bench.estimates.refresh()
    bench.tasks.release_all()

    assert len(bench.told) == 2


def test_a_file_that_changes_during_the_answer_is_asked_about_anew(bench: Bench) -> None:
    bench.ask(4096)
    bench.estimates.refresh()
    bench.tasks.release_all()

    assert len(bench.advisor.estimated) == 2
    assert len(bench.told) == 1


def test_a_failure_is_told_and_does_not_stand_in_the_way(bench: Bench) -> None:
    bench.advisor.refusal = "The file is damaged."
    bench.ask(4096)
    bench.tasks.release_all()
    bench.advisor.refusal = ""
    bench.ask(2048)
    bench.tasks.release_all()

    assert bench.failures == ["The file is damaged."]
    assert len(bench.told) == 1


def test_nothing_is_told_once_stopped(bench: Bench) -> None:
    bench.ask(4096)
    bench.estimates.stop()
    bench.tasks.release_all()
    assert bench.told == []

    bench.ask(4096)
    bench.tasks.release_all()
    assert len(bench.told) == 1
