"""The engine's log, for developers."""

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPlainTextEdit, QPushButton
from pytestqt.qtbot import QtBot

from app.ui.engine_log import EngineLog
from app.ui.theme import Theme
from tests.fakes.children import child


@pytest.fixture
def log(theme: Theme, qtbot: QtBot) -> EngineLog:
    made = EngineLog(theme)
    qtbot.addWidget(made)
    return made


def view(log: EngineLog) -> QPlainTextEdit:
    return child(log, QPlainTextEdit, "engine_log_view")


def shown(log: EngineLog) -> list[str]:
    return view(log).toPlainText().splitlines()


def test_hidden_it_only_keeps_lines(log: EngineLog) -> None:
    log.append(("one", "two"))
    assert log.lines == ("one", "two")
    assert shown(log) == []
    assert not any(timer.isActive() for timer in log.findChildren(QTimer))


def test_shown_it_has_what_came_before(log: EngineLog) -> None:
    log.append(("one", "two"))
    log.show()
    assert shown(log) == ["one", "two"]


def test_lines_that_come_together_are_added_together(log: EngineLog, qtbot: QtBot) -> None:
    log.show()
    changes: list[int] = []
    view(log).document().contentsChange.connect(lambda *_: changes.append(1))
    for number in range(50):
        log.append((f"line {number}",))
    assert shown(log) == []  # not yet
    qtbot.waitUntil(lambda: len(shown(log)) == 50, timeout=10_000)
    assert shown(log) == [f"line {number}" for number in range(50)]
    assert len(changes) == 1


def test_hiding_ends_the_work(log: EngineLog) -> None:
    log.show()
    log.append(("one",))
    log.hide()
    assert not any(timer.isActive() for timer in log.findChildren(QTimer))
    assert shown(log) == []
    log.show()
    assert shown(log) == ["one"]


def test_only_the_last_lines_are_kept(log: EngineLog) -> None:
    log.append(tuple(f"line {number}" for number in range(5000)))
    assert len(log.lines) == 2000
    assert log.lines[-1] == "line 4999"
    log.show()
    assert shown(log) == list(log.lines)


def test_an_endless_line_is_cut(log: EngineLog) -> None:
    log.append(("x" * 100_000,))
    assert len(log.lines[0]) == 2001
    assert log.lines[0].endswith("…")


def test_all_lines_can_be_copied(log: EngineLog, qtbot: QtBot) -> None:
    log.append(("one", "two"))
    log.show()
    child(log, QPushButton, "copy_log_button").click()
    assert QGuiApplication.clipboard().text() == "one\ntwo"


def test_all_lines_can_be_cleared(log: EngineLog) -> None:
    log.show()
    log.append(("one", "two"))
    child(log, QPushButton, "clear_log_button").click()
    assert log.lines == ()
    assert shown(log) == []
    log.hide()
