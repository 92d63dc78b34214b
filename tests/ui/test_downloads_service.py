"""Downloads for the window: told seldom, at once where a person acted, and not at all while nothing moves."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from app.models.download import Download, Finished, Paused, Queued, Transferring
from app.models.download_store import DownloadStore
from app.models.hub_problems import HubError, HubProblem
from tests.fakes.download_window import DownloadWindow
from tests.fakes.scripted_transfer import request_for

A, B, C = (request_for(f"{letter}.gguf") for letter in "abc")


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[DownloadWindow]:
    made = DownloadWindow(qtbot)
    yield made
    made.close()


def told(window: DownloadWindow) -> list[tuple[Download, ...]]:
    """What is told from now on."""
    seen: list[tuple[Download, ...]] = []
    window.service.downloads_changed.connect(seen.append)
    return seen


def timer(window: DownloadWindow) -> QTimer:
    found = window.service.findChild(QTimer)
    assert found is not None
    return found


class TestTelling:
    def test_what_a_person_does_is_told_at_once(self, window: DownloadWindow) -> None:
        seen = told(window)
        window.service.add(A)
        assert [[row.state for row in rows] for rows in seen] == [[Transferring()]]
        window.service.pause(A.key)
        assert [row.state for row in seen[-1]] == [Paused()]
        window.service.cancel(A.key, keep_part=True)
        assert seen[-1] == ()

    def test_bytes_are_told_together(self, window: DownloadWindow, qtbot: QtBot) -> None:
        window.add(A)
        transfer = window.scripted.running("a.gguf")
        window.settle()
        seen = told(window)
        for count in range(500):
            transfer.hold(count)
        window.settle()
        assert window.row(A).received_bytes == 499
        assert len(seen) < 100

    def test_nothing_is_told_and_nothing_ticks_while_nothing_moves(
        self, window: DownloadWindow, qtbot: QtBot
    ) -> None:
        window.add(A)
        window.scripted.running("a.gguf")
        window.settle()
        qtbot.waitUntil(lambda: not timer(window).isActive())
        seen = told(window)
        qtbot.wait(50)
        assert seen == []
        assert not timer(window).isActive()

    def test_the_speed_falls_to_nothing_without_news(self, window: DownloadWindow, qtbot: QtBot) -> None:
        window.add(A)
        transfer = window.scripted.running("a.gguf")
        for count in (100, 200, 300):
            window.now += 1
            transfer.hold(count)
        qtbot.waitUntil(lambda: window.row(A).rate == 100)
        assert timer(window).isActive()
        window.now += 3
        qtbot.waitUntil(lambda: window.row(A).rate == 0)
        qtbot.waitUntil(lambda: not timer(window).isActive())

    def test_a_finished_one_is_told_once(self, window: DownloadWindow, qtbot: QtBot) -> None:
        finished: list[Download] = []
        window.service.download_finished.connect(finished.append)
        window.add(A, B)
        window.scripted.running("a.gguf").finish()
        window.wait_for_state(A, Finished)
        window.scripted.running("b.gguf").fail(HubError(HubProblem.NOT_FOUND, "Gone."))
        window.settle()
        window.service.retry_now(B.key)
        assert [row.key for row in finished] == [A.key]
        window.service.remove(A.key)
        window.service.add(A)
        window.scripted.running("a.gguf", 2).finish()
        window.wait_for_state(A, Finished)
        assert [row.key for row in finished] == [A.key, A.key]

    def test_nothing_is_told_after_the_end(self, window: DownloadWindow, qtbot: QtBot) -> None:
        window.add(A)
        window.scripted.running("a.gguf")
        window.settle()
        seen = told(window)
        window.service.close()
        window.service.add(B)
        qtbot.wait(20)
        assert seen == []
        assert not timer(window).isActive()


class TestCounting:
    def test_those_that_move_by_themselves(self, window: DownloadWindow) -> None:
        window.add(A, B, C)
        assert window.service.active_count == 3
        window.service.pause(A.key)
        assert window.service.active_count == 2
        window.service.pause_all()
        assert window.service.active_count == 0
        window.service.resume_all()
        assert window.service.active_count == 3

    def test_those_that_were_left_over(self, qtbot: QtBot, tmp_path: Path) -> None:
        store = DownloadStore(tmp_path / "downloads.json")
        store.save((A, B))
        window = DownloadWindow(qtbot, store, left={"a.gguf": 300})
        assert [row.key for row in window.service.left_over] == [A.key, B.key]
        window.settle()
        window.scripted.until(lambda: window.scripted.row(A).received_bytes == 300)
        window.settle()
        assert window.row(A).received_bytes == 300
        window.service.resume(A.key)
        assert [row.key for row in window.service.left_over] == [B.key]
        window.close()


def test_the_order_changes(window: DownloadWindow) -> None:
    four = tuple(request_for(f"{letter}.gguf") for letter in "wxyz")
    window.add(*four)
    window.service.move(four[3].key, -1)
    assert [row.request.title[0] for row in window.service.downloads] == ["w", "x", "z", "y"]
    assert isinstance(window.row(four[3]).state, Queued)


def test_finished_ones_are_removed(window: DownloadWindow) -> None:
    window.add(A, B)
    window.scripted.running("a.gguf").finish()
    window.wait_for_state(A, Finished)
    window.service.remove_finished()
    assert [row.key for row in window.service.downloads] == [B.key]
