"""Work in other threads, answered in the window's."""

import threading
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor

import pytest
from PySide6.QtCore import QObject
from pytestqt.exceptions import capture_exceptions
from pytestqt.qtbot import QtBot

from app.ui.abandonable_threads import AbandonableThreads
from app.ui.tasks import Tasks
from tests.fakes.tasks import ImmediateTasks


def test_work_is_done_elsewhere_and_answered_here(tasks: Tasks, qtbot: QtBot) -> None:
    owner = QObject()
    answers: list[tuple[str, str]] = []
    tasks.run(
        owner,
        lambda: threading.current_thread().name,
        lambda name: answers.append((name, threading.current_thread().name)),
    )
    qtbot.waitUntil(lambda: len(answers) == 1)
    worker, answered = answers[0]
    assert worker != threading.main_thread().name
    assert answered == threading.main_thread().name


def test_what_fails_is_handed_over(tasks: Tasks, qtbot: QtBot) -> None:
    owner = QObject()
    failures: list[Exception] = []
    tasks.run(owner, lambda: 1 // 0, lambda _: pytest.fail("no result was to be had"), failures.append)
    qtbot.waitUntil(lambda: len(failures) == 1)
    assert isinstance(failures[0], ZeroDivisionError)


def test_a_failure_that_nobody_takes_is_raised(tasks: Tasks, qtbot: QtBot) -> None:
    owner = QObject()
    with capture_exceptions() as raised:
        tasks.run(owner, lambda: 1 // 0, lambda _: None)
        qtbot.waitUntil(lambda: len(raised) == 1)
    assert raised[0][0] is ZeroDivisionError


def test_after_the_end_nothing_is_done(qtbot: QtBot) -> None:
    ended = Tasks(threads=1)
    ended.close()
    task = ended.run(QObject(), lambda: pytest.fail("it was done"), lambda _: pytest.fail("it was answered"))
    assert not task.is_wanted


def test_one_thread_keeps_the_order(qtbot: QtBot) -> None:
    serial = Tasks(threads=1)
    owner = QObject()
    done: list[int] = []
    for number in range(50):
        serial.run(owner, lambda number=number: number, done.append)  # type: ignore[misc]
    qtbot.waitUntil(lambda: len(done) == 50)
    assert done == list(range(50))
    serial.close()


def test_a_cancelled_task_is_not_answered(tasks: Tasks, qtbot: QtBot) -> None:
    owner = QObject()
    answers: list[str] = []
    may_go_on = threading.Event()
    abandoned = tasks.run(owner, lambda: may_go_on.wait(5), lambda _: answers.append("abandoned"))
    abandoned.cancel()
    may_go_on.set()
    tasks.run(owner, lambda: None, lambda _: answers.append("kept"))
    tasks.finish()
    qtbot.waitUntil(lambda: bool(answers))
    assert answers == ["kept"]


@pytest.mark.parametrize("threads", [ThreadPoolExecutor, AbandonableThreads])
def test_what_is_cancelled_before_it_has_begun_is_never_done(
    threads: Callable[[int, str], Executor], qtbot: QtBot
) -> None:
    one_by_one = Tasks(executor=threads(1, "one"))
    owner = QObject()
    may_go_on = threading.Event()
    done: list[str] = []
    one_by_one.run(owner, lambda: may_go_on.wait(5), lambda _: None)
    stale = one_by_one.run(owner, lambda: done.append("stale"), lambda _: done.append("answered"))
    one_by_one.run(owner, lambda: done.append("wanted"), lambda _: done.append("told"))
    stale.cancel()
    may_go_on.set()
    qtbot.waitUntil(lambda: "told" in done)
    assert done == ["wanted", "told"]
    one_by_one.finish()


def test_a_gone_owner_is_not_answered(tasks: Tasks, qtbot: QtBot) -> None:
    owner, other = QObject(), QObject()
    answers: list[str] = []
    may_go_on = threading.Event()
    tasks.run(owner, lambda: may_go_on.wait(5), lambda _: answers.append("gone"))
    owner.deleteLater()
    qtbot.waitSignal(owner.destroyed).wait()
    may_go_on.set()
    tasks.finish()
    assert ImmediateTasks().run(other, lambda: 1, lambda _: answers.append("here")).is_wanted
    qtbot.wait(1)
    assert answers == ["here"]


def test_closing_drops_what_has_not_begun(qtbot: QtBot) -> None:
    serial = Tasks(threads=1)
    owner = QObject()
    begun: list[int] = []
    may_go_on = threading.Event()
    serial.run(owner, lambda: may_go_on.wait(5), lambda _: None)
    serial.run(owner, lambda: begun.append(1), lambda _: None)
    threading.Timer(0.05, may_go_on.set).start()
    serial.close()
    assert begun == []
