"""Pieces gathered between repaints."""

import pytest
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from app.core.chat import DraftSpan
from app.core.protocol import TextPiece
from app.ui.stream_buffer import StreamBuffer


class Seen:
    """What was handed on."""

    def __init__(self, buffer: StreamBuffer) -> None:
        self.texts: list[str] = []
        self.spans: list[DraftSpan] = []
        buffer.due.connect(self._take)

    def _take(self, text: str, spans: tuple[DraftSpan, ...]) -> None:
        self.texts.append(text)
        self.spans += spans


@pytest.fixture
def buffer(qtbot: QtBot) -> StreamBuffer:
    made = StreamBuffer()
    made.start(0)
    return made


def piece(text: str, position: int = 0) -> TextPiece:
    return TextPiece(text, position > 0, position, 0.5 if position else None)


def test_the_first_text_comes_at_once_and_the_next_together(qtbot: QtBot, buffer: StreamBuffer) -> None:
    seen = Seen(buffer)
    buffer.add([piece("a")], 1)
    qtbot.waitUntil(lambda: seen.texts == ["a"])
    for letter in "bcd":
        buffer.add([piece(letter)], 2)
    qtbot.waitUntil(lambda: len(seen.texts) == 2)
    assert seen.texts == ["a", "bcd"]


def test_spans_say_where_in_the_answer_the_drafts_text_is(buffer: StreamBuffer) -> None:
    seen = Seen(buffer)
    buffer.start(10)
    buffer.add([piece("ab", 1), piece("c", 2), piece("d")], 1)
    buffer.add([piece("", 1), piece("ef", 1)], 2)
    buffer.flush()
    assert seen.texts == ["abcdef"]
    assert seen.spans == [
        DraftSpan(10, 2, 1, 1, 0.5),
        DraftSpan(12, 1, 1, 2, 0.5),
        DraftSpan(14, 2, 2, 1, 0.5),
    ]


def test_no_timer_runs_while_nothing_waits(qtbot: QtBot, buffer: StreamBuffer) -> None:
    timers = buffer.findChildren(QTimer)
    assert not any(timer.isActive() for timer in timers)
    buffer.add([piece("a")], 1)
    assert any(timer.isActive() for timer in timers)
    buffer.flush()
    assert not any(timer.isActive() for timer in timers)
    buffer.add([], 2)
    assert not any(timer.isActive() for timer in timers)


def test_a_new_answer_begins_without_what_waited(buffer: StreamBuffer) -> None:
    seen = Seen(buffer)
    buffer.add([piece("old", 1)], 1)
    buffer.start(0)
    buffer.add([piece("new", 1)], 1)
    buffer.flush()
    assert seen.texts == ["new"]
    assert seen.spans == [DraftSpan(0, 3, 1, 1, 0.5)]


def test_what_takes_long_is_followed_by_a_longer_pause(
    buffer: StreamBuffer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock is ours: each repaint takes 20 ms, so the next one waits eight times as long."""
    buffer.add([piece("a")], 1)
    monkeypatch.setattr("app.ui.stream_buffer.perf_counter", iter([100.0, 100.02, 100.03]).__next__)
    buffer.flush()
    buffer.add([piece("b")], 1)
    [timer] = buffer.findChildren(QTimer)
    assert timer.interval() == pytest.approx(130, abs=1)
    buffer.start(0)


def test_who_measures_asks_for_longer_pauses(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock is ours: a repaint takes nothing, and the next text comes 100 ms later."""
    buffer = StreamBuffer(shortest_pause_s=0.25)
    buffer.start(0)
    seen = Seen(buffer)
    buffer.add([piece("a")], 1)
    monkeypatch.setattr("app.ui.stream_buffer.perf_counter", iter([100.0, 100.0, 100.1]).__next__)
    buffer.flush()
    buffer.add([piece("b")], 2)
    [timer] = buffer.findChildren(QTimer)
    assert timer.interval() == pytest.approx(150, abs=1)
    monkeypatch.undo()
    buffer.flush()
    assert seen.texts == ["a", "b"]
