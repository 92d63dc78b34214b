"""The drop-down list of the sidebar."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.ui.elided_choice import ElidedChoice
from app.ui.theme import Theme


@pytest.fixture
def box(theme: Theme, qtbot: QtBot) -> ElidedChoice:
    made = ElidedChoice("box", "Box")
    qtbot.addWidget(made)
    return made


def test_an_entry_that_fits_is_whole(box: ElidedChoice) -> None:
    assert box.fitted("A model · Q4_K_M", 1000) == "A model · Q4_K_M"


def test_a_long_entry_is_cut_before_what_is_to_stay_readable(box: ElidedChoice) -> None:
    shown = box.fitted("A model with quite a long name · Q4_K_M", 160)
    assert shown.startswith("A mo")
    assert shown.endswith("… · Q4_K_M")
    assert box.fontMetrics().horizontalAdvance(shown) <= 160


def test_an_entry_of_one_part_is_cut_at_its_end(box: ElidedChoice) -> None:
    shown = box.fitted("Choose another one in the load settings", 120)
    assert shown.startswith("Choose")
    assert shown.endswith("…")


def test_a_long_entry_does_not_widen_it(box: ElidedChoice) -> None:
    box.addItem("short")
    width = box.sizeHint().width()
    box.addItem("long " * 50)
    box.setCurrentIndex(1)
    assert box.sizeHint().width() == width


def test_the_wheel_is_for_what_scrolls(box: ElidedChoice) -> None:
    box.addItems(["one", "two"])
    box.show()
    box.setFocus()
    event = QWheelEvent(
        QPointF(5, 5),
        QPointF(5, 5),
        QPoint(0, -120),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(box, event)
    assert box.currentText() == "one"
    assert not event.isAccepted()
