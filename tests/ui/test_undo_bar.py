"""The bar that takes something back: one offer at a time, which ends when nobody wants it."""

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.ui.undo_bar import UndoBar
from app.ui.widgets import column


class Parts:
    def __init__(self, qtbot: QtBot) -> None:
        self.page = QWidget()
        qtbot.addWidget(self.page)
        self.bar = UndoBar()
        self.page.setLayout(column(self.bar))
        self.page.show()
        self.undone: list[int] = []
        self.expired: list[int] = []
        self.bar.undone.connect(self.undone.append)
        self.bar.expired.connect(self.expired.append)

    @property
    def timer(self) -> QTimer:
        timer = self.bar.findChild(QTimer)
        assert timer is not None
        return timer

    def press(self) -> None:
        button = self.bar.findChild(QPushButton, "undo_button")
        assert button is not None
        button.click()


@pytest.fixture
def parts(qtbot: QtBot) -> Parts:
    return Parts(qtbot)


def test_nothing_is_offered_at_first(parts: Parts) -> None:
    assert parts.bar.isHidden()
    assert not parts.timer.isActive()


def test_an_offer_can_be_taken(parts: Parts) -> None:
    parts.bar.offer(7, "Deleted <b>all</b>")
    sentence = parts.bar.findChild(QLabel, "undo_sentence")
    assert sentence is not None
    assert sentence.accessibleName() == "Deleted <b>all</b>"
    assert parts.bar.isVisible()

    parts.press()

    assert (parts.undone, parts.expired) == ([7], [])
    assert parts.bar.isHidden()
    assert not parts.timer.isActive()


def test_an_offer_ends_by_itself(qtbot: QtBot, parts: Parts) -> None:
    parts.timer.setInterval(0)
    with qtbot.waitSignal(parts.bar.expired):
        parts.bar.offer(7, "Deleted")

    assert (parts.undone, parts.expired) == ([], [7])
    assert parts.bar.isHidden()


def test_another_offer_ends_the_one_before(parts: Parts) -> None:
    parts.bar.offer(7, "Deleted")
    parts.bar.offer(8, "Deleted")
    assert parts.expired == [7]

    parts.press()
    assert (parts.undone, parts.expired) == ([8], [7])


def test_no_time_passes_while_the_page_is_not_shown(parts: Parts) -> None:
    parts.bar.offer(7, "Deleted")
    parts.page.hide()
    assert not parts.timer.isActive()

    parts.page.show()
    assert parts.timer.isActive()
    parts.page.hide()


def test_a_key_of_somebody_elses_does_the_same(parts: Parts) -> None:
    parts.bar.take_back()
    assert parts.undone == []
    parts.bar.offer(7, "Deleted")
    parts.bar.take_back()
    assert (parts.undone, parts.expired) == ([7], [])
    assert parts.bar.isHidden()
