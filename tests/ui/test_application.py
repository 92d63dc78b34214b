"""What is around the window: signals that end it, and faults."""

import os
import signal
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication, QMessageBox
from pytestqt.qtbot import QtBot

from app.ui.application import (
    EndSignals,
    Faults,
    already_open_box,
    one_window_lock,
    say_already_open,
    screen_problem,
)
from app.ui.theme import Theme


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
def test_a_request_to_end_reaches_an_idle_event_loop(qtbot: QtBot) -> None:
    before = signal.getsignal(signal.SIGTERM)
    owner = QObject()
    signals = EndSignals(owner)
    try:
        with qtbot.waitSignal(signals.received) as received:
            os.kill(os.getpid(), signal.SIGTERM)
        assert received.args == [signal.SIGTERM]
    finally:
        signals.close()
    assert signal.getsignal(signal.SIGTERM) is before


def test_a_fault_is_logged_and_told_line_by_line(caplog: pytest.LogCaptureFixture, qtbot: QtBot) -> None:
    faults = Faults()
    told: list[tuple[str, ...]] = []
    faults.occurred.connect(told.append)
    try:
        try:
            raise ValueError("a strange thing")
        except ValueError as error:
            sys.excepthook(ValueError, error, error.__traceback__)
    finally:
        faults.close()
    assert told[0][-1] == "ValueError: a strange thing"
    assert "a strange thing" in caplog.text


def test_ctrl_c_is_no_fault(monkeypatch: pytest.MonkeyPatch, qtbot: QtBot) -> None:
    passed_on: list[type[BaseException]] = []
    monkeypatch.setattr(sys, "excepthook", lambda kind, *_: passed_on.append(kind))
    faults = Faults()
    told: list[object] = []
    faults.occurred.connect(told.append)
    try:
        sys.excepthook(KeyboardInterrupt, KeyboardInterrupt(), None)
    finally:
        faults.close()
    assert passed_on == [KeyboardInterrupt]
    assert told == []


@pytest.mark.parametrize(
    ("platform", "variables", "has_screen"),
    [
        ("linux", {}, False),
        ("linux", {"DISPLAY": ""}, False),
        ("linux", {"DISPLAY": ":0"}, True),
        ("linux", {"WAYLAND_DISPLAY": "wayland-0"}, True),
        ("linux", {"QT_QPA_PLATFORM": "offscreen"}, True),
        ("darwin", {}, True),
        ("win32", {}, True),
    ],
)
def test_a_missing_screen_is_told_in_words(
    platform: str, variables: dict[str, str], has_screen: bool
) -> None:
    assert (screen_problem(platform, variables) == "") is has_screen


def test_only_one_window_uses_a_folder(tmp_path: Path) -> None:
    first = one_window_lock(tmp_path / "data")
    assert first is not None
    assert one_window_lock(tmp_path / "data") is None
    first.unlock()
    again = one_window_lock(tmp_path / "data")
    assert again is not None
    again.unlock()


def test_a_second_window_is_refused_in_words(theme: Theme, qtbot: QtBot) -> None:
    box = already_open_box()
    qtbot.addWidget(box)
    box.show()

    assert box.text() == "Slipstream is already open."
    assert [button.text() for button in box.buttons()] == ["OK"]


def test_the_refusal_is_dressed_and_waits_to_be_read(qapp: QApplication, qtbot: QtBot) -> None:
    qapp.setStyleSheet("")
    dressed: list[bool] = []

    def read() -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        dressed.append(bool(qapp.styleSheet()))
        box.accept()

    QTimer.singleShot(0, read)
    say_already_open()

    assert dressed == [True]
