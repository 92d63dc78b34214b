"""Long work in short slices."""

from collections.abc import Iterator

import pytest
import shiboken6
from PySide6.QtCore import QObject, QTimer
from pytestqt.qtbot import QtBot

from app.ui.slices import Slices


def counting(seen: list[str], name: str, count: int) -> Iterator[None]:
    for number in range(count):
        seen.append(f"{name}{number}")
        yield


def test_work_is_done_while_the_window_goes_on(qtbot: QtBot) -> None:
    slices, owner, seen = Slices(), QObject(), list[str]()
    slices.start(owner, "count", counting(seen, "a", 3))
    assert seen == []
    qtbot.waitUntil(lambda: not slices.is_busy)
    assert seen == ["a0", "a1", "a2"]
    assert not any(timer.isActive() for timer in slices.findChildren(QTimer))


def test_a_slice_ends_when_its_time_is_over(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    slices, owner, seen = Slices(), QObject(), list[str]()
    slices.start(owner, "count", counting(seen, "a", 100))
    moments = iter(number / 1000 for number in range(1000))  # a millisecond passes with each look
    monkeypatch.setattr("app.ui.slices.perf_counter", lambda: next(moments))
    slices.run()
    assert 0 < len(seen) < 10
    assert slices.is_busy
    slices.finish()
    assert len(seen) == 100


def test_one_after_the_other(qtbot: QtBot) -> None:
    slices, owner, seen = Slices(), QObject(), list[str]()
    slices.start(owner, "a", counting(seen, "a", 2))
    slices.start(owner, "b", counting(seen, "b", 1))
    slices.finish()
    assert seen == ["a0", "a1", "b0"]


def test_new_work_of_a_name_replaces_the_old(qtbot: QtBot) -> None:
    slices, owner, seen = Slices(), QObject(), list[str]()
    slices.start(owner, "count", counting(seen, "a", 2))
    slices.start(owner, "count", counting(seen, "b", 1))
    slices.finish()
    assert seen == ["b0"]


def test_work_whose_owner_is_gone_is_dropped(qtbot: QtBot) -> None:
    slices, seen = Slices(), list[str]()
    owner = QObject()
    slices.start(owner, "count", counting(seen, "a", 2))
    shiboken6.delete(owner)
    slices.finish()
    assert seen == []
    assert not slices.is_busy


def test_work_may_start_more_work(qtbot: QtBot) -> None:
    slices, owner, seen = Slices(), QObject(), list[str]()

    def starting() -> Iterator[None]:
        slices.start(owner, "more", counting(seen, "b", 1))
        yield

    slices.start(owner, "start", starting())
    slices.finish()
    assert seen == ["b0"]
