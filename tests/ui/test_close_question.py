"""Closing the window while downloads are under way: asked once, and never without a way out."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from app.ui.close_question import CloseQuestion
from tests.fakes.children import child
from tests.fakes.download_window import DownloadWindow
from tests.fakes.scripted_transfer import request_for

A, B = request_for("a.gguf"), request_for("b.gguf")


class Window(DownloadWindow):
    """A window that may be closed."""

    def __init__(self, qtbot: QtBot) -> None:
        super().__init__(qtbot)
        self.widget = QWidget()
        qtbot.addWidget(self.widget)
        self.widget.show()
        self.question = CloseQuestion(self.service, self.widget)

    def box(self) -> QMessageBox:
        """The question on the screen."""
        return next(box for box in self.widget.findChildren(QMessageBox) if box.isVisible())

    def press(self, name: str) -> None:
        """Answers."""
        self.qtbot.mouseClick(child(self.box(), QAbstractButton, name), Qt.MouseButton.LeftButton)


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[Window]:
    made = Window(qtbot)
    yield made
    made.close()


def test_nothing_is_asked_without_downloads(window: Window) -> None:
    assert window.question.may_close()


def test_nor_about_those_that_are_paused(window: Window) -> None:
    window.add(A)
    window.service.pause(A.key)
    assert window.question.may_close()


def test_it_asks_and_does_not_wait(window: Window) -> None:
    window.add(A)
    assert not window.question.may_close()
    assert window.box().text() == "Close while a model is being downloaded?"
    assert window.box().informativeText() == "It goes on where it stopped the next time."
    window.press("keep_window_button")
    window.add(B)
    assert not window.question.may_close()
    assert window.box().text() == "Close while 2 models are being downloaded?"
    assert window.box().informativeText() == "They go on where they stopped the next time."


def test_the_answers_say_what_they_do(window: Window) -> None:
    window.add(A)
    assert not window.question.may_close()
    answers = {made.text() for made in window.box().buttons()}
    assert answers == {"Close", "Minimise and go on", "Don't close"}


def test_close_closes_and_is_asked_once(window: Window) -> None:
    window.add(A)
    assert not window.question.may_close()
    with window.qtbot.waitSignal(window.question.close_confirmed):
        window.press("confirm_close_button")
    assert window.question.may_close()


@pytest.mark.parametrize("name", ["keep_window_button", "keep_downloading_button"])
def test_otherwise_it_is_asked_again_the_next_time(window: Window, name: str) -> None:
    window.add(A)
    assert not window.question.may_close()
    with window.qtbot.assertNotEmitted(window.question.close_confirmed):
        window.press(name)
    assert window.widget.isMinimized() is (name == "keep_downloading_button")
    window.add(B)
    assert not window.question.may_close()
    assert "2 models" in window.box().text()


def test_escape_closes_nothing(window: Window) -> None:
    window.add(A)
    assert not window.question.may_close()
    box = window.box()
    with window.qtbot.assertNotEmitted(window.question.close_confirmed):
        window.qtbot.keyClick(box, Qt.Key.Key_Escape)
    assert not box.isVisible()


def test_a_shutdown_asks_nobody(window: Window) -> None:
    window.add(A)
    assert not window.question.may_close()
    box = window.box()
    window.question.close_without_asking()
    assert not box.isVisible()
    assert window.question.may_close()
